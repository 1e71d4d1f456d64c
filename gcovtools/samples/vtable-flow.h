/* Counts of virtual tables that promoted calls no longer load from.
   SPDX-License-Identifier: GPL-3.0-or-later

   Where the compiler inserted a comparison with a virtual table, load samples
   lack that table, or all tables.  The direction of the jump after the
   comparison tells how many objects have the table and how many do not; the
   latter are divided among the tables that the call still loads from.  */

#ifndef HEAPPROF_VTABLE_FLOW_H
#define HEAPPROF_VTABLE_FLOW_H

#include "image-list.h"
#include "sample-profile.h"
#include "sampled-code.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many objects with the table or function of a site passed it, and how many
   others.  */
struct vtable_flow
{
  uint64_t same;
  uint64_t other;
};

/* Make a flow for each site of IMAGE, numbered NUMBER, from CODE, whose pairs
   are lists: exact if there are ranges, otherwise estimated from sampled
   addresses.  Malloced; NULL if memory is exhausted.  */
struct vtable_flow *vtable_flow_count (const struct image *image,
				       uint32_t number,
				       const struct sampled_code *code);

/* The counts of a promoted call.  */
struct promoted_call
{
  struct sample_function *function;
  struct sample_location location;
  uint32_t
    table; /* number of its name; SAMPLE_NO_NAME if the function is compared */
  uint64_t same; /* objects with this table */
  uint64_t rest; /* objects that match no comparison */
};

/* Add the counts of the COUNT calls at CALLS, which get sorted, to PROFILE,
   which has the loads.  Return false if memory is exhausted.  */
bool vtable_flow_apply (struct sample_profile *profile,
			struct promoted_call *calls, size_t count);

#endif /* HEAPPROF_VTABLE_FLOW_H */
