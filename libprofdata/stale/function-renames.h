/* Functions that were renamed between two versions of a program.
   SPDX-License-Identifier: GPL-3.0-or-later

   Evidence is that a function that is gone and a new one call the same
   functions in the same order, have code at the same lines, are called at the
   same places of functions that are still there, or have the same name but for
   parameters, classes and namespaces.  */

#ifndef HEAPPROF_FUNCTION_RENAMES_H
#define HEAPPROF_FUNCTION_RENAMES_H

#include "function-outline.h"
#include <stdbool.h>
#include <stdint.h>

/* For every function of BEFORE that is not in AFTER and was renamed, change its
   entry in RENAMED, which has all names, to the new name.  NAMES has the texts
   of both.  Return false if memory is exhausted.  */
bool function_renames_find (uint32_t *renamed,
			    const struct function_outlines *before,
			    const struct function_outlines *after,
			    const struct sample_profile *names);

#endif /* HEAPPROF_FUNCTION_RENAMES_H */
