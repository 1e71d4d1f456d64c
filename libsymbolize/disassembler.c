/* Sizes, control flow and references of machine instructions.
   SPDX-License-Identifier: GPL-3.0-or-later

   For x86-64, binutils' libopcodes decodes the instructions.  Of its printed
   output only numbers are used; the opcodes show which instructions leave.
   Debian's library does not know AArch64, whose instructions all have the same
   size.  */

#include "config.h"
#include "disassembler.h"
#include "arm-instructions.h"
#include "x86-instructions.h"
#include <elf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool
disassembler_find_target (unsigned int machine, const uint8_t *code,
			  unsigned int size, uint64_t address, uint64_t *target)
{
  if (machine == EM_X86_64)
    return x86_instruction_target (code, size, address, target);
  return machine == EM_AARCH64 && size == ARM_INSTRUCTION_BYTES
	 && arm_instruction_target (code, address, target);
}

#ifdef HAVE_OPCODES

#include <dis-asm.h>

/* An open disassembler of x86-64.  */
struct opcodes
{
  struct disassemble_info info;
  disassembler_ftype take;
  /* Of the instruction that is being taken: its references; its other numbers,
     and whether these are displacements.  */
  struct instruction_references *references; /* NULL: not wanted */
  uint64_t numbers[DISASSEMBLER_REFERENCES];
  bool is_displacement[DISASSEMBLER_REFERENCES];
  unsigned int number_count;
};

static const char *
opcodes_problem (void)
{
  return NULL;
}

static int
print_nothing (void *stream, const char *format, ...)
{
  (void) stream;
  (void) format;
  return 0;
}

/* Keep the number TEXT if it may be an address: not a negative one, nor the
   factor of an index, which is decimal.  */
static void
keep_number (struct opcodes *opcodes, const char *text, bool is_displacement)
{
  text += *text == '$';
  if (strncmp (text, "0x", 2) != 0
      || opcodes->number_count == DISASSEMBLER_REFERENCES)
    return;
  opcodes->numbers[opcodes->number_count] = strtoull (text, NULL, 16);
  opcodes->is_displacement[opcodes->number_count++] = is_displacement;
}

/* Keep a number that would be printed.  STREAM is a struct opcodes.  */
static int
keep_styled (void *stream, enum disassembler_style style, const char *format,
	     ...)
{
  struct opcodes *opcodes = stream;
  char text[40];
  va_list arguments;
  bool is_displacement = style == dis_style_address_offset;
  if (opcodes->references == NULL
      || (style != dis_style_immediate && !is_displacement))
    return 0;
  va_start (arguments, format);
  vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);
  keep_number (opcodes, text, is_displacement);
  return 0;
}

/* Keep ADDRESS, which is relative to the instruction.  */
static void
keep_address (bfd_vma address, struct disassemble_info *info)
{
  struct opcodes *opcodes = info->stream;
  struct instruction_references *references = opcodes->references;
  if (references != NULL && references->count < DISASSEMBLER_REFERENCES)
    references->addresses[references->count++] = address;
}

static bool
opcodes_open (struct opcodes *opcodes, const uint8_t *code, size_t bytes,
	      uint64_t address)
{
  struct disassemble_info *info = &opcodes->info;
  init_disassemble_info (info, opcodes, print_nothing, keep_styled);
  info->print_address_func = keep_address;
  info->arch = bfd_arch_i386;
  info->mach = bfd_mach_x86_64;
  info->buffer = (bfd_byte *) code;
  info->buffer_vma = address;
  info->buffer_length = bytes;
  disassemble_init_for_target (info);
  opcodes->take = disassembler (bfd_arch_i386, false, bfd_mach_x86_64, NULL);
  return opcodes->take != NULL;
}

static void
opcodes_close (struct opcodes *opcodes)
{
  disassemble_free_target (&opcodes->info);
}

static int
opcodes_take (struct opcodes *opcodes, size_t offset)
{
  return opcodes->take (opcodes->info.buffer_vma + offset, &opcodes->info);
}

/* The displacement of an operand that is relative to the instruction is no
   address.  */
static int
opcodes_take_references (struct opcodes *opcodes, size_t offset,
			 bool code_is_fixed,
			 struct instruction_references *references)
{
  opcodes->references = references;
  opcodes->number_count = 0;
  int size = opcodes_take (opcodes, offset);
  opcodes->references = NULL;
  bool has_relative = references->count > 0;
  for (unsigned int i = 0; code_is_fixed && i < opcodes->number_count; i++)
    if (!(has_relative && opcodes->is_displacement[i])
	&& references->count < DISASSEMBLER_REFERENCES)
      references->addresses[references->count++] = opcodes->numbers[i];
  return size;
}

#else

struct opcodes
{
  bool is_open;
};

static const char *
opcodes_problem (void)
{
  return "heapprof was built without binutils' libopcodes";
}

static bool
opcodes_open (struct opcodes *opcodes, const uint8_t *code, size_t bytes,
	      uint64_t address)
{
  (void) opcodes;
  (void) code;
  (void) bytes;
  (void) address;
  return false;
}

static void
opcodes_close (struct opcodes *opcodes)
{
  (void) opcodes;
}

static int
opcodes_take (struct opcodes *opcodes, size_t offset)
{
  (void) opcodes;
  (void) offset;
  return 0;
}

static int
opcodes_take_references (struct opcodes *opcodes, size_t offset,
			 bool code_is_fixed,
			 struct instruction_references *references)
{
  (void) code_is_fixed;
  (void) references;
  return opcodes_take (opcodes, offset);
}

#endif

struct disassembler
{
  unsigned int machine;
  const uint8_t *code;
  size_t bytes;
  uint64_t address;
  struct opcodes opcodes; /* of x86-64 */
  struct arm_pages pages; /* of AArch64 */
};

const char *
disassembler_problem (unsigned int machine)
{
  if (machine == EM_X86_64)
    return opcodes_problem ();
  return machine == EM_AARCH64 ? NULL : "not for x86-64 or AArch64";
}

struct disassembler *
disassembler_open (unsigned int machine, const uint8_t *code, size_t bytes,
		   uint64_t address)
{
  if (disassembler_problem (machine) != NULL)
    return NULL;
  struct disassembler *made = calloc (1, sizeof *made);
  if (made == NULL)
    return NULL;
  made->machine = machine;
  made->code = code;
  made->bytes = bytes;
  made->address = address;
  if (machine != EM_X86_64
      || opcodes_open (&made->opcodes, code, bytes, address))
    return made;
  disassembler_close (made);
  return NULL;
}

void
disassembler_close (struct disassembler *disassembler)
{
  if (disassembler == NULL)
    return;
  if (disassembler->machine == EM_X86_64)
    opcodes_close (&disassembler->opcodes);
  free (disassembler);
}

/* Take an AArch64 instruction of LEFT bytes at most at CODE.  */
static unsigned int
take_arm (const uint8_t *code, size_t left, struct instruction_flow *flow)
{
  *flow = (struct instruction_flow){ 0 };
  if (left < ARM_INSTRUCTION_BYTES)
    return (unsigned int) left;
  *flow = arm_instruction_flow (code);
  return ARM_INSTRUCTION_BYTES;
}

unsigned int
disassembler_take (struct disassembler *disassembler, size_t offset,
		   struct instruction_flow *flow)
{
  const uint8_t *code = disassembler->code + offset;
  size_t left = disassembler->bytes - offset;
  if (disassembler->machine == EM_AARCH64)
    return take_arm (code, left, flow);
  int size = opcodes_take (&disassembler->opcodes, offset);
  if (size < 1 || (size_t) size > left)
    size = 1;
  *flow = x86_instruction_flow (code, (unsigned int) size);
  return (unsigned int) size;
}

unsigned int
disassembler_take_references (struct disassembler *disassembler, size_t offset,
			      bool code_is_fixed,
			      struct instruction_references *references)
{
  size_t left = disassembler->bytes - offset;
  references->count = 0;
  if (disassembler->machine == EM_AARCH64)
    {
      if (left < ARM_INSTRUCTION_BYTES)
	return (unsigned int) left;
      if (arm_instruction_data (disassembler->code + offset,
				disassembler->address + offset,
				&disassembler->pages, references->addresses))
	references->count = 1;
      return ARM_INSTRUCTION_BYTES;
    }
  int size = opcodes_take_references (&disassembler->opcodes, offset,
				      code_is_fixed, references);
  return size < 1 || (size_t) size > left ? 1 : (unsigned int) size;
}
