/* Functions whose names changed, found by their blocks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_FIT_SIMILAR_H
#define HEAPPROF_FIT_SIMILAR_H

#include "fit-keys.h"

/* Find counterparts for functions after that have none: those before that
   differ only in parameters, classes or namespaces; those in the same unit
   whose blocks are similar, between the same neighbours or with enough blocks
   to be sure; and for new functions, those that they were parts of.  KEYS is
   room for keys; UNITS are those after.  Return false if memory is exhausted.
 */
bool fit_similar_take (struct fit_functions *functions, struct fit_keys *keys,
		       const struct gcov_fit_after *units);

#endif /* HEAPPROF_FIT_SIMILAR_H */
