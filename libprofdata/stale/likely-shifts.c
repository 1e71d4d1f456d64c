/* By how many lines code was likely moved.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "likely-shifts.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Most pairs of lines that are compared.  */
#define MOST_PAIRS ((size_t) 1 << 24)

/* Add SHIFT to SHIFTS, which are sorted by VOTES, whose first is of LEAST.  */
static void
insert (struct likely_shifts *shifts, const uint32_t *votes, int least,
	int shift)
{
  size_t at = shifts->count;
  while (at > 0 && votes[shifts->shifts[at - 1] - least] < votes[shift - least])
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
  size_t m = after->place_count;
  shifts->count = 0;
  if (n == 0 || m == 0 || m > MOST_PAIRS / n)
    return true;
  int least = outline_line (after->places[0]) - outline_line (places[n - 1]);
  int most = outline_line (after->places[m - 1]) - outline_line (places[0]);
  uint32_t *votes = calloc ((size_t) (most - least) + 1, sizeof *votes);
  if (votes == NULL)
    return false;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < m && begins_line (places, i); k++)
      {
	int line = outline_line (after->places[k]);
	if (begins_line (after->places, k) && line >= low && line <= high)
	  votes[line - outline_line (places[i]) - least]++;
      }
  for (int i = least; i <= most; i++)
    if (votes[i - least] > 0)
      insert (shifts, votes, least, i);
  free (votes);
  return true;
}
