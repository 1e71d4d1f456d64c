/* By how many lines code was likely moved.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "likely-shifts.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Lines are 16 bits, so shifts are 17.  */
#define SHIFT_RANGE 0x20000

/* Most pairs of lines that are compared.  */
#define MOST_PAIRS ((size_t) 1 << 24)

/* Add SHIFT with VOTES to SHIFTS, which are sorted by VOTES_OF.  */
static void
insert (struct likely_shifts *shifts, const uint32_t *votes_of, int shift)
{
  uint32_t votes = votes_of[shift + SHIFT_RANGE / 2];
  size_t at = shifts->count;
  while (at > 0 && votes_of[shifts->shifts[at - 1] + SHIFT_RANGE / 2] < votes)
    at--;
  if (at == LIKELY_SHIFTS_MOST)
    return;
  if (shifts->count < LIKELY_SHIFTS_MOST)
    shifts->count++;
  memmove (&shifts->shifts[at + 1], &shifts->shifts[at],
	   (shifts->count - at - 1) * sizeof *shifts->shifts);
  shifts->shifts[at] = shift;
}

/* Return true if place I of PLACES is the first of its line.  */
static bool
begins_line (const struct sample_location *places, size_t i)
{
  return i == 0 || outline_line (places[i - 1]) != outline_line (places[i]);
}

bool
likely_shifts_find (struct likely_shifts *shifts,
		    const struct sample_location *places, size_t n,
		    const struct function_outline *after, int low, int high)
{
  shifts->count = 0;
  if (n == 0 || after->place_count > MOST_PAIRS / n)
    return true;
  uint32_t *votes = calloc (SHIFT_RANGE, sizeof *votes);
  if (votes == NULL)
    return false;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < after->place_count && begins_line (places, i); k++)
      {
	int line = outline_line (after->places[k]);
	if (begins_line (after->places, k) && line >= low && line <= high)
	  votes[line - outline_line (places[i]) + SHIFT_RANGE / 2]++;
      }
  for (int i = 0; i < SHIFT_RANGE; i++)
    if (votes[i] > 0)
      insert (shifts, votes, i - SHIFT_RANGE / 2);
  free (votes);
  return true;
}
