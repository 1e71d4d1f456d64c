/* Virtual tables that promoted calls do not load from any more.
   SPDX-License-Identifier: GPL-3.0-or-later

   Where the compiler has put a comparison with a virtual table, samples of
   loads lack that table, or all.  Which way the jump behind the comparison goes
   says how many objects have it, and how many do not: those are divided among
   the tables that the call is still seen to load from.  */

#ifndef HEAPPROF_VTABLE_FLOW_H
#define HEAPPROF_VTABLE_FLOW_H

#include "image-list.h"
#include "sample-profile.h"
#include "sampled-code.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How often a site was passed by objects with its table or function, and by
   others.  */
struct vtable_flow
{
  uint64_t same;
  uint64_t other;
};

/* Make a flow for each site of IMAGE, numbered NUMBER, from CODE, whose pairs
   are lists: exact by ranges, or estimated by sampled addresses if there are
   none. Malloced; NULL if memory is exhausted.  */
struct vtable_flow *vtable_flow_count (const struct image *image,
				       uint32_t number,
				       const struct sampled_code *code);

/* What is known of a promoted call.  */
struct promoted_call
{
  struct sample_function *function;
  struct sample_location location;
  uint32_t table; /* number of its name; SAMPLE_NO_NAME if the
		     function is compared */
  uint64_t same;  /* objects that have it */
  uint64_t rest;  /* objects that have none that is compared with */
};

/* Put the counts of the COUNT calls at CALLS, which are sorted here, into
   PROFILE, which has the loads.  False if memory is exhausted.  */
bool vtable_flow_apply (struct sample_profile *profile,
			struct promoted_call *calls, size_t count);

#endif /* HEAPPROF_VTABLE_FLOW_H */
