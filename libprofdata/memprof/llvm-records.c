/* LLVM's view of a heap profile: the records of functions.
   SPDX-License-Identifier: GPL-3.0-or-later

   Every stack is a node of one tree (llvm-tree.h), and equal stacks share a
   node.  The nodes that stacks need are numbered in preorder, and the stacks in
   the order of their nodes.  Two passes over the stacks in this order first
   count and then fill the lists of each function.  */

#include "llvm-records-parts.h"
#include "heap-detail-tables.h"
#include "large-memory.h"
#include <libiberty/objalloc.h>
#include <stdlib.h>
#include <string.h>

/* Bytes per context, or per node, of arrays allocated at the same time.  */
#define SCRATCH_BYTES 32

/* ---- Lists.  */

/* Lists being counted or filled.  */
struct filling
{
  struct llvm_records *records;
  uint32_t *last_alloc_site; /* by function: last stack entered, so that no
				stack is entered twice where the function is
				inlined into itself */
  uint32_t *last_call_site;
  bool is_counting;
};

static void
enter_alloc_site (struct filling *filling, uint32_t function, uint32_t stack)
{
  struct llvm_records *records = filling->records;
  struct llvm_record *record = &records->records[function];
  if (filling->last_alloc_site[function] == stack)
    return;
  filling->last_alloc_site[function] = stack;
  if (!filling->is_counting)
    {
      /* The lists belong to the records, so they may be modified.  */
      struct llvm_alloc_site *sites
	= (struct llvm_alloc_site *) record->alloc_sites;
      sites[record->alloc_site_count] = (struct llvm_alloc_site){
	stack, llvm_records_info (records, records->stack_nodes[stack])
      };
    }
  record->alloc_site_count++;
}

static void
enter_call_site (struct filling *filling, uint32_t function, uint32_t stack)
{
  struct llvm_record *record = &filling->records->records[function];
  if (filling->last_call_site[function] == stack)
    return;
  filling->last_call_site[function] = stack;
  if (!filling->is_counting)
    {
      struct llvm_call_site *sites
	= (struct llvm_call_site *) record->call_sites;
      sites[record->call_site_count]
	= (struct llvm_call_site){ .stack = stack };
    }
  record->call_site_count++;
}

/* Enter STACK into the records of the functions of its physical frame,
   according to its roles.  */
static void
enter_stack (struct filling *filling, uint32_t stack)
{
  const struct llvm_records *records = filling->records;
  uint32_t node = records->stack_nodes[stack];
  uint8_t role = llvm_records_role (records, node);
  bool is_alloc_site = role & LLVM_HAS_INFO;
  bool is_call_site = role & LLVM_CALL_SITE;
  bool is_inline = true;
  for (uint32_t at = node; is_inline && at != 0; at = records->nodes[at].caller)
    {
      uint32_t frame = records->nodes[at].frame;
      is_inline = records->tree.frames[frame].is_inline;
      if (is_alloc_site)
	enter_alloc_site (filling, records->functions[frame], stack);
      if (is_call_site)
	enter_call_site (filling, records->functions[frame], stack);
      is_call_site |= (role & LLVM_ALLOCATING_CALL) != 0;
    }
}

static void
enter_all (struct filling *filling, const struct llvm_given *given,
	   uint32_t given_count)
{
  struct llvm_records *records = filling->records;
  memset (filling->last_alloc_site, 0xff,
	  records->count * sizeof *filling->last_alloc_site);
  memset (filling->last_call_site, 0xff,
	  records->count * sizeof *filling->last_call_site);
  for (uint32_t i = 0; i < records->stack_count; i++)
    enter_stack (filling, i);
  for (uint32_t i = 0; i < given_count; i++)
    if (given[i].stack != LLVM_NO_STACK)
      enter_call_site (filling, given[i].function, given[i].stack);
}

/* Allocate empty lists for all records, which have been counted.  */
static bool
allocate_sites (struct llvm_records *records)
{
  size_t alloc_sites = 0;
  size_t call_sites = 0;
  for (size_t i = 0; i < records->count; i++)
    {
      alloc_sites += records->records[i].alloc_site_count;
      call_sites += records->records[i].call_site_count;
    }
  records->alloc_sites
    = large_memory_room ((alloc_sites + 1) * sizeof *records->alloc_sites);
  records->call_sites = malloc ((call_sites + 1) * sizeof *records->call_sites);
  if (!records->alloc_sites || !records->call_sites)
    return false;
  alloc_sites = call_sites = 0;
  for (size_t i = 0; i < records->count; i++)
    {
      struct llvm_record *record = &records->records[i];
      record->alloc_sites = &records->alloc_sites[alloc_sites];
      record->call_sites = &records->call_sites[call_sites];
      alloc_sites += record->alloc_site_count;
      call_sites += record->call_site_count;
      record->alloc_site_count = record->call_site_count = 0;
    }
  return true;
}

static bool
fill_lists (struct llvm_records *records, const struct llvm_given *given,
	    uint32_t given_count)
{
  size_t count = records->count + 1;
  struct filling filling
    = { .records = records,
	.last_alloc_site = malloc (count * sizeof *filling.last_alloc_site),
	.last_call_site = malloc (count * sizeof *filling.last_call_site),
	.is_counting = true };
  bool done = filling.last_alloc_site && filling.last_call_site;
  if (done)
    {
      enter_all (&filling, given, given_count);
      done = allocate_sites (records);
      filling.is_counting = false;
    }
  if (done)
    enter_all (&filling, given, given_count);
  free (filling.last_call_site);
  free (filling.last_alloc_site);
  return done;
}

/* ---- Top level.  */

/* Drop empty records, except those that DETAILS lists as call sites without
   frames.  */
static bool
drop_empty_records (struct llvm_records *records,
		    const struct heap_details *details)
{
  bool *is_given = calloc (records->count + 1, sizeof *is_given);
  if (!is_given)
    return false;
  uint32_t given_count = heap_details_call_site_count (details);
  for (uint32_t i = 0; i < given_count; i++)
    {
      const struct heap_call_site *site
	= heap_details_call_site_at (details, i);
      if (site->context == 0)
	is_given[llvm_records_find_function (records, site->function_guid)]
	  = true;
    }
  size_t kept = 0;
  for (size_t i = 0; i < records->count; i++)
    if (records->records[i].alloc_site_count > 0
	|| records->records[i].call_site_count > 0 || is_given[i])
      records->records[kept++] = records->records[i];
  records->count = kept;
  free (is_given);
  return true;
}

struct llvm_records *
llvm_records_begin (const struct heap_profile *profile, bool keep_columns)
{
  struct llvm_records *records = calloc (1, sizeof *records);
  if (!records)
    return NULL;
  scratch_init (&records->scratch,
		((size_t) heap_profile_context_count (profile) + 1)
		  * SCRATCH_BYTES);
  records->callees = objalloc_create ();
  if (records->callees
      && llvm_tree_make (&records->tree, profile, keep_columns,
			 &records->scratch)
      && llvm_stacks_number_nodes (records))
    {
      llvm_tree_drop_contexts (&records->tree);
      if (llvm_stacks_number (records)
	  && llvm_records_make_functions (records,
					  heap_profile_read_details (profile)))
	return records;
    }
  llvm_records_free (records);
  return NULL;
}

bool
llvm_records_fill (struct llvm_records *records,
		   const struct heap_profile *profile)
{
  const struct heap_details *details = heap_profile_read_details (profile);
  uint32_t given_count = heap_details_call_site_count (details);
  struct llvm_given *given = llvm_given_find (records, details);
  bool done = (given && llvm_given_find_affinities (records, details)
	       && fill_lists (records, given, given_count)
	       && llvm_given_finish (records, details, given)
	       && drop_empty_records (records, details));
  free (given);
  return done;
}

struct llvm_records *
llvm_records_make (const struct heap_profile *profile, bool keep_columns)
{
  struct llvm_records *records = llvm_records_begin (profile, keep_columns);
  if (records && llvm_records_fill (records, profile))
    return records;
  llvm_records_free (records);
  return NULL;
}

/* Fill KEEP, by number of the call site.  */
static bool
find_implied (const struct heap_profile *profile, bool *keep)
{
  const struct heap_details *details = heap_profile_read_details (profile);
  struct llvm_records *records = llvm_records_begin (profile, true);
  struct llvm_given *given
    = records ? llvm_given_find (records, details) : NULL;
  bool done = given && fill_lists (records, given, 0);
  uint32_t count = heap_details_call_site_count (details);
  for (uint32_t i = 0; done && i < count; i++)
    keep[i]
      = !llvm_given_is_implied (records, heap_details_call_site_at (details, i),
				&given[i]);
  free (given);
  llvm_records_free (records);
  return done;
}

bool
llvm_records_prune (struct heap_profile *profile)
{
  struct heap_details *details = heap_profile_details (profile);
  uint32_t count = heap_details_call_site_count (details);
  if (count == 0)
    return true;
  bool *keep = calloc (count, sizeof *keep);
  bool done = (keep && find_implied (profile, keep)
	       && heap_details_filter_call_sites (details, keep));
  free (keep);
  return done;
}

void
llvm_records_free (struct llvm_records *records)
{
  if (!records)
    return;
  if (records->callees)
    objalloc_free (records->callees);
  free (records->call_sites);
  free (records->alloc_sites);
  free (records->records);
  free (records->functions);
  free (records->list);
  scratch_free (&records->scratch);
  llvm_tree_free (&records->tree);
  free (records);
}

void
llvm_records_drop_stacks (struct llvm_records *records)
{
  free (records->list);
  scratch_free (&records->scratch);
  records->list = NULL;
  records->stack_nodes = NULL;
  records->tree_nodes = NULL;
  records->nodes = NULL;
  llvm_tree_drop_nodes (&records->tree);
}

struct scratch *
llvm_records_scratch (struct llvm_records *records)
{
  return &records->scratch;
}

size_t
llvm_records_count (const struct llvm_records *records)
{
  return records->count;
}

const struct llvm_record *
llvm_records_get (const struct llvm_records *records, size_t index)
{
  return &records->records[index];
}

size_t
llvm_records_frame_count (const struct llvm_records *records)
{
  return records->tree.frame_count - 1;
}

const struct llvm_frame *
llvm_records_frame (const struct llvm_records *records, uint32_t frame)
{
  return &records->tree.frames[frame + 1];
}

size_t
llvm_records_stack_count (const struct llvm_records *records)
{
  return records->stack_count;
}

const uint32_t *
llvm_records_stack_frames (const struct llvm_records *records, uint32_t stack,
			   size_t *count)
{
  *count = 0;
  for (uint32_t node = records->stack_nodes[stack]; node != 0;
       node = records->nodes[node].caller)
    records->list[(*count)++] = records->nodes[node].frame - 1;
  return records->list;
}

size_t
llvm_records_node_count (const struct llvm_records *records)
{
  return records->node_count;
}

const struct context_node *
llvm_records_nodes (const struct llvm_records *records)
{
  return records->nodes;
}

uint32_t
llvm_records_stack_node (const struct llvm_records *records, uint32_t stack)
{
  return records->stack_nodes[stack];
}

uint64_t
llvm_records_affinity (const struct llvm_records *records, uint32_t i,
		       uint32_t *first, uint32_t *second)
{
  const struct llvm_affinity *affinity = &records->tree.affinities[i];
  *first = affinity->first;
  *second = affinity->second;
  return affinity->lines;
}
