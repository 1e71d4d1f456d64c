/* Merging of heap accesses that share a granule and always happen together.
   SPDX-License-Identifier: GPL-3.0-or-later

   This file merges accesses within a block, before counters are moved out of
   loops.  The first of the merged accesses gets the weight of all.  Afterwards,
   merge-paths.cc merges the remaining accesses across blocks.  */

#include "gcc-compat.h"
#include "heap-access.h"
#include "arguments.h"
#include "merge-region.h"
#include "merge-window.h"

/* Replace memory operations that amount to a few adjacent accesses by
   these.  */
static void
split_ranges (function_accesses *accesses)
{
  auto_vec<heap_access> split;
  bool any = false;

  for (const heap_access &access : accesses->heap)
    any |= access.shape == ACCESS_RANGE;
  if (!any)
    return;
  for (const heap_access &access : accesses->heap)
    if (!split_range (access, &split))
      split.safe_push (access);
  accesses->heap.truncate (0);
  accesses->heap.safe_splice (split);
}

/* True if the function may end between the accesses of the statement AT and
   those of the statement TO.  If TO is in AT's block, it is AT or follows it.
   With whole objects as windows, also true if memory may be freed: programs
   that move a block then add the distance of the two to pointers into it.  */
static bool
may_end_between_p (const function *fun, gimple *at, gimple *to)
{
  if (gimple_bb (at) != gimple_bb (to))
    return true;
  for (gimple_stmt_iterator gsi = gsi_for_stmt (at); gsi_stmt (gsi) != to;
       gsi_next_nondebug (&gsi))
    if (may_not_return_p (fun, gsi_stmt (gsi))
	|| (arguments.totals_only && may_lose_block_p (gsi_stmt (gsi))))
      return true;
  return false;
}

/* A counter update that may get more weight.  */
struct window_update
{
  /* Its window; DATA is the index of its access.  */
  access_window window;
  unsigned n_merged;
  HOST_WIDE_INT lowest_constant;
};

/* Make UPDATE, of ACCESS, count OTHER too, whose window has CONSTANT.  All
   updates through one pointer should use the same address, so use the lowest
   one.  */
static void
merge_access (window_update *update, heap_access *access,
	      const heap_access &other, HOST_WIDE_INT constant)
{
  access->weight += other.weight;
  update->n_merged++;
  if (constant >= update->lowest_constant)
    return;
  tree reference = window_reference (&update->window, constant);
  if (!reference)
    return;
  update->lowest_constant = constant;
  access->reference = reference;
}

static void
dump_merged (const vec<window_update> &updates)
{
  for (const window_update &update : updates)
    if (update.n_merged > 1)
      {
	fprintf (dump_file, "heapprof: merge %u accesses: *", update.n_merged);
	dump_window (&update.window);
      }
}

/* Merge ACCESSES in the same block if the function cannot end between them.  */
static void
merge_in_blocks (function *fun, function_accesses *accesses)
{
  hash_table<access_window_hasher> table (31);
  auto_vec<window_update> updates (accesses->heap.length ());
  gimple *previous = NULL;
  unsigned kept = 0, group = 0;

  for (const heap_access &access : accesses->heap)
    {
      window_update update = {};
      if (previous && may_end_between_p (fun, previous, access.statement))
	group++;
      previous = access.statement;
      if (access.shape == ACCESS_SINGLE && find_window (access, &update.window))
	{
	  update.window.group = group;
	  access_window **slot = table.find_slot (&update.window, INSERT);
	  if (*slot)
	    {
	      window_update *first = (window_update *) *slot;
	      merge_access (first, &accesses->heap[first->window.data], access,
			    update.window.constant);
	      accesses->merged++;
	      continue;
	    }
	  update.window.data = kept;
	  update.n_merged = 1;
	  update.lowest_constant = update.window.constant;
	  *slot = &updates.quick_push (update)->window;
	}
      accesses->heap[kept++] = access;
    }
  accesses->heap.truncate (kept);
  if (dump_file && (dump_flags & TDF_DETAILS))
    dump_merged (updates);
}

void
merge_accesses (function *fun, function_accesses *accesses)
{
  if (!(arguments.coalesce & COALESCE_BLOCK))
    return;
  split_ranges (accesses);
  merge_in_blocks (fun, accesses);
}
