/* Merging of heap accesses that share a granule, along the paths between
   blocks.
   SPDX-License-Identifier: GPL-3.0-or-later

   Updates are placed so that code that runs often has none (merge-solve.cc).
   For example, in

     if (p->kind != K)	       the load of p->kind is counted in both branches,
       return 0;	       in one of them together with that of p->value
     return p->value;

   A segment can update the counter of a window if it accesses the window, so
   that the address is available and valid there, or if the window was accessed
   on all paths to it.  */

#include "gcc-compat.h"
#include "heap-access.h"
#include "arguments.h"
#include "counter-emit.h"
#include "merge-address.h"
#include "merge-graph.h"
#include "merge-region.h"
#include "merge-solve.h"
#include "merge-window.h"

/* The maximum work for one function, in visits of segments and accesses.  */
static const unsigned HOST_WIDE_INT max_visits = 50 * 1000 * 1000;

/* An access whose count can be moved.  */
struct placed_access
{
  unsigned window;
  unsigned segment;
  /* Its index in the vector of accesses.  */
  unsigned access;
};

/* An update at a place where the program makes no access.  */
struct new_update
{
  path_segment segment;
  heap_access model;
};

struct path_merger
{
  function *fun;
  function_accesses *accesses;
  /* Merge only windows that loops do not change, and move counts across
     loops.  */
  bool around_loops;
  path_graph graph;
  count_solver solver;
  /* For each segment that makes no access but may count: an access whose
     address it can use.  Else NULL.  */
  auto_vec<const heap_access *> models;
  /* For each junction: true if the window was accessed on all paths to it.  */
  auto_vec<bool> accessed;
  auto_vec<new_update> new_updates;
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

/* True if code can be inserted at the start of SEGMENT.  */
static bool
open_segment_p (const path_segment &segment)
{
  if (!segment.block)
    return true;
  gimple_stmt_iterator gsi = gsi_start_nondebug_after_labels_bb (segment.block);
  return (segment.is_head
	  && (gsi_end_p (gsi) || !is_gimple_call (gsi_stmt (gsi))
	      || !(gimple_call_flags (gsi_stmt (gsi)) & ECF_RETURNS_TWICE)));
}

/* Return one of ACCESSES that is certain to precede SEGMENT and whose address
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

/* Clear MERGER->accessed for the junctions that can be reached without an
   access to the window.  Loops take more than one round.  */
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
	  if (merger->solver.segments[i].made || merger->accessed[segment.in]
	      || !merger->accessed[segment.out])
	    continue;
	  merger->accessed[segment.out] = false;
	  changed = true;
	}
      merger->visits += accesses.end - accesses.begin;
    }
}

/* Give the solver the accesses that the component's segments make, and if
   ALLOW_NEW, the other segments that may count.  */
static void
set_up_component (path_merger *merger, const component_accesses &accesses,
		  bool allow_new)
{
  for (unsigned i = accesses.begin; i < accesses.end; i++)
    {
      const path_segment &segment = merger->graph.segments[i];
      merger->solver.segments[i] = {};
      merger->models[i] = NULL;
      merger->accessed[segment.in] = merger->accessed[segment.out] = true;
    }
  merger->accessed[settled_junction] = false;
  for (unsigned i = 0; i < accesses.n; i++)
    merger->solver.segments[accesses.placed[i].segment].made
      += merger->accesses->heap[accesses.placed[i].access].weight;
  if (!allow_new)
    return;
  find_accessed (merger, accesses);
  for (unsigned i = accesses.begin; i < accesses.end; i++)
    {
      const path_segment &segment = merger->graph.segments[i];
      segment_counts *counts = &merger->solver.segments[i];
      if (counts->made || !merger->accessed[segment.in])
	continue;
      merger->models[i] = find_model (merger, accesses, segment);
      counts->may_count = merger->models[i] != NULL;
    }
}

/* Set the weights of ACCESSES to the solver's result.  */
static void
apply_component (path_merger *merger, const component_accesses &accesses)
{
  for (unsigned i = 0; i < accesses.n; i++)
    {
      heap_access *access = &merger->accesses->heap[accesses.placed[i].access];
      segment_counts *counts
	= &merger->solver.segments[accesses.placed[i].segment];
      access->weight = counts->counted;
      counts->counted = 0;
    }
  for (unsigned i = accesses.begin; i < accesses.end; i++)
    if (merger->solver.segments[i].counted)
      {
	new_update update = { merger->graph.segments[i], *merger->models[i] };
	update.model.weight = merger->solver.segments[i].counted;
	merger->new_updates.safe_push (update);
      }
}

/* Describe ACCESSES in one line of the dump.  */
static void
dump_component (const path_merger *merger, const component_accesses &accesses)
{
  unsigned n_updates = 0;

  for (unsigned i = accesses.begin; i < accesses.end; i++)
    n_updates += merger->solver.segments[i].counted != 0;
  fprintf (dump_file, "heapprof: merge %u accesses on paths to %u updates: *",
	   accesses.n, n_updates);
  dump_window (accesses.window);
}

static void
merge_component (path_merger *merger, const component_accesses &accesses)
{
  merger->visits += accesses.n * accesses.n;
  if (merger->visits + merger->solver.visits > max_visits)
    return;
  set_up_component (merger, accesses,
		    !optimize_function_for_size_p (merger->fun));
  if (!solve_counts (&merger->solver, accesses.begin, accesses.end))
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

/* Append to SEGMENTS the segments of the accesses from number FIRST on that are
   in the same block, -1 for an access in no segment.  Return the number of the
   first access that is not in the block.  */
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
      placed->safe_push ({ (*slot)->data, (unsigned) segments[i], i });
    }
  placed->qsort (compare_placed_accesses);
}

/* Merge the accesses in PLACED, window by window and component by
   component.  */
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
	merge_component (merger,
			 { &windows[first.window], &first, end - begin,
			   components[component], components[component + 1] });
    }
}

static void
emit_new_update (const new_update &update, tree base)
{
  const heap_access &model = update.model;
  counter_emitter emitter = { NULL, gimple_location (model.statement), base };

  emit_granule_increment (&emitter, emit_address (&emitter, model),
			  model.granules_further, size_constant (model.weight));
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

/* Merge accesses where it pays.  Add the updates to be emitted to
   NEW_UPDATES.  */
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
  init_solver (&merger.solver, &merger.graph,
	       profile_frequency (ENTRY_BLOCK_PTR_FOR_FN (fun)->count) / 16
		 + 1);
  merger.models.safe_grow_cleared (merger.graph.segments.length ());
  merger.accessed.safe_grow_cleared (merger.graph.n_junctions);
  place_accesses (&merger, &placed, &windows);
  merge_placed_accesses (&merger, placed, windows);
  new_updates->safe_splice (merger.new_updates);
}

void
merge_paths (function *fun, function_accesses *accesses,
	     const known_addresses &known, tree base)
{
  auto_vec<new_update> new_updates;

  if (!optimize || !(arguments.coalesce & COALESCE_BLOCK)
      || accesses->heap.length () < 2)
    return;
  calculate_dominance_info (CDI_DOMINATORS);
  if (current_loops && number_of_loops (fun) > 1)
    merge_on_graph (fun, accesses, true, &new_updates);
  merge_on_graph (fun, accesses, false, &new_updates);
  for (new_update &update : new_updates)
    use_known_address (known, &update.model);
  for (const new_update &update : new_updates)
    emit_new_update (update, base);
  remove_weightless (accesses);
}
