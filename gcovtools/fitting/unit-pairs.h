/* Which notes of a newer version of a program belong to which unit of the older
   one.
   SPDX-License-Identifier: GPL-3.0-or-later

   The names of a data file and its notes differ only in the suffix, but the
   folders may be others: those with the most equal components at the end
   belong together.  gcc -fprofile-dir puts `#' in place of slashes.  */

#ifndef HEAPPROF_UNIT_PAIRS_H
#define HEAPPROF_UNIT_PAIRS_H

#include "gcov-profile.h"
#include "input-list.h"
#include <stdbool.h>
#include <stddef.h>

/* Set PAIRS[I], for each of NOTES, to the index of its unit among the N UNITS,
   or to SIZE_MAX if it has none, or if several fit equally well.  A unit
   belongs to one file at most.  Return false if memory is exhausted.  */
bool unit_pairs_find (const struct input_list *notes,
		      const struct gcov_unit *const *units, size_t n,
		      size_t *pairs);

#endif /* HEAPPROF_UNIT_PAIRS_H */
