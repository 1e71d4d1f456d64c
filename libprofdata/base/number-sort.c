/* Sorting by a number, a byte at a time, the lowest first.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "number-sort.h"

#define DIGIT_BITS 8
#define DIGIT_VALUES (1u << DIGIT_BITS)
#define DIGITS (64 / DIGIT_BITS)

/* Fewer elements are sorted by insertion.  */
#define FEW 32

static inline uint64_t
number_at (const char *element)
{
  uint64_t number;
  memcpy (&number, element, sizeof number);
  return number;
}

static inline size_t
digit_of (uint64_t number, unsigned int digit)
{
  return number >> digit * DIGIT_BITS & (DIGIT_VALUES - 1);
}

static void
insert_all (char *elements, char *spare, size_t count, size_t bytes)
{
  for (size_t i = 1; i < count; i++)
    {
      char *at = elements + i * bytes;
      const uint64_t number = number_at (at);
      if (number_at (at - bytes) <= number)
	continue;
      memcpy (spare, at, bytes);
      do
	{
	  memcpy (at, at - bytes, bytes);
	  at -= bytes;
	}
      while (at > elements && number_at (at - bytes) > number);
      memcpy (at, spare, bytes);
    }
}

/* Move the elements FROM to TO, in the order of DIGIT, of which COUNTS has how
   many elements have each value.  */
static inline __attribute__ ((always_inline)) void
distribute (const char *from, char *to, size_t count, size_t bytes,
	    const size_t *counts, unsigned int digit)
{
  char *next[DIGIT_VALUES];
  for (size_t value = 0; value < DIGIT_VALUES; value++)
    {
      next[value] = to;
      to += counts[value] * bytes;
    }
  for (size_t i = 0; i < count; i++, from += bytes)
    {
      char **place = &next[digit_of (number_at (from), digit)];
      memcpy (*place, from, bytes);
      *place += bytes;
    }
}

/* Sort elements of BYTES bytes, a constant.  */
static inline __attribute__ ((always_inline)) void
sort (char *elements, char *spare, size_t count, size_t bytes)
{
  size_t counts[DIGITS][DIGIT_VALUES] = { 0 };
  char *from = elements, *to = spare;
  for (size_t i = 0; i < count; i++)
    {
      const uint64_t number = number_at (elements + i * bytes);
      for (unsigned int digit = 0; digit < DIGITS; digit++)
	counts[digit][digit_of (number, digit)]++;
    }
  for (unsigned int digit = 0; digit < DIGITS; digit++)
    {
      /* If all elements have the same value, they are in order.  */
      if (counts[digit][digit_of (number_at (elements), digit)] == count)
	continue;
      distribute (from, to, count, bytes, counts[digit], digit);
      char *const before = from;
      from = to;
      to = before;
    }
  if (from != elements)
    memcpy (elements, from, count * bytes);
}

void
number_sort (void *elements, void *spare, size_t count, size_t bytes)
{
  if (count <= FEW)
    insert_all (elements, spare, count, bytes);
  else if (bytes == 8)
    sort (elements, spare, count, 8);
  else if (bytes == 16)
    sort (elements, spare, count, 16);
  else if (bytes == 24)
    sort (elements, spare, count, 24);
  else
    sort (elements, spare, count, 32);
}
