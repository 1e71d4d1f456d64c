/* Control flow and references of AArch64 instructions.
   SPDX-License-Identifier: GPL-3.0-or-later

   All instructions have four bytes, little-endian on every machine, so there is
   no need for a library: what leaves is in two groups of encodings (Arm
   Architecture Reference Manual, "Branches, exception generating and system
   instructions").  */

#include "arm-instructions.h"
#include <endian.h>
#include <string.h>

/* Parts of an encoding that have a fixed value.  */
#define HAS_BITS(WORD, MASK, VALUE) (((WORD) & (MASK)) == (VALUE))

/* b and bl, with 26 bits of distance.  */
#define IS_JUMP(WORD) HAS_BITS (WORD, 0xfc000000, 0x14000000)
#define IS_CALL(WORD) HAS_BITS (WORD, 0xfc000000, 0x94000000)

/* br, blr, ret, eret, drps, and those that authenticate pointers.  */
#define IS_REGISTER_BRANCH(WORD) HAS_BITS (WORD, 0xfe000000, 0xd6000000)

/* retaasppc and retabsppc with the distance of a label.  */
#define IS_LABEL_RETURN(WORD) HAS_BITS (WORD, 0xffc0001f, 0x5500001f)

/* Registers that veneers may use.  */
#define X16 16
#define X17 17

static uint32_t
word_at (const uint8_t *code)
{
  uint32_t word;
  memcpy (&word, code, sizeof word);
  return le32toh (word);
}

/* Return the COUNT bits of WORD from bit FIRST on, as a signed number.  */
static uint64_t
signed_bits (uint32_t word, unsigned int first, unsigned int count)
{
  int64_t shifted = (int64_t) ((uint64_t) word << (64 - first - count));
  return (uint64_t) (shifted >> (64 - count));
}

struct instruction_flow
arm_instruction_flow (const uint8_t *code)
{
  uint32_t word = word_at (code);
  struct instruction_flow flow = { 0 };
  if (IS_REGISTER_BRANCH (word))
    {
      /* blr is 1, blraa 9, ret 2, eret 4, drps 5.  */
      uint32_t operation = word >> 21 & 15;
      flow.returns = operation == 2 || operation == 4 || operation == 5;
      flow.calls = operation == 1 || operation == 9;
    }
  else
    {
      flow.returns = IS_LABEL_RETURN (word);
      flow.calls = IS_CALL (word);
    }
  flow.leaves = flow.returns || IS_REGISTER_BRANCH (word) || IS_JUMP (word)
		|| IS_CALL (word);
  return flow;
}

bool
arm_instruction_target (const uint8_t *code, uint64_t address, uint64_t *target)
{
  uint32_t word = word_at (code);
  if (!IS_JUMP (word) && !IS_CALL (word))
    return false;
  *target = address + 4 * signed_bits (word, 0, 26);
  return true;
}

/* Return the distance in adr, or the number of pages in adrp.  */
static uint64_t
distance_in (uint32_t word)
{
  return signed_bits (word, 5, 19) << 2 | (word >> 29 & 3);
}

/* Note that WORD puts ADDRESS into its first register, or something else if
   IS_KNOWN is false.  Return IS_KNOWN.  */
static bool
set_register (struct arm_pages *pages, uint32_t word, bool is_known,
	      uint64_t address)
{
  uint32_t bit = UINT32_C (1) << (word & 31);
  pages->address[word & 31] = address;
  pages->known = is_known ? pages->known | bit : pages->known & ~bit;
  return is_known;
}

/* Return how many bits the offset of the load or store WORD is shifted by, from
   its size; those of 16 bytes have a size of their own.  */
static unsigned int
offset_shift (uint32_t word)
{
  bool is_vector = (word & 1 << 26) != 0;
  return is_vector && (word & 1 << 23) != 0 ? 4 : word >> 30;
}

/* Registers that functions need not preserve: x0 to x18.  */
#define CHANGED_BY_CALLS UINT32_C (0x7ffff)

bool
arm_instruction_data (const uint8_t *code, uint64_t address,
		      struct arm_pages *pages, uint64_t *target)
{
  uint32_t word = word_at (code);
  uint32_t number = word >> 10 & 0xfff;
  uint64_t base = pages->address[word >> 5 & 31];
  bool has_base = (pages->known >> (word >> 5 & 31) & 1) != 0;
  if (IS_CALL (word) || IS_REGISTER_BRANCH (word))
    {
      pages->known &= ~CHANGED_BY_CALLS;
      return false;
    }
  /* adrp */
  if (HAS_BITS (word, 0x9f000000, 0x90000000))
    {
      set_register (pages, word, true,
		    (address & ~UINT64_C (0xfff)) + (distance_in (word) << 12));
      return false;
    }
  /* adr */
  if (HAS_BITS (word, 0x9f000000, 0x10000000))
    {
      *target = address + distance_in (word);
      return set_register (pages, word, true, *target);
    }
  /* add of 64 bits with a number */
  if (HAS_BITS (word, 0xff800000, 0x91000000))
    {
      *target = base + ((uint64_t) number << ((word & 1 << 22) != 0 ? 12 : 0));
      return set_register (pages, word, has_base, *target);
    }
  /* Loads and stores with an offset.  */
  if (!HAS_BITS (word, 0x3b000000, 0x39000000))
    return false;
  *target = base + ((uint64_t) number << offset_shift (word));
  if ((word & 1 << 26) == 0 && (word & (1 << 22 | 1 << 23)) != 0)
    set_register (pages, word, false, 0);
  return has_base;
}

/* adrp x16, PAGE; add x16, x16, #OFFSET; br x16.  */
static bool
find_page_target (const uint32_t *words, size_t count, uint64_t address,
		  uint64_t *target)
{
  if (count < 3 || !HAS_BITS (words[0], 0x9f00001f, 0x90000000 | X16)
      || !HAS_BITS (words[1], 0xffc003ff, 0x91000000 | X16 << 5 | X16)
      || words[2] != (0xd61f0000 | X16 << 5))
    return false;
  *target = (address & ~UINT64_C (0xfff)) + (distance_in (words[0]) << 12)
	    + (words[1] >> 10 & 0xfff);
  return true;
}

/* ldr x16, LABEL; and either br x16, with the target at LABEL; or
   adr x17, #0; add x16, x16, x17; br x16, with its distance from the adr.  */
static bool
find_stored_target (const uint32_t *words, size_t count, uint64_t address,
		    uint64_t *target)
{
  if (count < 2 || !HAS_BITS (words[0], 0xff00001f, 0x58000000 | X16))
    return false;
  uint64_t label = signed_bits (words[0], 5, 19);
  uint64_t base = 0;
  size_t jump = 1;
  if (count > 3 && words[1] == (0x10000000 | X17)
      && words[2] == (0x8b000000 | X17 << 16 | X16 << 5 | X16))
    {
      base = address + ARM_INSTRUCTION_BYTES;
      jump = 3;
    }
  if (words[jump] != (0xd61f0000 | X16 << 5) || label <= jump
      || label > count - 2)
    return false;
  *target = base + (words[label] | (uint64_t) words[label + 1] << 32);
  return true;
}

bool
arm_veneer_target (const uint8_t *code, size_t bytes, uint64_t address,
		   bool is_named, uint64_t *target)
{
  /* The longest has six words.  */
  uint32_t words[6];
  size_t count = bytes / ARM_INSTRUCTION_BYTES;
  if (count > sizeof words / sizeof *words)
    count = sizeof words / sizeof *words;
  for (size_t i = 0; i < count; i++)
    words[i] = word_at (code + i * ARM_INSTRUCTION_BYTES);
  if (find_page_target (words, count, address, target)
      || find_stored_target (words, count, address, target))
    return true;
  /* bti c, which may be missing; b TARGET.  */
  size_t jump = count > 1 && words[0] == 0xd503245f ? 1 : 0;
  size_t skipped = jump * ARM_INSTRUCTION_BYTES;
  return is_named && count > jump && IS_JUMP (words[jump])
	 && arm_instruction_target (code + skipped, address + skipped, target);
}

bool
arm_veneer_has_name (const char *name)
{
  static const char gnu[] = "_veneer";
  size_t bytes = strlen (name);
  /* A veneer for an erratum of a processor is part of a function.  */
  if (strncmp (name, "__erratum_", strlen ("__erratum_")) == 0)
    return false;
  return strncmp (name, "__AArch64", strlen ("__AArch64")) == 0
	 || (strncmp (name, "__", 2) == 0 && bytes >= sizeof gnu
	     && strcmp (name + bytes - (sizeof gnu - 1), gnu) == 0);
}
