/* Flows of machine-level profiles: direct calls whose number follows from
   others.
   SPDX-License-Identifier: GPL-3.0-or-later

   In one function, the flows without counters are a tree of points.  So there
   is always a point with only one of them that is not computed yet, until all
   are. A function is computed when its runs are known: when all callers are
   computed whose calls without a counter it does not count.  */

#include "mip-flows.h"
#include "mip-array.h"
#include "mip-profile-edges.h"
#include "saturating.h"
#include <stdlib.h>

int
mip_flows_compare (const void *a, const void *b)
{
  const struct mip_flow *p = a, *q = b;
  if (p->caller != q->caller)
    return p->caller < q->caller ? -1 : 1;
  return (p->site > q->site) - (p->site < q->site);
}

void
mip_flows_combine (struct mip_profile *profile)
{
  size_t n = 0;
  if (profile->flow_count == 0)
    return;
  qsort (profile->flows, profile->flow_count, sizeof *profile->flows,
	 mip_flows_compare);
  for (size_t i = 1; i < profile->flow_count; i++)
    if (mip_flows_compare (&profile->flows[n], &profile->flows[i]) != 0)
      profile->flows[++n] = profile->flows[i];
  profile->flow_count = n + 1;
}

/* Return the index of the first flow that is not before KEY.  */
static size_t
find_place (const struct mip_profile *profile, const struct mip_flow *key)
{
  size_t low = 0, high = profile->flow_count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (mip_flows_compare (&profile->flows[middle], key) < 0)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

void
mip_flows_of_module (const struct mip_profile *profile,
		     const struct mip_module *module, size_t *first,
		     size_t *count)
{
  struct mip_flow key = { .caller = module->first_function };
  *first = find_place (profile, &key);
  key.caller += module->function_count;
  *count = find_place (profile, &key) - *first;
}

size_t
mip_flows_find (const struct mip_profile *profile, const struct mip_edge *edge)
{
  const struct mip_flow key = { .caller = edge->caller, .site = edge->site };
  if (edge->caller == MIP_NO_FUNCTION)
    return SIZE_MAX;
  size_t place = find_place (profile, &key);
  return (place < profile->flow_count
	  && mip_flows_compare (&profile->flows[place], &key) == 0)
	   ? place
	   : SIZE_MAX;
}

/* A point of the function being computed.  */
struct point
{
  uint64_t balance;    /* that lead to it minus that lead from it, modulo
			  2^64 */
  uint32_t unknown;    /* flows to and from it that are not computed */
  uint32_t first_link; /* the first of the links to them; UINT32_MAX: none */
};

/* A flow at one of its points.  */
struct link
{
  uint32_t flow;
  uint32_t next; /* the next link of the point; UINT32_MAX: none */
};

struct solving
{
  const struct mip_profile *profile;
  const struct mip_module *module;
  size_t first; /* the module's flows */
  size_t count;
  uint64_t *calls;	/* of these flows */
  uint64_t *runs;	/* of the module's functions */
  uint32_t *skipped_by; /* functions, or UINT32_MAX: of each flow without a
			   counter, what it calls if that does not count it */
  uint32_t *waits_for;	/* flows that a function's runs wait for */
  uint32_t *pending;	/* functions whose runs are known */
  size_t pending_count;
  /* Of one function.  */
  struct point *points;
  struct link *links;
  uint32_t *leaves;
  bool *is_computed; /* of the module's flows */
};

static bool
allocate (struct solving *solving)
{
  size_t functions = solving->module->function_count + (size_t) 1;
  size_t flows = solving->count + 1;
  solving->skipped_by = malloc (flows * sizeof *solving->skipped_by);
  solving->waits_for = calloc (functions, sizeof *solving->waits_for);
  solving->pending = malloc (functions * sizeof *solving->pending);
  solving->points = malloc (2 * flows * sizeof *solving->points);
  solving->links = malloc (2 * flows * sizeof *solving->links);
  solving->leaves = malloc (2 * flows * sizeof *solving->leaves);
  solving->is_computed = calloc (flows, sizeof *solving->is_computed);
  return solving->skipped_by != NULL && solving->waits_for != NULL
	 && solving->pending != NULL && solving->points != NULL
	 && solving->links != NULL && solving->leaves != NULL
	 && solving->is_computed != NULL;
}

static void
release (const struct solving *solving)
{
  free (solving->skipped_by);
  free (solving->waits_for);
  free (solving->pending);
  free (solving->points);
  free (solving->links);
  free (solving->leaves);
  free (solving->is_computed);
}

/* Find out which functions do not count calls without a counter.  */
static void
find_skipping (struct solving *solving)
{
  const struct mip_profile *profile = solving->profile;
  for (size_t i = 0; i < solving->count; i++)
    solving->skipped_by[i] = UINT32_MAX;
  for (size_t i = 0; i < profile->edge_count; i++)
    {
      const struct mip_edge *edge = &profile->edges[i];
      uint32_t callee = edge->callee - solving->module->first_function;
      if (edge->counter != MIP_EDGE_SKIPS
	  || callee >= solving->module->function_count)
	continue;
      size_t flow = mip_flows_find (profile, edge) - solving->first;
      if (flow >= solving->count
	  || profile->flows[solving->first + flow].counter != 0)
	continue;
      solving->skipped_by[flow] = callee;
      solving->waits_for[callee]++;
    }
}

/* Note that flow I of the function, whose first flow is BASE, is not computed
   at POINT.  */
static void
add_link (struct solving *solving, size_t base, size_t i, unsigned end,
	  uint32_t point)
{
  uint32_t link = (uint32_t) (2 * (i - base) + end);
  solving->links[link]
    = (struct link){ (uint32_t) i, solving->points[point].first_link };
  solving->points[point].first_link = link;
  solving->points[point].unknown++;
}

/* Set the points of the function with RUNS runs and flows BASE to END.  Return
   their number, 0 if one has a number too great.  */
static uint32_t
set_points (struct solving *solving, size_t base, size_t end, uint64_t runs)
{
  const struct mip_flow *flows = solving->profile->flows + solving->first;
  uint32_t count = (uint32_t) (2 * (end - base) + 2);
  for (uint32_t i = 0; i < count; i++)
    solving->points[i] = (struct point){ .first_link = UINT32_MAX };
  solving->points[MIP_POINT_START].balance = runs;
  for (size_t i = base; i < end; i++)
    {
      if (flows[i].from >= count || flows[i].to >= count)
	return 0;
      if (flows[i].counter == 0)
	{
	  add_link (solving, base, i, 0, flows[i].from);
	  add_link (solving, base, i, 1, flows[i].to);
	}
      solving->points[flows[i].from].balance -= solving->calls[i];
      solving->points[flows[i].to].balance += solving->calls[i];
    }
  return count;
}

/* Add CALLS to flow I, and to the runs of what it calls.  */
static void
set_flow (struct solving *solving, size_t i, uint64_t calls)
{
  const struct mip_flow *flow = &solving->profile->flows[solving->first + i];
  uint32_t callee = solving->skipped_by[i];
  solving->is_computed[i] = true;
  solving->points[flow->from].balance -= calls;
  solving->points[flow->to].balance += calls;
  solving->calls[i] = (int64_t) calls > 0 ? calls : 0;
  if (callee == UINT32_MAX)
    return;
  solving->runs[callee]
    = saturating_add (solving->runs[callee], solving->calls[i]);
  if (--solving->waits_for[callee] == 0)
    solving->pending[solving->pending_count++] = callee;
}

/* If only one flow of POINT is not computed, put that on the list of *COUNT
   leaves.  Nothing is known about what is outside.  */
static void
note_leaf (struct solving *solving, uint32_t point, size_t *count)
{
  if (point != MIP_POINT_OUTSIDE && solving->points[point].unknown == 1)
    solving->leaves[(*count)++] = point;
}

/* Compute the flow at POINT that is not computed, if there is still one.  */
static void
solve_point (struct solving *solving, uint32_t point, size_t *count)
{
  const struct mip_flow *flows = solving->profile->flows + solving->first;
  uint32_t link = solving->points[point].first_link;
  if (solving->points[point].unknown != 1)
    return;
  while (solving->is_computed[solving->links[link].flow])
    link = solving->links[link].next;
  size_t i = solving->links[link].flow;
  uint64_t balance = solving->points[point].balance;
  set_flow (solving, i, flows[i].from == point ? balance : -balance);
  solving->points[flows[i].from].unknown--;
  solving->points[flows[i].to].unknown--;
  note_leaf (solving, flows[i].from == point ? flows[i].to : flows[i].from,
	     count);
}

/* Compute the flows BASE to END of a function with RUNS runs.  Return false if
   they do not determine all numbers.  */
static bool
solve_function (struct solving *solving, size_t base, size_t end, uint64_t runs)
{
  const struct mip_flow *flows = solving->profile->flows + solving->first;
  size_t leaves = 0;
  uint32_t points = set_points (solving, base, end, runs);
  for (uint32_t i = 0; i < points; i++)
    note_leaf (solving, i, &leaves);
  while (leaves > 0)
    solve_point (solving, solving->leaves[--leaves], &leaves);
  for (size_t i = base; i < end; i++)
    if (flows[i].counter == 0 && !solving->is_computed[i])
      return false;
  return points > 0;
}

/* Compute the functions whose runs are known, and then those that wait for
   them.  Return false if there are others, or if a function's flows do not
   determine all numbers.  */
static bool
solve_functions (struct solving *solving)
{
  const struct mip_profile *profile = solving->profile;
  uint32_t solved = 0;
  for (uint32_t i = 0; i < solving->module->function_count; i++)
    if (solving->waits_for[i] == 0)
      solving->pending[solving->pending_count++] = i;
  while (solving->pending_count > 0)
    {
      uint32_t function = solving->pending[--solving->pending_count];
      struct mip_flow key
	= { .caller = solving->module->first_function + function };
      size_t base = find_place (profile, &key) - solving->first;
      key.caller++;
      size_t end = find_place (profile, &key) - solving->first;
      solved++;
      if (base < end
	  && !solve_function (solving, base, end, solving->runs[function]))
	return false;
    }
  return solved == solving->module->function_count;
}

bool
mip_flows_solve (const struct mip_profile *profile,
		 const struct mip_module *module, uint64_t *calls,
		 uint64_t *runs, bool *is_done)
{
  struct solving solving
    = { .profile = profile, .module = module, .calls = calls, .runs = runs };
  mip_flows_of_module (profile, module, &solving.first, &solving.count);
  *is_done = solving.count == 0;
  if (solving.count == 0)
    return true;
  bool is_allocated = allocate (&solving);
  if (is_allocated)
    {
      find_skipping (&solving);
      *is_done = solve_functions (&solving);
    }
  release (&solving);
  return is_allocated;
}

/* Return the index of the first flow of PROFILE that is not in its place, or
   has no caller; the number of flows if there is none.  */
static size_t
find_misplaced (const struct mip_profile *profile)
{
  for (size_t i = 0; i < profile->flow_count; i++)
    if (profile->flows[i].caller >= profile->function_count
	|| (i > 0
	    && mip_flows_compare (&profile->flows[i - 1], &profile->flows[i])
		 >= 0))
      return i;
  return profile->flow_count;
}

/* Set *IS_DONE to whether the flows of PROFILE, which are in their places,
   determine all calls.  Return false if memory is exhausted.  */
static bool
try_to_solve (const struct mip_profile *profile, bool *is_done)
{
  *is_done = true;
  if (profile->flow_count == 0)
    return true;
  uint64_t *calls = calloc (profile->flow_count, sizeof *calls);
  uint64_t *runs = calloc (profile->function_count, sizeof *runs);
  bool is_allocated = calls != NULL && runs != NULL;
  for (size_t i = 0; i < profile->module_count && is_allocated && *is_done; i++)
    is_allocated
      = mip_flows_solve (profile, &profile->modules[i], calls, runs, is_done);
  free (calls);
  free (runs);
  return is_allocated;
}

bool
mip_flows_are_sorted (const struct mip_profile *profile)
{
  return find_misplaced (profile) == profile->flow_count;
}

bool
mip_flows_check (const struct mip_profile *profile, struct byte_reader *reader)
{
  bool is_done;
  size_t misplaced = find_misplaced (profile);
  if (misplaced < profile->flow_count)
    return byte_reader_fail (reader, PROFILE_ERROR_NO_OFFSET,
			     "invalid flow %zu", misplaced);
  if (!try_to_solve (profile, &is_done))
    return byte_reader_fail_memory (reader);
  return is_done
	 || byte_reader_fail (reader, PROFILE_ERROR_NO_OFFSET,
			      "flows do not determine the number of calls");
}

bool
mip_flows_merge (struct mip_profile *profile, const struct mip_profile *from,
		 const size_t *places)
{
  if (!growing_array_reserve (&profile->flows, profile->flow_count,
			      &profile->flow_capacity, from->flow_count,
			      sizeof *profile->flows))
    return false;
  for (size_t i = 0; i < from->flow_count; i++)
    {
      struct mip_flow flow = from->flows[i];
      flow.caller = mip_function_here (profile, from, places, flow.caller);
      profile->flows[profile->flow_count++] = flow;
    }
  mip_flows_combine (profile);
  return true;
}
