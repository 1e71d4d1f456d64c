/* Edges of a machine-level profile: where functions were called from.
   SPDX-License-Identifier: GPL-3.0-or-later

   A raw file has a record for each place that a function returned to.  The
   caller is the function of the same module whose code contains that place, if
   any.  */

#include "mip-profile-edges.h"
#include "heapprof/mip-format.h"
#include "mip-array.h"
#include "saturating.h"
#include <endian.h>
#include <stdlib.h>
#include <string.h>

/* A code range of a function.  */
struct code_range
{
  uint64_t begin;
  uint64_t bytes;
  uint32_t function;
};

static int
compare_ranges (const void *a, const void *b)
{
  const struct code_range *p = a, *q = b;
  return (p->begin > q->begin) - (p->begin < q->begin);
}

/* Return the code ranges of the functions of MODULE, sorted and malloced, and
   set *COUNT; NULL if memory is exhausted.  */
static struct code_range *
make_ranges (const struct mip_profile *profile, const struct mip_module *module,
	     size_t *count)
{
  struct code_range *ranges
    = calloc (2 * (size_t) module->function_count + 1, sizeof *ranges);
  size_t n = 0;
  for (uint32_t i = 0; ranges != NULL && i < module->function_count; i++)
    {
      uint32_t index = module->first_function + i;
      const struct mip_function *function = &profile->functions[index];
      ranges[n++]
	= (struct code_range){ function->entry, function->code_bytes, index };
      if (function->cold != 0)
	ranges[n++]
	  = (struct code_range){ function->cold, function->cold_bytes, index };
    }
  if (ranges != NULL)
    qsort (ranges, n, sizeof *ranges, compare_ranges);
  *count = n;
  return ranges;
}

/* Return the function whose code contains ADDRESS; MIP_NO_FUNCTION if there is
   none.  */
static uint32_t
find_code (const struct code_range *ranges, size_t count, uint64_t address)
{
  size_t low = 0, high = count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (ranges[middle].begin <= address)
	low = middle + 1;
      else
	high = middle;
    }
  if (low == 0 || address - ranges[low - 1].begin >= ranges[low - 1].bytes)
    return MIP_NO_FUNCTION;
  return ranges[low - 1].function;
}

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

/* Sort the edges, and add up equal ones.  */
static void
combine (struct mip_profile *profile)
{
  size_t n = 0;
  if (profile->edge_count == 0)
    return;
  qsort (profile->edges, profile->edge_count, sizeof *profile->edges,
	 compare_edges);
  for (size_t i = 1; i < profile->edge_count; i++)
    if (compare_edges (&profile->edges[n], &profile->edges[i]) == 0)
      profile->edges[n].calls
	= saturating_add (profile->edges[n].calls, profile->edges[i].calls);
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
  size_t records = chunk->bytes / record_bytes, range_count;
  if (records == 0)
    return true;
  struct code_range *ranges = make_ranges (profile, module, &range_count);
  if (ranges == NULL
      || !growing_array_reserve (&profile->edges, profile->edge_count,
				 &profile->edge_capacity, records,
				 sizeof *profile->edges))
    {
      free (ranges);
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
      uint32_t caller = find_code (ranges, range_count, site - 1);
      profile->edges[profile->edge_count++]
	= (struct mip_edge){ callee, caller,
			     caller == MIP_NO_FUNCTION ? 0 : site,
			     saturating_multiply (calls, weight) };
    }
  free (ranges);
  combine (profile);
  return true;
}

/* Return the index in PROFILE of function INDEX of FROM.  */
static uint32_t
here (const struct mip_profile *profile, const struct mip_profile *from,
      const size_t *places, uint32_t index)
{
  if (index == MIP_NO_FUNCTION)
    return index;
  uint32_t module = from->functions[index].module;
  return index - from->modules[module].first_function
	 + profile->modules[places[module]].first_function;
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
      edge.callee = here (profile, from, places, edge.callee);
      edge.caller = here (profile, from, places, edge.caller);
      profile->edges[profile->edge_count++] = edge;
    }
  profile->lost_calls = saturating_add (profile->lost_calls, from->lost_calls);
  combine (profile);
  return true;
}
