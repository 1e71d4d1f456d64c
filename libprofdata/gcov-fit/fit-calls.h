/* Targets of indirect calls of a function whose source changed.
   SPDX-License-Identifier: GPL-3.0-or-later

   GCC numbers the indirect calls of a function in the order of its blocks, and
   notes do not tell which calls are indirect.  So the targets of a call are
   kept only if all calls up to it are the same as before.  */

#ifndef HEAPPROF_FIT_CALLS_H
#define HEAPPROF_FIT_CALLS_H

#include "block-match.h"
#include "gcov-profile.h"
#include <stdbool.h>

/* Make *INTO the sites of AFTER from the vector CALLS of BEFORE, whose flow is
   solved.  It has at least as many sites as AFTER may have indirect calls, or
   none if no targets are known.  Return false if memory is exhausted; the
   caller clears *INTO in any case.  */
bool fit_calls (struct gcov_vector *into, const struct gcov_vector *calls,
		const struct block_match *match,
		const struct block_graph *before,
		const struct block_graph *after);

#endif /* HEAPPROF_FIT_CALLS_H */
