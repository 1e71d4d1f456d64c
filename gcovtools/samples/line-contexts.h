/* Counting of lines by calling context.
   SPDX-License-Identifier: GPL-3.0-or-later

   The rules are those of llvm-profgen (doc/pseudo-probes.md).  */

#ifndef HEAPPROF_LINE_CONTEXTS_H
#define HEAPPROF_LINE_CONTEXTS_H

#include "profile-error.h"
#include "sampled-functions.h"
#include "stack-unwinder.h"
#include <stdbool.h>

/* Add STACKS, which are sorted and whose contexts are paths, to the profile of
   FUNCTIONS.  Return false and set *ERR on failure.  */
bool line_contexts_add (const struct sampled_functions *functions,
			const struct stack_counts *stacks,
			struct profile_error *err);

/* Complete PROFILE, to which all stacks were added by OPTIONS: no branch is the
   call of an inlined function, so its calls are counted in the caller by what
   ran first; and a location ran as often as its calls.  Return false if memory
   is exhausted.  */
bool line_contexts_finish (struct sample_profile *profile,
			   const struct sample_builder_options *options);

#endif /* HEAPPROF_LINE_CONTEXTS_H */
