/* Merge heap accesses that share a granule along the paths between blocks.
   SPDX-License-Identifier: GPL-3.0-or-later

   What counts is the sum along each path, from one settled junction to the
   next (merge-graph.h).  Let OWED (j) be the number of accesses to a window
   that were made before junction j and will be counted behind it; less than 0
   if they are counted before they are made; 0 at the settled junction.  Then a
   segment from junction i to j with N accesses has to count

     N + OWED (i) - OWED (j)

   and whatever OWED is, the sum along each path stays the same.  So choose OWED
   such that this is 0 for the segments that run most: those of a maximum
   spanning tree of the graph of junctions.  For example, of

     if (p->kind != K)	       the load of p->kind is counted on both ways,
       return 0;	       on one of them together with that of p->value
     return p->value;

   A segment can update the counter if it accesses the window, so that the
   address is there and valid, or if on all ways to it the window was accessed.
   In all others OWED must not change.  */

#include "gcc-compat.h"
#include "access.h"
#include "arguments.h"
#include "counter-emit.h"
#include "merge-graph.h"
#include "merge-region.h"
#include "merge-window.h"

/* More work than this, in visits of segments and accesses, is not done for one
   function.  */
static const unsigned HOST_WIDE_INT max_visits = 50 * 1000 * 1000;

/* An access whose count can be moved.  */
struct placed_access
{
  unsigned window;
  unsigned segment;
  /* Its index in the vector of accesses.  */
  unsigned access;
  /* The window's constant for this access.  */
  HOST_WIDE_INT constant;
};

/* What is known about a segment while one window is looked at.  */
struct segment_state
{
  /* Accesses that it makes, and that it shall count.  */
  HOST_WIDE_INT made;
  HOST_WIDE_INT counted;
  /* If it makes none: an access that it can take the address from.  */
  const heap_access *model;
};

/* An update where the program makes no access.  */
struct new_update
{
  path_segment segment;
  heap_access model;
};

/* Junctions whose OWED are known relative to each other.  */
struct owed_sets
{
  auto_vec<unsigned> parents;
  /* OWED of the junction less that of its parent.  */
  auto_vec<HOST_WIDE_INT> differences;
};

struct path_merger
{
  function *fun;
  function_accesses *accesses;
  /* Only windows that loops do not change, and moving counts past loops.  */
  bool around_loops;
  path_graph graph;
  owed_sets owed;
  /* By segment.  */
  auto_vec<segment_state> states;
  /* By junction: the window was accessed on all ways to it.  */
  auto_vec<bool> accessed;
  auto_vec<new_update> new_updates;
  /* What an update costs besides being run, in the unit of the profile.  */
  gcov_type update_price;
  unsigned HOST_WIDE_INT visits;
};

/* The accesses of one window in one component of the graph.  */
struct component_accesses
{
  const access_window *window;
  const placed_access *placed;
  unsigned n;
  /* Segments of the component: from BEGIN up to END.  */
  unsigned begin, end;
};

/* The representative of JUNCTION's set.  Set DIFFERENCE to OWED (JUNCTION) -
   OWED (representative).  */
static unsigned
find_owed (owed_sets *sets, unsigned junction, HOST_WIDE_INT *difference)
{
  unsigned representative = junction;
  HOST_WIDE_INT left = 0;

  for (; sets->parents[representative] != representative;
       representative = sets->parents[representative])
    left += sets->differences[representative];
  *difference = left;
  while (junction != representative)
    {
      const unsigned next = sets->parents[junction];
      const HOST_WIDE_INT step = sets->differences[junction];
      sets->parents[junction] = representative;
      sets->differences[junction] = left;
      left -= step;
      junction = next;
    }
  return representative;
}

/* What SEGMENT has to count if it makes MADE accesses.  If that is open
   decide that it be nothing.  */
static HOST_WIDE_INT
settle_segment (owed_sets *sets, const path_segment &segment,
		HOST_WIDE_INT made)
{
  HOST_WIDE_INT owed_in, owed_out;
  const unsigned in = find_owed (sets, segment.in, &owed_in);
  const unsigned out = find_owed (sets, segment.out, &owed_out);

  if (in == out)
    return made + owed_in - owed_out;
  sets->parents[out] = in;
  sets->differences[out] = made + owed_in - owed_out;
  return 0;
}

/* True if new code can be put at the beginning of SEGMENT.  */
static bool
open_segment_p (const path_segment &segment)
{
  if (!segment.block)
    return true;
  gimple_stmt_iterator gsi
    = gsi_start_nondebug_after_labels_bb (segment.block);
  return (segment.is_head
	  && (gsi_end_p (gsi) || !is_gimple_call (gsi_stmt (gsi))
	      || !(gimple_call_flags (gsi_stmt (gsi)) & ECF_RETURNS_TWICE)));
}

/* The one of ACCESSES that surely was made before SEGMENT and whose address
   can be computed there, or NULL.  */
static const heap_access *
find_model (path_merger *merger, const component_accesses &accesses,
	    const path_segment &segment)
{
  basic_block block = segment.block ? segment.block : segment.split_edge->src;

  if (!open_segment_p (segment))
    return NULL;
  for (unsigned i = 0; i < accesses.n; i++)
    {
      const heap_access *access
	= &merger->accesses->heap[accesses.placed[i].access];
      merger->visits++;
      if (dominated_by_p (CDI_DOMINATORS, block, gimple_bb (access->statement))
	  && !contains_abnormal_ssa_name_p (access->reference
					    ? access->reference
					    : access->pointer))
	return access;
    }
  return NULL;
}

/* Take from MERGER->accessed the junctions that segments lead to on which the
   window was not accessed.  Loops take more than one turn.  */
static void
find_accessed (path_merger *merger, const component_accesses &accesses)
{
  bool changed = true;

  while (changed)
    {
      changed = false;
      for (unsigned i = accesses.begin; i < accesses.end; i++)
	{
	  const path_segment &segment = merger->graph.segments[i];
	  if (merger->states[i].made || merger->accessed[segment.in]
	      || !merger->accessed[segment.out])
	    continue;
	  merger->accessed[segment.out] = false;
	  changed = true;
	}
      merger->visits += accesses.end - accesses.begin;
    }
}

/* Fill in the states of the component's segments, which may get new updates if
   ALLOW_NEW.  */
static void
set_up_component (path_merger *merger, const component_accesses &accesses,
		  bool allow_new)
{
  for (unsigned i = accesses.begin; i < accesses.end; i++)
    {
      const path_segment &segment = merger->graph.segments[i];
      merger->states[i] = {};
      merger->accessed[segment.in] = merger->accessed[segment.out] = true;
      merger->owed.parents[segment.in] = segment.in;
      merger->owed.parents[segment.out] = segment.out;
    }
  merger->accessed[settled_junction] = false;
  for (unsigned i = 0; i < accesses.n; i++)
    merger->states[accesses.placed[i].segment].made
      += merger->accesses->heap[accesses.placed[i].access].weight;
  if (!allow_new)
    return;
  find_accessed (merger, accesses);
  for (unsigned i = accesses.begin; i < accesses.end; i++)
    {
      const path_segment &segment = merger->graph.segments[i];
      if (!merger->states[i].made && merger->accessed[segment.in])
	merger->states[i].model = find_model (merger, accesses, segment);
    }
}

/* A segment that can count.  */
struct able_segment
{
  unsigned segment;
  bool makes_accesses;
  gcov_type frequency;
};

/* First those which had better not count.  */
static int
compare_able_segments (const void *left, const void *right)
{
  const able_segment *a = (const able_segment *) left;
  const able_segment *b = (const able_segment *) right;

  if (a->frequency != b->frequency)
    return a->frequency > b->frequency ? -1 : 1;
  if (a->makes_accesses != b->makes_accesses)
    return a->makes_accesses ? 1 : -1;
  return a->segment > b->segment ? -1 : a->segment < b->segment;
}

/* Decide what each segment of the component counts.  Return true if that is
   better than what it makes.  */
static bool
solve_component (path_merger *merger, const component_accesses &accesses)
{
  auto_vec<able_segment> able;
  gcov_type cost = 0, old_cost = 0;

  for (unsigned i = accesses.begin; i < accesses.end; i++)
    {
      const path_segment &segment = merger->graph.segments[i];
      const segment_state &state = merger->states[i];
      if (state.made || state.model)
	able.safe_push ({ i, state.made != 0, segment.frequency });
      else
	settle_segment (&merger->owed, segment, 0);
    }
  able.qsort (compare_able_segments);
  for (const able_segment &next : able)
    {
      segment_state *state = &merger->states[next.segment];
      state->counted
	= settle_segment (&merger->owed, merger->graph.segments[next.segment],
			  state->made);
      if (state->counted < 0)
	return false;
      if (state->made)
	old_cost += next.frequency + merger->update_price;
      if (state->counted)
	cost += next.frequency + merger->update_price;
    }
  return cost < old_cost;
}

/* An update of ACCESSES' window in BLOCK is going to use the address of ACCESS.
   All updates had better use the same one, so take the lowest one at which the
   program surely has made an access then.  */
static void
take_lowest_address (const path_merger *merger,
		     const component_accesses &accesses, basic_block block,
		     heap_access *access)
{
  const placed_access *lowest = NULL;
  tree reference;

  for (unsigned i = 0; i < accesses.n; i++)
    {
      const placed_access *next = &accesses.placed[i];
      gimple *statement = merger->accesses->heap[next->access].statement;
      if ((!lowest || next->constant < lowest->constant)
	  && dominated_by_p (CDI_DOMINATORS, block, gimple_bb (statement)))
	lowest = next;
    }
  reference = (lowest
	       ? window_reference (accesses.window, lowest->constant)
	       : NULL_TREE);
  if (reference)
    access->reference = reference;
}

/* Change the weights of ACCESSES to what solve_component has decided.  */
static void
apply_component (path_merger *merger, const component_accesses &accesses)
{
  for (unsigned i = 0; i < accesses.n; i++)
    {
      heap_access *access = &merger->accesses->heap[accesses.placed[i].access];
      segment_state *state = &merger->states[accesses.placed[i].segment];
      access->weight = state->counted;
      state->counted = 0;
      take_lowest_address (merger, accesses, gimple_bb (access->statement),
			   access);
    }
  for (unsigned i = accesses.begin; i < accesses.end; i++)
    if (merger->states[i].counted)
      {
	new_update update = { merger->graph.segments[i],
			      *merger->states[i].model };
	update.model.weight = merger->states[i].counted;
	take_lowest_address (merger, accesses,
			     gimple_bb (update.model.statement),
			     &update.model);
	merger->new_updates.safe_push (update);
      }
}

/* One line in the dump about ACCESSES.  */
static void
dump_component (const path_merger *merger, const component_accesses &accesses)
{
  unsigned n_updates = 0;

  for (unsigned i = accesses.begin; i < accesses.end; i++)
    n_updates += merger->states[i].counted != 0;
  fprintf (dump_file, "heapprof: merge %u accesses on paths to %u updates: *",
	   accesses.n, n_updates);
  dump_window (accesses.window);
}

static void
merge_component (path_merger *merger, const component_accesses &accesses)
{
  const bool may_grow = !optimize_function_for_size_p (merger->fun);
  bool solved = false;

  merger->visits += accesses.end - accesses.begin + accesses.n * accesses.n;
  if (merger->visits > max_visits)
    return;
  for (int allow_new = may_grow; allow_new >= 0 && !solved; allow_new--)
    {
      set_up_component (merger, accesses, allow_new);
      solved = solve_component (merger, accesses);
    }
  if (!solved)
    return;
  if (dump_file && (dump_flags & TDF_DETAILS))
    dump_component (merger, accesses);
  apply_component (merger, accesses);
}

static int
compare_placed_accesses (const void *left, const void *right)
{
  const placed_access *a = (const placed_access *) left;
  const placed_access *b = (const placed_access *) right;

  if (a->window != b->window)
    return a->window < b->window ? -1 : 1;
  if (a->segment != b->segment)
    return a->segment < b->segment ? -1 : 1;
  return a->access < b->access ? -1 : a->access > b->access;
}

/* Find the segments that the accesses from number FIRST on lie in, all of one
   block; set SEGMENTS to them, -1 where there is none.  Return the number of
   the first access that is not in the block.  */
static unsigned
place_block_accesses (const path_merger *merger, unsigned first,
		      vec<int> *segments)
{
  const vec<heap_access> &heap = merger->accesses->heap;
  basic_block block = gimple_bb (heap[first].statement);
  const int head = merger->graph.heads[block->index];
  const int tail = merger->graph.tails[block->index];
  unsigned next = first, n_at_last_stop = first;
  bool stopped = false;

  for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb (block);
       !gsi_end_p (gsi); gsi_next_nondebug (&gsi))
    {
      for (; next < heap.length () && heap[next].statement == gsi_stmt (gsi);
	   next++)
	segments->quick_push (stopped ? -1 : head);
      if (!stops_path_p (merger->fun, gsi_stmt (gsi)))
	continue;
      stopped = true;
      n_at_last_stop = next;
    }
  if (stopped)
    for (unsigned i = n_at_last_stop; i < next; i++)
      (*segments)[i] = tail;
  for (; next < heap.length () && gimple_bb (heap[next].statement) == block;
       next++)
    segments->quick_push (-1);
  return next;
}

/* True if WINDOW is the same wherever it is accessed, in all iterations of
   loops.  */
static bool
window_outside_loops_p (const access_window &window)
{
  if (window.variable || window.index || window.second_index)
    return false;
  basic_block block = gimple_bb (SSA_NAME_DEF_STMT (window.root));
  return !block || !bb_loop_depth (block);
}

/* List the accesses whose counts can be moved, sorted by window, and the
   windows.  */
static void
place_accesses (const path_merger *merger, vec<placed_access> *placed,
		vec<access_window> *windows)
{
  const unsigned n = merger->accesses->heap.length ();
  hash_table<access_window_hasher> table (31);
  auto_vec<int> segments (n);

  for (unsigned i = 0; i < n;)
    i = place_block_accesses (merger, i, &segments);
  windows->reserve_exact (n);
  for (unsigned i = 0; i < n; i++)
    {
      const heap_access &access = merger->accesses->heap[i];
      access_window window;
      if (segments[i] < 0 || access.shape != ACCESS_SINGLE
	  || !find_window (access, &window)
	  || (merger->around_loops && !window_outside_loops_p (window)))
	continue;
      window.data = windows->length ();
      access_window **slot = table.find_slot (&window, INSERT);
      if (!*slot)
	*slot = windows->quick_push (window);
      placed->safe_push ({ (*slot)->data, (unsigned) segments[i], i,
			   window.constant });
    }
  placed->qsort (compare_placed_accesses);
}

/* Merge what is in PLACED, window by window and component by component.  */
static void
merge_placed_accesses (path_merger *merger, const vec<placed_access> &placed,
		       const vec<access_window> &windows)
{
  const vec<unsigned> &components = merger->graph.components;
  unsigned end, component = 0;

  for (unsigned begin = 0; begin < placed.length (); begin = end)
    {
      const placed_access &first = placed[begin];
      if (begin == 0 || first.window != placed[begin - 1].window)
	component = 0;
      while (components[component + 1] <= first.segment)
	component++;
      for (end = begin + 1; end < placed.length ()
	   && placed[end].window == first.window
	   && placed[end].segment < components[component + 1];)
	end++;
      if (placed[end - 1].segment != first.segment)
	merge_component (merger, { &windows[first.window], &first, end - begin,
				   components[component],
				   components[component + 1] });
    }
}

static void
emit_new_update (const new_update &update, tree base)
{
  const heap_access &model = update.model;
  counter_emitter emitter
    = { NULL, gimple_location (model.statement), base };

  emit_increment (&emitter, emit_address (&emitter, model),
		  size_constant (model.weight));
  if (update.segment.block)
    emit_at_start (&emitter, update.segment.block);
  else
    emit_on_edge (&emitter, update.segment.split_edge);
}

/* Remove accesses that are counted elsewhere.  */
static void
remove_weightless (function_accesses *accesses)
{
  unsigned kept = 0;

  for (const heap_access &access : accesses->heap)
    if (access.weight || access.shape != ACCESS_SINGLE)
      accesses->heap[kept++] = access;
  accesses->merged += accesses->heap.length () - kept;
  accesses->heap.truncate (kept);
}

/* Merge what is worth it.  Add to NEW_UPDATES what is to be emitted.  */
static void
merge_on_graph (function *fun, function_accesses *accesses, bool around_loops,
		vec<new_update> *new_updates)
{
  path_merger merger = {};
  auto_vec<placed_access> placed;
  auto_vec<access_window> windows;

  merger.fun = fun;
  merger.accesses = accesses;
  merger.around_loops = around_loops;
  build_path_graph (fun, around_loops, &merger.graph);
  merger.owed.parents.safe_grow_cleared (merger.graph.n_junctions);
  merger.owed.differences.safe_grow_cleared (merger.graph.n_junctions);
  merger.accessed.safe_grow_cleared (merger.graph.n_junctions);
  merger.states.safe_grow_cleared (merger.graph.segments.length ());
  merger.update_price
    = profile_frequency (ENTRY_BLOCK_PTR_FOR_FN (fun)->count) / 16 + 1;
  place_accesses (&merger, &placed, &windows);
  merge_placed_accesses (&merger, placed, windows);
  new_updates->safe_splice (merger.new_updates);
}

void
merge_paths (function *fun, function_accesses *accesses, tree base)
{
  auto_vec<new_update> new_updates;

  if (!optimize || !(arguments.coalesce & COALESCE_BLOCK)
      || accesses->heap.length () < 2)
    return;
  calculate_dominance_info (CDI_DOMINATORS);
  if (current_loops && number_of_loops (fun) > 1)
    merge_on_graph (fun, accesses, true, &new_updates);
  merge_on_graph (fun, accesses, false, &new_updates);
  for (const new_update &update : new_updates)
    emit_new_update (update, base);
  remove_weightless (accesses);
}
