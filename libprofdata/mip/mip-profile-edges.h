/* From where functions were called, in machine-level profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_PROFILE_EDGES_H
#define HEAPPROF_MIP_PROFILE_EDGES_H

#include "mip-profile.h"

/* Edges as a raw file has them: struct heapprof_mip_edge.  */
struct mip_edge_chunk
{
  const uint8_t *data; /* valid while it is read */
  uint64_t bytes;
  uint64_t address; /* link address */
  uint64_t bias;    /* run-time address minus link address */
  bool big_endian;
};

/* Add the edges of CHUNK, WEIGHT times, to PROFILE, whose module MODULE the
   chunk is of.  Return false if memory is exhausted.  */
bool mip_edges_add_chunk (struct mip_profile *profile, size_t module,
			  const struct mip_edge_chunk *chunk, uint64_t weight);

/* Add the edges of FROM, whose module I is PLACES[I] in PROFILE.  Return false
   if memory is exhausted.  */
bool mip_edges_merge (struct mip_profile *profile,
		      const struct mip_profile *from, const size_t *places);

#endif /* HEAPPROF_MIP_PROFILE_EDGES_H */
