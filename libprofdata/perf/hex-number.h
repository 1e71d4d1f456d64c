/* Hexadecimal numbers in text.
   SPDX-License-Identifier: GPL-3.0-or-later

   Most of the text of a recording is such numbers, tens of millions of
   them.  */

#ifndef HEAPPROF_HEX_NUMBER_H
#define HEAPPROF_HEX_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Digits of 64 bits.  */
#define HEX_NUMBER_DIGITS 16

/* Return the value of C as a digit, more than 15 if it is none.  */
static inline unsigned int
hex_number_digit (char c)
{
  /* Values plus 1; 0 for other characters.  */
  static const uint8_t digits[256]
    = { ['0'] = 1,  ['1'] = 2,	['2'] = 3,  ['3'] = 4,	['4'] = 5,  ['5'] = 6,
	['6'] = 7,  ['7'] = 8,	['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
	['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
	['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16 };
  return digits[(unsigned char) c] - 1u;
}

/* Read the number at *AT, with or without 0x, and set *AT to its end; END is
   that of the text.  Return false, and leave *AT as it is, if there is none or
   it exceeds 64 bits.  */
static inline bool
hex_number_take (const char **at, const char *end, uint64_t *value)
{
  const char *start = *at;
  uint64_t number = 0;
  unsigned int digit;
  if (end - start > 2 && start[0] == '0' && start[1] == 'x')
    start += 2;
  const char *here = start;
  for (; here < end && (digit = hex_number_digit (*here)) < 16; here++)
    number = number << 4 | digit;
  if (here == start)
    return false;
  while (here - start > HEX_NUMBER_DIGITS)
    if (*start++ != '0')
      return false;
  *at = here;
  *value = number;
  return true;
}

#endif /* HEAPPROF_HEX_NUMBER_H */
