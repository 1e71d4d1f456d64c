/* Control flow of x86-64 instructions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "x86-instructions.h"
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

struct instruction_flow
x86_instruction_flow (const uint8_t *code, unsigned int size)
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
      return (struct instruction_flow){ .leaves = true, .returns = true };
    case 0xe8:
      return (struct instruction_flow){ .leaves = true, .calls = true };
    case 0xe9:
    case 0xeb: /* jumps */
      return (struct instruction_flow){ .leaves = true };
    case 0xff:
      {
	unsigned int operation = size > 1 ? code[1] >> 3 & 7 : 0;
	/* Calls are 2 and 3, jumps 4 and 5.  */
	return (struct instruction_flow){ .leaves
					  = operation >= 2 && operation <= 5,
					  .calls
					  = operation == 2 || operation == 3 };
      }
    default:
      return (struct instruction_flow){ 0 };
    }
}

bool
x86_instruction_target (const uint8_t *code, unsigned int size,
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
