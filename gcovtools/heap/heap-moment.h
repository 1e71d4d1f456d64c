/* The heap at one moment: what was live at the peak, at the end, or at a mark.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_HEAP_MOMENT_H
#define HEAPPROF_HEAP_MOMENT_H

#include "heap-profile.h"
#include <stdbool.h>
#include <stddef.h>

/* The moments that every profile of this library has.  */
#define HEAP_MOMENT_PEAK "peak"
#define HEAP_MOMENT_END "end"

/* Of live blocks, only those that were lost.  */
#define HEAP_MOMENT_LOST "lost"

/* The row of the option that selects one, in an option table.  */
/* clang-format off */
#define HEAP_MOMENT_ROW(id)                                                   \
  { id, "at", "MOMENT",                                                       \
    "only what was live at MOMENT: peak (the greatest heap\n"                 \
    "of each run), end, lost (at the end, and the program\n"                  \
    "had no pointer to it), or the label of a mark" }
/* clang-format on */

/* Leave only the blocks of PROFILE that were live AT a moment, `peak', `end',
   `lost' or the label of a mark, as blocks of which only the allocation is
   known.  PATH names the profile.  If it does not know the moment, print an
   error and return false.  */
bool heap_moment_select (struct heap_profile *profile, const char *at,
			 const char *path);

#endif /* HEAPPROF_HEAP_MOMENT_H */
