/* Targets of the slots of virtual tables.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "table-slots.h"
#include "pointer-relocations.h"
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#define POINTER_BYTES sizeof (uint64_t)

/* The relocations of one section.  */
struct relocations
{
  Elf *elf;
  Elf_Data *data;
  Elf_Data *symbols; /* NULL: none */
  size_t strings;    /* their section */
  struct pointer_relocations types;
};

static Elf *
elf_of (struct object_file *file)
{
  GElf_Addr bias;
  return dwfl_module_getelf (object_file_module (file), &bias);
}

/* Set TARGET to what RELOCATION makes a slot point at.  Return false if it is
   not a pointer.  */
static bool
target_of (const struct relocations *relocations, const GElf_Rela *relocation,
	   struct table_target *target)
{
  GElf_Sym symbol;
  unsigned int type = GELF_R_TYPE (relocation->r_info);
  *target = (struct table_target){ 0 };
  if (type == relocations->types.relative)
    {
      target->address = (uint64_t) relocation->r_addend;
      return true;
    }
  if (type != relocations->types.absolute || relocations->symbols == NULL
      || gelf_getsym (relocations->symbols,
		      (int) GELF_R_SYM (relocation->r_info), &symbol)
	   == NULL)
    return false;
  if (symbol.st_shndx != SHN_UNDEF)
    target->address = symbol.st_value + (uint64_t) relocation->r_addend;
  else
    target->name
      = elf_strptr (relocations->elf, relocations->strings, symbol.st_name);
  return true;
}

static bool
add_slot (struct table_slots *slots, uint64_t place,
	  const struct table_target *target)
{
  if (slots->count == slots->capacity)
    {
      size_t capacity = slots->capacity > 0 ? 2 * slots->capacity : 256;
      void *grown
	= realloc (slots->relocated, capacity * sizeof *slots->relocated);
      if (grown == NULL)
	return false;
      slots->relocated = grown;
      slots->capacity = capacity;
    }
  slots->relocated[slots->count++] = (struct table_slot){ place, *target };
  return true;
}

/* Add those of RELOCATIONS that are in TABLES.  */
static bool
add_relocations (struct table_slots *slots,
		 const struct relocations *relocations,
		 const struct virtual_tables *tables)
{
  GElf_Rela relocation;
  struct table_target target;
  for (int i = 0; gelf_getrela (relocations->data, i, &relocation) != NULL; i++)
    if (virtual_tables_find (tables, relocation.r_offset) != NULL
	&& target_of (relocations, &relocation, &target)
	&& !add_slot (slots, relocation.r_offset, &target))
      return false;
  return true;
}

static int
compare_slots (const void *a, const void *b)
{
  const struct table_slot *x = a;
  const struct table_slot *y = b;
  return x->place < y->place ? -1 : x->place > y->place;
}

bool
table_slots_read (struct table_slots *slots, struct object_file *file,
		  const struct object_layout *layout,
		  const struct virtual_tables *tables)
{
  struct relocations relocations = { .elf = elf_of (file) };
  *slots = (struct table_slots){ .file = file, .layout = layout };
  if (relocations.elf == NULL || tables->count == 0
      || !pointer_relocations_of (relocations.elf, &relocations.types))
    return true;
  Elf_Scn *section = NULL;
  while ((section = elf_nextscn (relocations.elf, section)) != NULL)
    {
      GElf_Shdr header;
      GElf_Shdr symbols_header;
      if (gelf_getshdr (section, &header) == NULL || header.sh_type != SHT_RELA
	  || (header.sh_flags & SHF_ALLOC) == 0)
	continue;
      Elf_Scn *symbols = elf_getscn (relocations.elf, header.sh_link);
      relocations.data = elf_getdata (section, NULL);
      relocations.symbols = NULL;
      if (symbols != NULL && gelf_getshdr (symbols, &symbols_header) != NULL)
	{
	  relocations.symbols = elf_getdata (symbols, NULL);
	  relocations.strings = symbols_header.sh_link;
	}
      if (relocations.data != NULL
	  && !add_relocations (slots, &relocations, tables))
	{
	  table_slots_release (slots);
	  return false;
	}
    }
  if (slots->count > 0)
    qsort (slots->relocated, slots->count, sizeof *slots->relocated,
	   compare_slots);
  return true;
}

void
table_slots_release (struct table_slots *slots)
{
  free (slots->relocated);
  *slots = (struct table_slots){ 0 };
}

/* Return the pointer stored in the file at ADDRESS; 0 if there is none.  */
static uint64_t
stored_pointer (const struct table_slots *slots, uint64_t address)
{
  size_t bytes;
  Elf *elf = elf_of (slots->file);
  const char *content = elf != NULL ? elf_rawfile (elf, &bytes) : NULL;
  for (size_t i = 0; content != NULL && i < slots->layout->count; i++)
    {
      const struct object_segment *segment = &slots->layout->segments[i];
      uint64_t offset = address - segment->address;
      if (address < segment->address || segment->file_bytes < POINTER_BYTES
	  || offset > segment->file_bytes - POINTER_BYTES
	  || segment->file_offset > bytes
	  || offset + POINTER_BYTES > bytes - segment->file_offset)
	continue;
      return pointer_stored_at (elf, content + segment->file_offset + offset);
    }
  return 0;
}

bool
table_slots_find (const struct table_slots *slots, uint64_t address,
		  struct table_target *target)
{
  size_t low = 0;
  size_t high = slots->count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (slots->relocated[middle].place < address)
	low = middle + 1;
      else
	high = middle;
    }
  if (low < slots->count && slots->relocated[low].place == address)
    *target = slots->relocated[low].target;
  else
    *target = (struct table_target){ stored_pointer (slots, address), NULL };
  return target->address != 0 || target->name != NULL;
}
