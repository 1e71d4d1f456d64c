/* What is done to a context-sensitive profile after counting.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_CONTEXT_PASSES_H
#define HEAPPROF_CONTEXT_PASSES_H

#include "context-sizes.h"
#include "preinliner.h"
#include "profile-error.h"
#include "sample-profile.h"
#include <stdbool.h>
#include <stdint.h>

struct context_rules
{
  bool preinlines;	/* decides which calls should be inlined */
  bool nests;		/* writes contexts as inlined functions */
  bool merges_cold;	/* sums up contexts with few samples */
  bool trims_cold;	/* leaves out what has few samples */
  uint32_t cold_frames; /* that contexts with few samples keep, at least 1: the
			   function itself is one */
  bool has_limit;	/* only LIMIT callers count */
  uint32_t limit;
  struct preinline_rules inlining;
};

/* Return what RULES make of *PROFILE, which is freed and set to NULL, unless it
   fails early.  Initializers, many of which share a name, are left out.  SIZES
   are needed if calls are to be inlined.  NULL and *ERR, without a path, on
   failure.  */
struct sample_profile *context_passes_run (struct sample_profile **profile,
					   const struct context_sizes *sizes,
					   const struct context_rules *rules,
					   struct profile_error *err);

#endif /* HEAPPROF_CONTEXT_PASSES_H */
