/* Which functions of a newer version of a program are which of the older one.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_FIT_FUNCTIONS_H
#define HEAPPROF_FIT_FUNCTIONS_H

#include "fit-lists.h"

/* List the functions of the N units of BEFORE and the M units of AFTER, and
   find out which are the same.  Return false if memory is exhausted; release
   FUNCTIONS with fit_lists_release in any case.  */
bool fit_functions_find (struct fit_functions *functions,
			 const struct gcov_fit_before *before, size_t n,
			 const struct gcov_fit_after *after, size_t m);

#endif /* HEAPPROF_FIT_FUNCTIONS_H */
