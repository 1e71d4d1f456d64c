/* Sorting by a number.
   SPDX-License-Identifier: GPL-3.0-or-later

   Profiles have tables of some hundred thousand elements that are sorted by a
   hash or by a density.  Distributing them by one byte of the number after the
   other takes a tenth of the instructions of qsort.  */

#ifndef HEAPPROF_NUMBER_SORT_H
#define HEAPPROF_NUMBER_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Sort the COUNT elements at ELEMENTS of BYTES bytes each, 8, 16, 24 or 32,
   by their first 8 bytes, a uint64_t; elements of equal numbers keep their
   order. SPARE has space for as many.  */
void number_sort (void *elements, void *spare, size_t count, size_t bytes);

/* Return a number that is the less the greater VALUE is, which is not
   negative.  */
static inline uint64_t
number_descending (double value)
{
  uint64_t bits;
  value += 0.0; /* of zeros, only the positive one */
  memcpy (&bits, &value, sizeof bits);
  return ~bits;
}

#endif /* HEAPPROF_NUMBER_SORT_H */
