/* Hexadecimal numbers in text.
   SPDX-License-Identifier: GPL-3.0-or-later

   Most of the text of a recording is such numbers, tens of millions of them, so
   eight digits are read at once: each byte of a word is a character.  */

#ifndef HEAPPROF_HEX_NUMBER_H
#define HEAPPROF_HEX_NUMBER_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A word of the bytes VALUE.  */
#define HEX_BYTES(VALUE) (UINT64_C (0x0101010101010101) * (VALUE))

/* Number of characters in a word.  */
#define HEX_WORD 8

/* Return the eight characters at TEXT, the first in the lowest byte.  */
static inline uint64_t
hex_number_word (const char *text)
{
  uint64_t word;
  memcpy (&word, text, sizeof word);
  return le64toh (word);
}

/* Return how many characters of WORD, from the lowest byte on, are digits, and
   set *VALUE to their number.  */
static inline unsigned int
hex_number_digits (uint64_t word, uint64_t *value)
{
  const uint64_t high = HEX_BYTES (0x80);
  /* 0 to 9 of decimal digits, 1 to 6 of letters.  A byte with its high bit set
     is no digit; what it does to those above it does not matter.  */
  uint64_t decimal = word ^ HEX_BYTES (0x30);
  uint64_t letter = (word | HEX_BYTES (0x20)) ^ HEX_BYTES (0x60);
  uint64_t is_decimal = ~((decimal + HEX_BYTES (0x76)) | decimal) & high;
  uint64_t is_letter = (letter + HEX_BYTES (0x7f))
		       & ~((letter + HEX_BYTES (0x79)) | letter) & high;
  uint64_t others = ~(is_decimal | is_letter) & high;
  unsigned int count
    = others != 0 ? (unsigned int) __builtin_ctzll (others) / 8 : HEX_WORD;
  if (count == 0)
    return 0;
  uint64_t digits = (word & HEX_BYTES (0x0f)) + 9 * (is_letter >> 7);
  /* The last digit to the highest byte; then joined two by two.  */
  digits <<= 8 * (HEX_WORD - count);
  digits = (digits << 4 | digits >> 8) & UINT64_C (0x00ff00ff00ff00ff);
  digits = (digits << 8 | digits >> 16) & UINT64_C (0x0000ffff0000ffff);
  *value = (digits << 16 | digits >> 32) & UINT32_MAX;
  return count;
}

/* Read the number at *AT, with or without 0x, and set *AT to its end; END is
   that of the text.  Return false, and leave *AT as it is, if there is none or
   it exceeds 64 bits.  */
static inline bool
hex_number_take (const char **at, const char *end, uint64_t *value)
{
  const char *here = *at;
  if (end - here > 2 && here[0] == '0' && here[1] == 'x')
    here += 2;
  const char *start = here;
  uint64_t number = 0;
  unsigned int count = HEX_WORD;
  while (count == HEX_WORD && here < end)
    {
      uint64_t digits;
      if (end - here >= HEX_WORD)
	count = hex_number_digits (hex_number_word (here), &digits);
      else
	{
	  char rest[HEX_WORD] = { 0 };
	  memcpy (rest, here, (size_t) (end - here));
	  count = hex_number_digits (hex_number_word (rest), &digits);
	}
      if (count == 0)
	break;
      if (number >> (64 - 4 * count) != 0)
	return false;
      number = number << 4 * count | digits;
      here += count;
    }
  if (here == start)
    return false;
  *at = here;
  *value = number;
  return true;
}

#endif /* HEAPPROF_HEX_NUMBER_H */
