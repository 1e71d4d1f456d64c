/* Counters of calls in machine-level profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_PROFILE_CALLS_H
#define HEAPPROF_MIP_PROFILE_CALLS_H

#include "mip-raw.h"

/* A counter in a map, a thunk, or an entry for calls from other files;
   addresses are link addresses.  */
struct mip_map_call
{
  uint64_t slot;    /* of the function with the counter */
  uint64_t counter; /* MIP_EDGE_THUNK: SITE is a thunk of the function or, if
		       TARGET is not 0, an entry of the function at TARGET; 0:
		       the call has no counter */
  uint64_t site;    /* 0: the counter is that of all calls of the function */
  /* What is called, if SITE is not 0: an entry, or inside a function, behind
     what counts its calls.  */
  uint64_t target;
  /* Of a function some of whose calls have no counters: its points before and
     after the call.  */
  bool is_flow;
  uint32_t from;
  uint32_t to;
};

/* Add edges without calls for the COUNT counters and thunks at CALLS to MODULE,
   the last one of PROFILE, and flows.  Edges of calls of anything else than the
   functions of MODULE are omitted.  Add to *BYPASSED the number of entries that
   are not of the function that the linker has chosen.  Return false if memory
   is exhausted.  */
bool mip_calls_add_map (struct mip_profile *profile,
			const struct mip_module *module,
			const struct mip_map_call *calls, size_t count,
			size_t *bypassed);

/* The calls in an image.  */
struct mip_call_counts
{
  /* Of each edge of the profile; UINT64_MAX if the image does not have them;
     malloced.  */
  uint64_t *edges;
  /* For each function of the module, how many calls it has not counted itself,
     because a call site did; malloced.  */
  uint64_t *skipping;
};

/* Read the counters of MODULE in IMAGE into *COUNTS, and compute the calls that
   have no counters.  Return false if memory is exhausted.  Release *COUNTS in
   either case.  */
bool mip_call_counts_read (struct mip_call_counts *counts,
			   const struct mip_profile *profile,
			   const struct mip_module *module,
			   const struct mip_raw_image *image);

void mip_call_counts_release (const struct mip_call_counts *counts);

/* Add the calls counted in IMAGE, of which COUNTS was read, WEIGHT times, to
   the edges of MODULE.  Return false if memory is exhausted.  */
bool mip_calls_add_image (struct mip_profile *profile,
			  const struct mip_module *module,
			  const struct mip_raw_image *image,
			  const struct mip_call_counts *counts,
			  uint64_t weight);

#endif /* HEAPPROF_MIP_PROFILE_CALLS_H */
