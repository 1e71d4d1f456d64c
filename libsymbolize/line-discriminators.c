/* Discriminators that are too large for libdw's line tables.
   SPDX-License-Identifier: GPL-3.0-or-later

   The parts of a line table that are needed to walk its program (DWARF 2 to 5):

     u32 length, or 0xffffffff and u64 length: of what follows
     u16 version
     u8 bytes of an address, u8 bytes of a segment     version 5
     u32 or u64 bytes of the header from here on
     u8 bytes of an instruction
     u8 operations of an instruction                   version 4 and 5
     u8 is_stmt, u8 line base, u8 line range
     u8 first special opcode
     u8 operands of each opcode from 1 on
     directories and files
     the program, of opcodes:
       0                        uleb128 bytes, u8 kind, operands
       9                        u16
       below the first special  operands, uleb128
       others                   nothing  */

#include "line-discriminators.h"
#include "byte-reader.h"
#include "elf-section.h"
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#define SECTION ".debug_line"

/* Discriminators from here on are replaced by STAND_IN plus the number of a
   value.  Both they and the stand-ins take at least four bytes.  */
#define STAND_IN (1u << 23)
#define MOST_VALUES (1u << 23)

/* The escape to 64-bit lengths.  */
#define LONG_LENGTH UINT32_MAX

/* State of the walk over one program.  */
struct walk
{
  struct line_discriminators *discriminators;
  Elf *elf;
  Elf_Data *section;
  bool no_memory;
  bool only_looks; /* for a large one */
  bool has_large;
};

/* Return the number that stands for VALUE; 0 if there are too many, or memory
   is exhausted.  Consecutive rows often have the same value.  */
static uint32_t
stand_in (struct walk *walk, uint32_t value)
{
  struct line_discriminators *discriminators = walk->discriminators;
  size_t count = discriminators->count;
  if (count > 0 && discriminators->values[count - 1] == value)
    return STAND_IN + (uint32_t) (count - 1);
  if (count == MOST_VALUES)
    return 0;
  if (count == discriminators->capacity)
    {
      size_t capacity = count > 0 ? 2 * count : 256;
      void *grown = realloc (discriminators->values,
			     capacity * sizeof *discriminators->values);
      walk->no_memory = grown == NULL;
      if (grown == NULL)
	return 0;
      discriminators->values = grown;
      discriminators->capacity = capacity;
    }
  discriminators->values[count] = value;
  discriminators->count++;
  return STAND_IN + (uint32_t) count;
}

/* Give libdw a writable copy of the section.  */
static bool
copy_section (struct walk *walk)
{
  Elf_Data *section = walk->section;
  if (walk->discriminators->tables != NULL)
    return true;
  uint8_t *copy = malloc (section->d_size);
  walk->no_memory = copy == NULL;
  if (copy == NULL)
    return false;
  memcpy (copy, section->d_buf, section->d_size);
  elf_section_replace (walk->elf, SECTION, copy, section->d_size);
  walk->discriminators->tables = copy;
  return true;
}

/* Replace VALUE, the operand from START to END, by its stand-in, in the same
   number of bytes.  */
static void
replace (struct walk *walk, size_t start, size_t end, uint32_t value)
{
  uint32_t number = copy_section (walk) ? stand_in (walk, value) : 0;
  if (number == 0)
    return;
  uint8_t *bytes = walk->discriminators->tables;
  for (size_t i = start; i < end; i++, number >>= 7)
    bytes[i] = (number & 0x7f) | (i + 1 < end ? 0x80 : 0);
}

static void
walk_extended (struct walk *walk, struct byte_reader *program)
{
  uint64_t bytes = byte_reader_uleb128 (program, "opcode");
  struct byte_reader opcode = byte_reader_part (program, bytes, "opcode");
  if (bytes == 0
      || byte_reader_u8 (&opcode, "opcode") != DW_LNE_set_discriminator)
    return;
  size_t start = opcode.position;
  uint64_t value = byte_reader_uleb128 (&opcode, "discriminator");
  if (opcode.failed || value < STAND_IN || value > UINT32_MAX)
    return;
  walk->has_large = true;
  if (!walk->only_looks)
    replace (walk, start, opcode.position, (uint32_t) value);
}

/* Walk over a program.  Opcodes below FIRST_SPECIAL have as many operands as
   OPERANDS lists.  */
static void
walk_program (struct walk *walk, struct byte_reader *program,
	      uint8_t first_special, const uint8_t *operands)
{
  while (!walk->no_memory && byte_reader_left (program) > 0)
    {
      uint8_t opcode = byte_reader_u8 (program, "opcode");
      if (opcode == 0)
	walk_extended (walk, program);
      else if (opcode >= first_special)
	continue;
      else if (opcode == DW_LNS_fixed_advance_pc)
	byte_reader_u16 (program, "operand");
      else
	for (uint8_t i = 0; i < operands[opcode - 1]; i++)
	  byte_reader_uleb128 (program, "operand");
    }
}

/* Walk over TABLE, starting at the version.  */
static void
walk_table (struct walk *walk, struct byte_reader *table, bool is_64_bits)
{
  uint16_t version = byte_reader_u16 (table, "version");
  if (version < 2 || version > 5)
    return;
  if (version == 5)
    byte_reader_u16 (table, "bytes of an address");
  uint64_t bytes = is_64_bits ? byte_reader_u64 (table, "header")
			      : byte_reader_u32 (table, "header");
  struct byte_reader header = byte_reader_part (table, bytes, "header");
  byte_reader_bytes (&header, version >= 4 ? 5 : 4, "header");
  uint8_t first_special = byte_reader_u8 (&header, "first special opcode");
  if (first_special == 0)
    return;
  const uint8_t *operands
    = byte_reader_bytes (&header, first_special - 1, "operands");
  if (operands != NULL)
    walk_program (walk, table, first_special, operands);
}

static void
walk_section (struct walk *walk, bool is_big_endian)
{
  struct profile_error err;
  struct byte_reader section;
  byte_reader_init (&section, SECTION, walk->section->d_buf,
		    walk->section->d_size, &err);
  section.big_endian = is_big_endian;
  while (!walk->no_memory && byte_reader_left (&section) > 0)
    {
      uint64_t bytes = byte_reader_u32 (&section, "length");
      bool is_64_bits = bytes == LONG_LENGTH;
      if (is_64_bits)
	bytes = byte_reader_u64 (&section, "length");
      struct byte_reader table = byte_reader_part (&section, bytes, "table");
      if (!table.failed)
	walk_table (walk, &table, is_64_bits);
    }
}

bool
line_discriminators_replace (struct line_discriminators *discriminators,
			     Dwarf *dwarf)
{
  GElf_Ehdr header;
  Elf *elf = dwarf_getelf (dwarf);
  struct walk walk = { .discriminators = discriminators,
		       .elf = elf,
		       .section = elf_section_data (elf, SECTION) };
  if (walk.section != NULL && gelf_getehdr (elf, &header) != NULL)
    walk_section (&walk, header.e_ident[EI_DATA] == ELFDATA2MSB);
  return !walk.no_memory;
}

bool
line_discriminators_are_small (struct byte_reader *table)
{
  struct walk walk = { .only_looks = true };
  walk_table (&walk, table, false);
  return !walk.has_large;
}

uint32_t
line_discriminators_value (const struct line_discriminators *discriminators,
			   uint32_t number)
{
  return number >= STAND_IN && number - STAND_IN < discriminators->count
	   ? discriminators->values[number - STAND_IN]
	   : number;
}

void
line_discriminators_release (struct line_discriminators *discriminators)
{
  free (discriminators->tables);
  free (discriminators->values);
  *discriminators = (struct line_discriminators){ 0 };
}
