/* Sizes and control flow of machine instructions.
   SPDX-License-Identifier: GPL-3.0-or-later

   For x86-64, binutils' libopcodes decodes the instructions.  Its printed
   output is discarded; the opcodes show which instructions leave.  Debian's
   library does not know AArch64, whose instructions all have the same size.  */

#include "config.h"
#include "disassembler.h"
#include "arm-instructions.h"
#include "x86-instructions.h"
#include <elf.h>
#include <stdlib.h>

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

static int
print_nothing_styled (void *stream, enum disassembler_style style,
		      const char *format, ...)
{
  (void) stream;
  (void) style;
  (void) format;
  return 0;
}

static bool
opcodes_open (struct opcodes *opcodes, const uint8_t *code, size_t bytes,
	      uint64_t address)
{
  struct disassemble_info *info = &opcodes->info;
  init_disassemble_info (info, NULL, print_nothing, print_nothing_styled);
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

#endif

struct disassembler
{
  unsigned int machine;
  const uint8_t *code;
  size_t bytes;
  struct opcodes opcodes; /* of x86-64 */
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
