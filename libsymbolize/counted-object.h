/* How many values GCC counts in the functions of an object file.
   SPDX-License-Identifier: GPL-3.0-or-later

   Compiled with -fprofile-generate, a function NAME has a symbol __gcov_.NAME,
   for what identifies it, and for each KIND of counters __gcovKIND.NAME, whose
   size tells how many there are.  */

#ifndef HEAPPROF_COUNTED_OBJECT_H
#define HEAPPROF_COUNTED_OBJECT_H

#include "gcov-fit.h"
#include <stdbool.h>
#include <stddef.h>

/* Set *COUNTS, malloced and sorted, to those of the *N functions of the object
   file PATH; nothing if it cannot be read or its functions have no counters.
   Return false if memory is exhausted.  */
bool counted_object_read (const char *path, struct gcov_value_counts **counts,
			  size_t *n);

#endif /* HEAPPROF_COUNTED_OBJECT_H */
