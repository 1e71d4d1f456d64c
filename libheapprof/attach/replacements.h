/* The functions that replace the program's while the library is attached.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Each calls the original.  While the library is not attached they do nothing
   else: the program may have read their addresses, and keeps them.  */

#ifndef HEAPPROF_REPLACEMENTS_H
#define HEAPPROF_REPLACEMENTS_H

#include <stdbool.h>
#include <stddef.h>

/* Find the functions that they replace.  Return false if the program has no
   malloc and free that can be found.  */
bool rt_attach_find_all (void);

/* Redirect the calls of all modules, also of those that were loaded since the
   last time; return how many.  */
size_t rt_attach_redirect_all (void);

/* Take that back.  */
size_t rt_attach_restore_all (void);

/* Let calls be observed, or not.  */
void rt_attach_observe (bool observes);

#endif /* HEAPPROF_REPLACEMENTS_H */
