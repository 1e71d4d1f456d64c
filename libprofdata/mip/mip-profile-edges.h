/* Edges of machine-level profiles: where functions were called from.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_PROFILE_EDGES_H
#define HEAPPROF_MIP_PROFILE_EDGES_H

#include "mip-profile.h"

/* Sort the edges of PROFILE, and add up equal ones.  */
void mip_edges_combine (struct mip_profile *profile);

/* Edges in a raw file: struct heapprof_mip_edge.  */
struct mip_edge_chunk
{
  const uint8_t *data; /* valid during the call */
  uint64_t bytes;
  uint64_t address; /* link address */
  uint64_t bias;    /* run-time address minus link address */
  bool big_endian;
};

/* Add the edges of CHUNK, WEIGHT times, to PROFILE, in which they belong to
   module MODULE.  Return false if memory is exhausted.  */
bool mip_edges_add_chunk (struct mip_profile *profile, size_t module,
			  const struct mip_edge_chunk *chunk, uint64_t weight);

/* Return the index in PROFILE of function INDEX of FROM, whose module I is
   module PLACES[I] of PROFILE.  */
static inline uint32_t
mip_function_here (const struct mip_profile *profile,
		   const struct mip_profile *from, const size_t *places,
		   uint32_t index)
{
  if (index == MIP_NO_FUNCTION)
    return index;
  uint32_t module = from->functions[index].module;
  return index - from->modules[module].first_function
	 + profile->modules[places[module]].first_function;
}

/* Add the edges of FROM, whose module I is module PLACES[I] of PROFILE.  Return
   false if memory is exhausted.  */
bool mip_edges_merge (struct mip_profile *profile,
		      const struct mip_profile *from, const size_t *places);

#endif /* HEAPPROF_MIP_PROFILE_EDGES_H */
