/* Counters of calls in machine-level profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each counter of a map becomes an edge without calls, which has the counter's
   address, so a profile can be made from raw files without the map.  A function
   counts its calls, except those from sites that call it behind the
   instructions that count.  The others that no call site has counted came from
   outside.  Calls without a counter are computed from those of their function
   (mip-flows.h).  */

#include "mip-profile-calls.h"
#include "heapprof/mip-format.h"
#include "mip-array.h"
#include "mip-code.h"
#include "mip-flows.h"
#include "mip-profile-edges.h"
#include "saturating.h"
#include <stdlib.h>
#include <string.h>

static int
compare_slot (const void *key, const void *element)
{
  uint64_t slot = *(const uint64_t *) key;
  const struct mip_function *function = element;
  return (slot > function->slot) - (slot < function->slot);
}

/* Return the function of MODULE with SLOT; MIP_NO_FUNCTION if there is none. */
static uint32_t
find_slot (const struct mip_profile *profile, const struct mip_module *module,
	   uint64_t slot)
{
  const struct mip_function *function
    = bsearch (&slot, profile->functions + module->first_function,
	       module->function_count, sizeof *function, compare_slot);
  return function != NULL ? (uint32_t) (function - profile->functions)
			  : MIP_NO_FUNCTION;
}

/* Add EDGE, for which there is room, unless its function is unknown.  */
static void
push (struct mip_profile *profile, const struct mip_edge *edge)
{
  if (edge->callee != MIP_NO_FUNCTION)
    profile->edges[profile->edge_count++] = *edge;
}

/* Add the direct calls at CALLS, whose targets are looked up in ENTRIES or, if
   they skip the function's counter, in CODE.  */
static void
add_direct (struct mip_profile *profile, const struct mip_module *module,
	    const struct mip_code *entries, const struct mip_code *code,
	    const struct mip_map_call *calls, size_t count)
{
  for (size_t i = 0; i < count; i++)
    {
      const struct mip_map_call *call = &calls[i];
      struct mip_edge edge
	= { .callee = mip_code_find (entries, call->target),
	    .caller = find_slot (profile, module, call->slot),
	    .site = call->site,
	    .counter = call->counter };
      if (edge.callee == MIP_NO_FUNCTION)
	{
	  edge.callee = mip_code_find (code, call->target);
	  edge.counter |= MIP_EDGE_SKIPS;
	}
      if (call->site != 0 && call->counter != MIP_EDGE_THUNK
	  && edge.caller != MIP_NO_FUNCTION)
	push (profile, &edge);
    }
}

/* Add the flows among the calls at CALLS.  */
static void
add_flows (struct mip_profile *profile, const struct mip_module *module,
	   const struct mip_map_call *calls, size_t count)
{
  for (size_t i = 0; i < count; i++)
    {
      const struct mip_map_call *call = &calls[i];
      const struct mip_flow flow
	= { .caller = find_slot (profile, module, call->slot),
	    .from = call->from,
	    .to = call->to,
	    .site = call->site,
	    .counter = call->counter };
      if (call->is_flow && flow.caller != MIP_NO_FUNCTION)
	profile->flows[profile->flow_count++] = flow;
    }
  mip_flows_combine (profile);
}

/* True if CALL is an entry for calls from other files.  */
static bool
is_entry (const struct mip_map_call *call)
{
  return call->counter == MIP_EDGE_THUNK && call->target != 0;
}

/* Of the entries among the calls at CALLS, make those that are not in a
   function, and jump to one that counts its calls, thunks of this function.
   ENTRIES has functions, CODE their code.  Add to *BYPASSED the number of the
   others that are not in the function that has their name.  */
static void
add_entries (struct mip_profile *profile, const struct mip_code *entries,
	     const struct mip_code *code, const struct mip_map_call *calls,
	     size_t count, size_t *bypassed)
{
  for (size_t i = 0; i < count; i++)
    {
      const struct mip_map_call *call = &calls[i];
      if (!is_entry (call))
	continue;
      uint32_t function = mip_code_find (entries, call->target);
      uint32_t owner = mip_code_find (code, call->site);
      struct mip_edge edge = { .callee = function,
			       .caller = MIP_NO_FUNCTION,
			       .site = call->site,
			       .counter = MIP_EDGE_THUNK };
      if (owner == MIP_NO_FUNCTION)
	push (profile, &edge);
      else if (owner != function)
	++*bypassed;
    }
}

bool
mip_calls_add_map (struct mip_profile *profile, const struct mip_module *module,
		   const struct mip_map_call *calls, size_t count,
		   size_t *bypassed)
{
  struct mip_code entries = { 0 }, code = { 0 };
  if (!growing_array_reserve (&profile->edges, profile->edge_count,
			      &profile->edge_capacity, count,
			      sizeof *profile->edges)
      || !growing_array_reserve (&profile->flows, profile->flow_count,
				 &profile->flow_capacity, count,
				 sizeof *profile->flows))
    return false;
  for (size_t i = 0; i < count; i++)
    {
      struct mip_edge edge
	= { .callee = find_slot (profile, module, calls[i].slot),
	    .caller = MIP_NO_FUNCTION,
	    .site = calls[i].site,
	    .counter = calls[i].counter };
      if (calls[i].site == 0
	  || (calls[i].counter == MIP_EDGE_THUNK && !is_entry (&calls[i])))
	push (profile, &edge);
    }
  bool is_done = mip_code_init_entries (&entries, profile, module)
		 && mip_code_init (&code, profile, module);
  if (is_done)
    {
      add_entries (profile, &entries, &code, calls, count, bypassed);
      mip_edges_combine (profile);
      mip_code_release (&entries);
      is_done = mip_code_init_entries (&entries, profile, module);
    }
  if (is_done)
    {
      add_direct (profile, module, &entries, &code, calls, count);
      mip_edges_combine (profile);
      add_flows (profile, module, calls, count);
    }
  mip_code_release (&code);
  mip_code_release (&entries);
  return is_done;
}

/* An image whose calls are added.  */
struct calls_adding
{
  struct mip_profile *profile;
  const struct mip_module *module;
  const struct mip_raw_image *image;
  const struct mip_call_counts *counts;
  size_t edge_count; /* of the counts */
  uint64_t weight;
  /* Calls that each function of the module has counted and a call site,
     too; malloced.  */
  uint64_t *known;
  struct mip_code code;
  struct mip_code entries;
};

/* Return true if IMAGE has the counter at ADDRESS; set *VALUE to its value.  */
static bool
read_address (const struct mip_raw_image *image, uint64_t address,
	      uint64_t *value)
{
  const struct mip_raw_chunk *chunk
    = address != 0
	? mip_raw_find_chunk (image, HEAPPROF_MIP_CALLS, address, sizeof *value)
	: NULL;
  if (chunk == NULL)
    return false;
  *value = mip_raw_u64 (image, chunk->data + (address - chunk->address));
  return true;
}

/* Return true if EDGE is of MODULE and has a counter; set *VALUE to its value
   in IMAGE.  */
static bool
read_counter (const struct mip_module *module,
	      const struct mip_raw_image *image, const struct mip_edge *edge,
	      uint64_t *value)
{
  uint64_t address
    = edge->counter & ~(uint64_t) (MIP_EDGE_THUNK | MIP_EDGE_SKIPS);
  return edge->callee - module->first_function < module->function_count
	 && read_address (image, address, value);
}

/* Add CALLS to the calls of CALLEE that it has not counted, if EDGE is such. */
static void
add_skipping (const struct mip_call_counts *counts,
	      const struct mip_module *module, const struct mip_edge *edge,
	      uint64_t calls)
{
  if ((edge->counter & MIP_EDGE_SKIPS) == 0)
    return;
  uint64_t *sum = &counts->skipping[edge->callee - module->first_function];
  *sum = saturating_add (*sum, calls);
}

/* Set the calls of the edges in COUNTS that have no counters.  RUNS has the
   calls that functions have counted themselves, FLOWS room for the calls of
   each flow.  Return false if memory is exhausted.  */
static bool
compute_calls (const struct mip_call_counts *counts,
	       const struct mip_profile *profile,
	       const struct mip_module *module,
	       const struct mip_raw_image *image, uint64_t *runs,
	       uint64_t *flows)
{
  size_t first, count;
  bool is_done;
  mip_flows_of_module (profile, module, &first, &count);
  for (size_t i = 0; i < count; i++)
    read_address (image, profile->flows[first + i].counter, &flows[i]);
  for (uint32_t i = 0; i < module->function_count; i++)
    runs[i] = saturating_add (runs[i], counts->skipping[i]);
  if (!mip_flows_solve (profile, module, flows, runs, &is_done))
    return false;
  for (size_t i = 0; i < profile->edge_count && is_done; i++)
    {
      const struct mip_edge *edge = &profile->edges[i];
      size_t flow = (edge->counter & ~(uint64_t) MIP_EDGE_SKIPS) == 0
		      ? mip_flows_find (profile, edge)
		      : SIZE_MAX;
      if (flow - first >= count
	  || edge->callee - module->first_function >= module->function_count)
	continue;
      counts->edges[i] = flows[flow - first];
      add_skipping (counts, module, edge, counts->edges[i]);
    }
  return true;
}

/* Read the counters.  Set RUNS to the calls that functions have counted.  */
static void
read_calls (const struct mip_call_counts *counts,
	    const struct mip_profile *profile, const struct mip_module *module,
	    const struct mip_raw_image *image, uint64_t *runs)
{
  for (size_t i = 0; i < profile->edge_count; i++)
    {
      const struct mip_edge *edge = &profile->edges[i];
      uint64_t calls;
      counts->edges[i] = UINT64_MAX;
      if (!read_counter (module, image, edge, &calls))
	continue;
      counts->edges[i] = calls;
      if (edge->site == 0)
	runs[edge->callee - module->first_function] = calls;
      else
	add_skipping (counts, module, edge, calls);
    }
}

/* Calls of a function that counts calls, but has counted none, went to another
   function of its name, in another module.  Set them to 0.  Return false if
   memory is exhausted.  */
static bool
drop_interposed (const struct mip_call_counts *counts,
		 const struct mip_profile *profile,
		 const struct mip_module *module)
{
  bool *is_silent
    = calloc (module->function_count + (size_t) 1, sizeof *is_silent);
  if (is_silent == NULL)
    return false;
  for (size_t i = 0; i < profile->edge_count; i++)
    if (counts->edges[i] == 0 && profile->edges[i].site == 0)
      is_silent[profile->edges[i].callee - module->first_function] = true;
  for (size_t i = 0; i < profile->edge_count; i++)
    {
      const struct mip_edge *edge = &profile->edges[i];
      if (counts->edges[i] != UINT64_MAX && edge->site != 0
	  && (edge->counter & MIP_EDGE_SKIPS) == 0
	  && is_silent[edge->callee - module->first_function])
	counts->edges[i] = 0;
    }
  free (is_silent);
  return true;
}

bool
mip_call_counts_read (struct mip_call_counts *counts,
		      const struct mip_profile *profile,
		      const struct mip_module *module,
		      const struct mip_raw_image *image)
{
  size_t functions = module->function_count + (size_t) 1;
  uint64_t *runs = calloc (functions, sizeof *runs);
  uint64_t *flows = calloc (profile->flow_count + 1, sizeof *flows);
  counts->edges = calloc (profile->edge_count + 1, sizeof *counts->edges);
  counts->skipping = calloc (functions, sizeof *counts->skipping);
  bool is_done = runs != NULL && flows != NULL && counts->edges != NULL
		 && counts->skipping != NULL;
  if (is_done)
    {
      read_calls (counts, profile, module, image, runs);
      is_done = compute_calls (counts, profile, module, image, runs, flows)
		&& drop_interposed (counts, profile, module);
    }
  free (flows);
  free (runs);
  return is_done;
}

void
mip_call_counts_release (const struct mip_call_counts *counts)
{
  free (counts->edges);
  free (counts->skipping);
}

/* Note that CALLS calls of function CALLEE are counted.  */
static void
note (const struct calls_adding *adding, uint32_t callee, uint64_t calls)
{
  uint64_t *known = &adding->known[callee - adding->module->first_function];
  *known = saturating_add (*known, calls);
}

/* Add CALLS to EDGE.  */
static void
add_calls (const struct calls_adding *adding, struct mip_edge *edge,
	   uint64_t calls)
{
  edge->calls
    = saturating_add (edge->calls, saturating_multiply (calls, adding->weight));
}

static void
add_direct_calls (const struct calls_adding *adding)
{
  for (size_t i = 0; i < adding->profile->edge_count; i++)
    {
      struct mip_edge *edge = &adding->profile->edges[i];
      uint64_t calls = adding->counts->edges[i];
      if (edge->site == 0 || calls == UINT64_MAX)
	continue;
      if ((edge->counter & MIP_EDGE_SKIPS) == 0)
	note (adding, edge->callee, calls);
      add_calls (adding, edge, calls);
    }
}

static void
add_lost (const struct calls_adding *adding, uint64_t calls)
{
  struct mip_profile *profile = adding->profile;
  profile->lost_calls
    = saturating_add (profile->lost_calls,
		      saturating_multiply (calls, adding->weight));
}

/* Add the record of calls through a pointer at DATA.  There is room for an
   edge.  */
static void
add_pointer_calls (const struct calls_adding *adding, const uint8_t *data)
{
  const struct mip_raw_image *image = adding->image;
  uint64_t site
    = mip_raw_u64 (image, data
			    + offsetof (struct heapprof_mip_pointer_calls,
					return_address));
  uint64_t target
    = mip_raw_u64 (image,
		   data + offsetof (struct heapprof_mip_pointer_calls, target));
  uint64_t calls
    = mip_raw_u64 (image,
		   data + offsetof (struct heapprof_mip_pointer_calls, calls));
  struct mip_edge edge
    = { .callee = mip_code_find (&adding->entries, target - image->bias) };
  if (edge.callee == MIP_NO_FUNCTION)
    return;
  note (adding, edge.callee, calls);
  if (site == 0)
    {
      add_lost (adding, calls);
      return;
    }
  edge.site = site - image->bias;
  /* The call is the instruction before the site, and may be the last one of its
     function.  */
  edge.caller = mip_code_find (&adding->code, edge.site - 1);
  if (edge.caller == MIP_NO_FUNCTION)
    edge.site = 0;
  add_calls (adding, &edge, calls);
  push (adding->profile, &edge);
}

/* Add the calls that no call site has counted.  */
static void
add_calls_from_outside (const struct calls_adding *adding)
{
  for (size_t i = 0; i < adding->profile->edge_count; i++)
    {
      struct mip_edge *edge = &adding->profile->edges[i];
      uint64_t calls = edge->site == 0 && i < adding->edge_count
			 ? adding->counts->edges[i]
			 : UINT64_MAX;
      if (calls == UINT64_MAX)
	continue;
      uint64_t known
	= adding->known[edge->callee - adding->module->first_function];
      if (calls > known)
	add_calls (adding, edge, calls - known);
    }
}

/* Add the calls of CHUNK, which are through pointers, and then all others.  */
static bool
add_all (struct calls_adding *adding, const struct mip_raw_chunk *chunk)
{
  struct mip_profile *profile = adding->profile;
  const size_t record_bytes = sizeof (struct heapprof_mip_pointer_calls);
  size_t records = chunk->bytes / record_bytes;
  if (!growing_array_reserve (&profile->edges, profile->edge_count,
			      &profile->edge_capacity, records,
			      sizeof *profile->edges))
    return false;
  add_direct_calls (adding);
  for (size_t i = 1; i < records; i++)
    add_pointer_calls (adding, chunk->data + i * record_bytes);
  if (records > 0)
    add_lost (adding,
	      mip_raw_u64 (adding->image,
			   chunk->data
			     + offsetof (struct heapprof_mip_pointer_calls,
					 calls)));
  add_calls_from_outside (adding);
  mip_edges_combine (profile);
  return true;
}

bool
mip_calls_add_image (struct mip_profile *profile,
		     const struct mip_module *module,
		     const struct mip_raw_image *image,
		     const struct mip_call_counts *counts, uint64_t weight)
{
  struct calls_adding adding = { .profile = profile,
				 .module = module,
				 .image = image,
				 .counts = counts,
				 .edge_count = profile->edge_count,
				 .weight = weight };
  const struct mip_raw_chunk *chunk = NULL;
  for (uint32_t i = 0; i < image->chunk_count; i++)
    if (image->chunks[i].kind == HEAPPROF_MIP_POINTER_CALLS)
      chunk = &image->chunks[i];
  /* Without calls through pointers it is unknown which calls came from
     outside.  */
  if (chunk == NULL)
    return true;
  adding.known
    = calloc (module->function_count + (size_t) 1, sizeof *adding.known);
  bool is_done = adding.known != NULL
		 && mip_code_init (&adding.code, profile, module)
		 && mip_code_init_entries (&adding.entries, profile, module)
		 && add_all (&adding, chunk);
  mip_code_release (&adding.entries);
  mip_code_release (&adding.code);
  free (adding.known);
  return is_done;
}
