/* Decoding of clang's packed discriminators.
   SPDX-License-Identifier: GPL-3.0-or-later

   Up to three numbers, starting at the lowest bits: the base discriminator,
   the duplication factor of unrolled or vectorized loops, the copy identifier.
   A number is

     1                          one bit: 0
     0 nnnnn 0                  seven bits, lowest first: up to 31
     0 nnnnn 1 hhhhhhh          fourteen bits; h are the high bits

   A call with a probe has 7 in the lowest three bits instead:

     bit 28 set                 the probe is in bits 3 to 15, the discriminator
				in bits 16 to 18
     else                       the probe is in bits 3 to 18.  */

#include "packed-discriminator.h"

#define FLOW_SENSITIVE_BASE_MASK 0xff

static bool
has_probe (uint32_t value)
{
  return (value & 7) == 7 && value > 7;
}

/* Return the first number in VALUE; without_first returns the rest.  */
static uint32_t
first_number (uint32_t value)
{
  if (value & 1)
    return 0;
  uint32_t low = value >> 1 & 0x1f;
  return (value & 0x40) ? (value >> 2 & 0xfe0) | low : low;
}

static uint32_t
without_first (uint32_t value)
{
  return value & 1 ? value >> 1 : value >> (value & 0x40 ? 14 : 7);
}

uint32_t
packed_discriminator_base (uint32_t value, bool is_flow_sensitive)
{
  if (is_flow_sensitive)
    return value & FLOW_SENSITIVE_BASE_MASK;
  if (has_probe (value))
    return value >> 28 & 1 ? value >> 16 & 7 : value >> 3 & 0xffff;
  return first_number (value);
}

uint32_t
packed_discriminator_factor (uint32_t value, bool is_flow_sensitive)
{
  if (is_flow_sensitive || has_probe (value))
    return 1;
  uint32_t factor = first_number (without_first (value));
  return factor > 0 ? factor : 1;
}

uint32_t
packed_discriminator_probe (uint32_t value)
{
  return value >> 3 & (value >> 28 & 1 ? 0x1fff : 0xffff);
}
