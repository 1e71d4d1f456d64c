/* Sizes and control flow of x86-64 instructions.
   SPDX-License-Identifier: GPL-3.0-or-later

   binutils' libopcodes decodes the instructions.  Its printed output is
   discarded; the opcodes show which instructions leave.  */

#include "config.h"
#include "disassembler.h"

#include <endian.h>
#include <string.h>

/* Return true if BYTE is a prefix.  */
static bool
is_prefix (uint8_t byte)
{
  switch (byte)
    {
    case 0x26:
    case 0x2e:
    case 0x36:
    case 0x3e:
    case 0x64:
    case 0x65:
    case 0x66:
    case 0x67:
    case 0xf2:
    case 0xf3:
      return true;
    default:
      return byte >= 0x40 && byte <= 0x4f;
    }
}

bool
disassembler_find_target (const uint8_t *code, unsigned int size,
			  uint64_t address, uint64_t *target)
{
  uint64_t end = address + size;
  uint32_t distance;
  while (size > 1 && is_prefix (*code))
    code++, size--;
  if (size == 5 && (*code == 0xe8 || *code == 0xe9))
    {
      memcpy (&distance, code + 1, sizeof distance);
      *target = end + (uint64_t) (int32_t) le32toh (distance);
      return true;
    }
  if (size == 2 && *code == 0xeb)
    {
      *target = end + (uint64_t) (int8_t) code[1];
      return true;
    }
  return false;
}

#ifdef HAVE_OPCODES

#include <dis-asm.h>
#include <stdlib.h>

struct disassembler
{
  struct disassemble_info info;
  disassembler_ftype take;
};

bool
disassembler_is_supported (void)
{
  return true;
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

struct disassembler *
disassembler_open (const uint8_t *code, size_t bytes, uint64_t address)
{
  struct disassembler *made = calloc (1, sizeof *made);
  if (made == NULL)
    return NULL;
  struct disassemble_info *info = &made->info;
  init_disassemble_info (info, NULL, print_nothing, print_nothing_styled);
  info->arch = bfd_arch_i386;
  info->mach = bfd_mach_x86_64;
  info->buffer = (bfd_byte *) code;
  info->buffer_vma = address;
  info->buffer_length = bytes;
  disassemble_init_for_target (info);
  made->take = disassembler (bfd_arch_i386, false, bfd_mach_x86_64, NULL);
  if (made->take != NULL)
    return made;
  disassembler_close (made);
  return NULL;
}

void
disassembler_close (struct disassembler *disassembler)
{
  if (disassembler == NULL)
    return;
  disassemble_free_target (&disassembler->info);
  free (disassembler);
}

/* Return true if the instruction of SIZE bytes at CODE is an unconditional
   jump, a call or a return.  */
static bool
does_leave (const uint8_t *code, unsigned int size)
{
  while (size > 1 && is_prefix (*code))
    code++, size--;
  switch (*code)
    {
    case 0xc2:
    case 0xc3:
    case 0xca:
    case 0xcb:
    case 0xcf: /* returns */
    case 0xe8: /* call */
    case 0xe9:
    case 0xeb: /* jumps */
      return true;
    case 0xff:
      {
	unsigned int operation = size > 1 ? code[1] >> 3 & 7 : 0;
	return operation >= 2 && operation <= 5; /* calls and jumps */
      }
    default:
      return false;
    }
}

unsigned int
disassembler_take (struct disassembler *disassembler, size_t offset,
		   bool *leaves)
{
  struct disassemble_info *info = &disassembler->info;
  size_t left = info->buffer_length - offset;
  int size = disassembler->take (info->buffer_vma + offset, info);
  if (size < 1 || (size_t) size > left)
    size = 1;
  *leaves = does_leave (info->buffer + offset, (unsigned int) size);
  return (unsigned int) size;
}

#else

bool
disassembler_is_supported (void)
{
  return false;
}

struct disassembler *
disassembler_open (const uint8_t *code, size_t bytes, uint64_t address)
{
  (void) code;
  (void) bytes;
  (void) address;
  return NULL;
}

void
disassembler_close (struct disassembler *disassembler)
{
  (void) disassembler;
}

unsigned int
disassembler_take (struct disassembler *disassembler, size_t offset,
		   bool *leaves)
{
  (void) disassembler;
  (void) offset;
  *leaves = false;
  return 1;
}

#endif
