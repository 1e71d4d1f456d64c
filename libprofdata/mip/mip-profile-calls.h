/* Counters of calls in machine-level profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_PROFILE_CALLS_H
#define HEAPPROF_MIP_PROFILE_CALLS_H

#include "mip-raw.h"

/* A counter in a map, or a thunk; addresses are link addresses.  */
struct mip_map_call
{
  uint64_t slot;    /* of the function with the counter */
  uint64_t counter; /* MIP_EDGE_THUNK: SITE is a thunk of the function */
  uint64_t site;    /* 0: the counter is that of all calls of the function */
  /* What is called, if SITE is not 0: an entry, or inside a function, behind
     what counts its calls.  */
  uint64_t target;
};

/* Add edges without calls for the COUNT counters and thunks at CALLS to MODULE,
   the last one of PROFILE.  Calls of anything else than the functions of MODULE
   are omitted.  Return false if memory is exhausted.  */
bool mip_calls_add_map (struct mip_profile *profile,
			const struct mip_module *module,
			const struct mip_map_call *calls, size_t count);

/* Return, for each function of MODULE, how many calls it has not counted itself
   in IMAGE, because a call site did; malloced, NULL if memory is exhausted.  */
uint64_t *mip_calls_read_skipping (const struct mip_profile *profile,
				   const struct mip_module *module,
				   const struct mip_raw_image *image);

/* Add the calls counted in IMAGE, WEIGHT times, to the edges of MODULE.  Return
   false if memory is exhausted.  */
bool mip_calls_add_image (struct mip_profile *profile,
			  const struct mip_module *module,
			  const struct mip_raw_image *image, uint64_t weight);

#endif /* HEAPPROF_MIP_PROFILE_CALLS_H */
