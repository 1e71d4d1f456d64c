/* Counting of accesses in loops outside the loops.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "heap-access.h"
#include "arguments.h"
#include "counter-emit.h"
#include "loop-count.h"

static void
dump_update (const loop_update &update)
{
  fprintf (dump_file, "heapprof: count %s loop %d: ",
	   update.at_exit ? "at exits of" : "before", update.loop->num);
  print_generic_expr (dump_file, update.weight, TDF_SLIM);
  for (unsigned i = 0; i < update.n_dimensions; i++)
    {
      fprintf (dump_file, " at each of ");
      print_generic_expr (dump_file, update.dimension[i].count, TDF_SLIM);
      fprintf (dump_file, " steps of ");
      print_generic_expr (dump_file,
			  fold_convert (ssizetype, update.dimension[i].step),
			  TDF_SLIM);
    }
  fprintf (dump_file, " from ");
  print_generic_expr (dump_file, update.first, TDF_SLIM);
  fprintf (dump_file, "\n");
}

/* True if the arguments of the plugin allow UPDATE.  */
static bool
update_allowed_p (const loop_update &update)
{
  return arguments.coalesce
	 & (update.n_dimensions ? COALESCE_RANGE : COALESCE_INVARIANT);
}

/* Find the outermost loop before or after which ACCESS can be counted, and
   store the update in *BEST.  Return false if there is none.  */
static bool
plan_update (const heap_access &access, const vec<loop_facts> &facts,
	     loop_update *best)
{
  loop_update update = {};
  bool found = false;

  if (access.shape != ACCESS_SINGLE)
    return false;
  update.access = &access;
  update.block = gimple_bb (access.statement);
  if (!bb_loop_depth (update.block))
    return false;
  update.first = access_address (access);
  update.weight = size_int (access.weight);
  if (!update.first)
    return false;
  *best = update;
  while (hoist_update (&update, facts))
    if (update_allowed_p (update) && update_profitable_p (update))
      {
	*best = update;
	found = true;
      }
  update = *best;
  if (count_until_exit (&update, facts) && update_allowed_p (update))
    {
      *best = update;
      found = true;
    }
  return found;
}

void
count_loop_accesses (function *fun, function_accesses *accesses, tree base)
{
  auto_vec<loop_facts> facts;
  auto_vec<loop_update> updates;
  unsigned kept = 0;

  if (!(arguments.coalesce & COALESCE_LOOP) || !current_loops
      || !scev_initialized_p ()
      || !loops_state_satisfies_p (LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS))
    return;
  find_loop_facts (fun, &facts);
  /* The updates point to the accesses, so do not move these yet.  */
  auto_sbitmap planned (accesses->heap.length ());
  bitmap_clear (planned);
  for (unsigned i = 0; i < accesses->heap.length (); i++)
    {
      loop_update update;
      if (!plan_update (accesses->heap[i], facts, &update))
	continue;
      bitmap_set_bit (planned, i);
      updates.safe_push (update);
    }
  if (updates.is_empty ())
    return;
  join_updates (&updates);
  for (const loop_update &update : updates)
    {
      if (dump_file && (dump_flags & TDF_DETAILS))
	dump_update (update);
      if (!update.at_exit)
	emit_loop_update (update, loop_preheader_edge (update.loop), base);
    }
  emit_exit_updates (fun, updates, base);
  for (unsigned i = 0; i < accesses->heap.length (); i++)
    if (!bitmap_bit_p (planned, i))
      accesses->heap[kept++] = accesses->heap[i];
  accesses->heap.truncate (kept);
  scev_reset ();
}
