/* Edges of a machine-level profile: where functions were called from.
   SPDX-License-Identifier: GPL-3.0-or-later

   A raw file has a record for each place that a function returned to.  The
   caller is the function of the same module whose code contains that place, if
   any.  */

#include "mip-profile-edges.h"
#include "heapprof/mip-format.h"
#include "mip-array.h"
#include "mip-code.h"
#include "saturating.h"
#include <endian.h>
#include <stdlib.h>
#include <string.h>

/* Return the function of MODULE whose slot is at ADDRESS modulo 2^32;
   MIP_NO_FUNCTION if there is none.  Functions are sorted by slot, and slots of
   one module are less than 2^32 apart.  */
static uint32_t
find_slot (const struct mip_profile *profile, const struct mip_module *module,
	   uint32_t address)
{
  const struct mip_function *functions
    = profile->functions + module->first_function;
  uint32_t low = 0, high = module->function_count;
  if (high == 0)
    return MIP_NO_FUNCTION;
  uint64_t base = functions[0].slot;
  uint64_t wanted = base + (uint32_t) (address - (uint32_t) base);
  while (low < high)
    {
      uint32_t middle = low + (high - low) / 2;
      if (functions[middle].slot < wanted)
	low = middle + 1;
      else
	high = middle;
    }
  if (low == module->function_count || functions[low].slot != wanted)
    return MIP_NO_FUNCTION;
  return module->first_function + low;
}

static int
compare_edges (const void *a, const void *b)
{
  const struct mip_edge *p = a, *q = b;
  if (p->callee != q->callee)
    return p->callee < q->callee ? -1 : 1;
  if (p->caller != q->caller)
    return p->caller < q->caller ? -1 : 1;
  return (p->site > q->site) - (p->site < q->site);
}

void
mip_edges_combine (struct mip_profile *profile)
{
  size_t n = 0;
  if (profile->edge_count == 0)
    return;
  qsort (profile->edges, profile->edge_count, sizeof *profile->edges,
	 compare_edges);
  for (size_t i = 1; i < profile->edge_count; i++)
    if (compare_edges (&profile->edges[n], &profile->edges[i]) == 0)
      {
	struct mip_edge *edge = &profile->edges[n];
	edge->calls = saturating_add (edge->calls, profile->edges[i].calls);
	if (edge->counter == 0)
	  edge->counter = profile->edges[i].counter;
      }
    else
      profile->edges[++n] = profile->edges[i];
  profile->edge_count = n + 1;
}

static uint64_t
read_u64 (const struct mip_edge_chunk *chunk, const uint8_t *data)
{
  uint64_t value;
  memcpy (&value, data, sizeof value);
  return chunk->big_endian ? be64toh (value) : le64toh (value);
}

static uint32_t
read_u32 (const struct mip_edge_chunk *chunk, const uint8_t *data)
{
  uint32_t value;
  memcpy (&value, data, sizeof value);
  return chunk->big_endian ? be32toh (value) : le32toh (value);
}

bool
mip_edges_add_chunk (struct mip_profile *profile, size_t module_number,
		     const struct mip_edge_chunk *chunk, uint64_t weight)
{
  const struct mip_module *module = &profile->modules[module_number];
  const size_t record_bytes = sizeof (struct heapprof_mip_edge);
  size_t records = chunk->bytes / record_bytes;
  if (records == 0)
    return true;
  struct mip_code code;
  if (!mip_code_init (&code, profile, module)
      || !growing_array_reserve (&profile->edges, profile->edge_count,
				 &profile->edge_capacity, records,
				 sizeof *profile->edges))
    {
      mip_code_release (&code);
      return false;
    }
  uint64_t all
    = read_u64 (chunk,
		chunk->data + offsetof (struct heapprof_mip_edge, calls));
  if (all > records - 1)
    profile->lost_calls
      = saturating_add (profile->lost_calls, all - (records - 1));
  for (size_t i = 1; i < records; i++)
    {
      const uint8_t *data = chunk->data + i * record_bytes;
      uint64_t site = read_u64 (chunk, data) - chunk->bias;
      uint32_t slot
	= read_u32 (chunk, data + offsetof (struct heapprof_mip_edge, slot));
      uint64_t calls
	= read_u64 (chunk, data + offsetof (struct heapprof_mip_edge, calls));
      uint32_t callee
	= find_slot (profile, module, (uint32_t) chunk->address + slot);
      if (callee == MIP_NO_FUNCTION)
	continue;
      /* The call is the instruction before SITE, and may be the last one of its
	 function.  */
      uint32_t caller = mip_code_find (&code, site - 1);
      profile->edges[profile->edge_count++]
	= (struct mip_edge){ callee, caller,
			     caller == MIP_NO_FUNCTION ? 0 : site,
			     saturating_multiply (calls, weight), 0 };
    }
  mip_code_release (&code);
  mip_edges_combine (profile);
  return true;
}

bool
mip_edges_merge (struct mip_profile *profile, const struct mip_profile *from,
		 const size_t *places)
{
  if (!growing_array_reserve (&profile->edges, profile->edge_count,
			      &profile->edge_capacity, from->edge_count,
			      sizeof *profile->edges))
    return false;
  for (size_t i = 0; i < from->edge_count; i++)
    {
      struct mip_edge edge = from->edges[i];
      edge.callee = mip_function_here (profile, from, places, edge.callee);
      edge.caller = mip_function_here (profile, from, places, edge.caller);
      profile->edges[profile->edge_count++] = edge;
    }
  profile->lost_calls = saturating_add (profile->lost_calls, from->lost_calls);
  mip_edges_combine (profile);
  return true;
}
