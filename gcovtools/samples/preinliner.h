/* Inline decisions ahead of the compiler.
   SPDX-License-Identifier: GPL-3.0-or-later

   A compiler that inlines a call can use the counts that the callee had in that
   context; all other calls of a function share one copy of its code, and need
   the sum of their counts.  When units are compiled apart, none sees all
   contexts.  So the decisions are made here, by the counts of calls and the
   sizes of code, and contexts that are not inlined are summed up.  */

#ifndef HEAPPROF_PREINLINER_H
#define HEAPPROF_PREINLINER_H

#include "context-sizes.h"
#include "profile-error.h"
#include "sample-profile.h"
#include "sample-summary.h"
#include <stdbool.h>
#include <stdint.h>

/* Sizes are bytes of machine code.  */
struct preinline_rules
{
  uint32_t hot_size;	/* callees of the hottest calls may have 100 times as
			   many, those of others less in proportion to counts */
  uint32_t cold_size;	/* callees of cold calls must be smaller; for all other
			   calls, it is added to the limit */
  uint32_t growth;	/* a function may grow by this factor */
  uint32_t least_limit; /* but at least to this size */
  uint32_t most_limit;	/* and at most to this */
  uint32_t previous;	/* factor for calls that were inlined when it was
			   built */
  bool repeats;		/* inline just what was inlined */
};

#define PREINLINE_DEFAULT_RULES                                                \
  (struct preinline_rules)                                                     \
  {                                                                            \
    .hot_size = 1500, .growth = 12, .least_limit = 100, .most_limit = 50000,   \
    .previous = 100                                                            \
  }

/* Return a profile in which functions of PROFILE have a context only if they
   should be inlined there; the others are summed up without context.  SIZES
   has their code, SUMMARY is that of PROFILE.  PROFILE is used up, but must
   still be freed.  NULL and *ERR, without a path, on failure.  */
struct sample_profile *preinliner_run (struct sample_profile *profile,
				       const struct context_sizes *sizes,
				       const struct preinline_rules *rules,
				       const struct sample_summary *summary,
				       struct profile_error *err);

#endif /* HEAPPROF_PREINLINER_H */
