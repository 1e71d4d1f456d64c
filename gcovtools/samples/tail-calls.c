/* Frames that a stack lacks because of tail calls.
   SPDX-License-Identifier: GPL-3.0-or-later

   Functions are known by the start of their first range.  */

#include "tail-calls.h"
#include <stdlib.h>
#include <string.h>

/* Functions that are this far apart are not searched for.  */
#define DEEPEST 200

/* A call or jump at FROM, in FUNCTION, to the function TO.  */
struct edge
{
  uint64_t from;
  uint64_t function;
  uint64_t to;
};

struct edges
{
  struct edge *edges;
  size_t count;
  size_t capacity;
};

/* Number of addresses whose functions are remembered, a power of two.  */
#define REMEMBERED 4096

/* The function at ADDRESS.  */
struct known_function
{
  uint64_t address; /* 0: none */
  uint64_t start;
  uint64_t range; /* start of the range with ADDRESS */
};

struct tail_calls
{
  struct image *image;
  struct known_function known[REMEMBERED];
  struct edges calls; /* by FROM */
  struct edges jumps; /* by FUNCTION, then FROM */
  bool *leads;	      /* of JUMPS: whether WANTED can be reached by it */
  uint64_t wanted;    /* the function searched for */
  uint64_t jumps_taken[DEEPEST]; /* on the current way, and their functions */
  uint64_t functions[DEEPEST];
  uint64_t path[DEEPEST]; /* the first way found, LENGTH jumps */
  size_t length;
  unsigned int found; /* number of ways, at most 2 */
};

static bool
add_edge (struct edges *edges, uint64_t from, uint64_t function, uint64_t to)
{
  if (edges->count == edges->capacity)
    {
      size_t capacity = edges->capacity > 0 ? 2 * edges->capacity : 64;
      void *grown = realloc (edges->edges, capacity * sizeof *edges->edges);
      if (grown == NULL)
	return false;
      edges->edges = grown;
      edges->capacity = capacity;
    }
  edges->edges[edges->count++] = (struct edge){ from, function, to };
  return true;
}

/* Find the function at ADDRESS; 0 if debug information has none.  Set *RANGE to
   the start of the range with ADDRESS.  Return false if memory is
   exhausted.  */
static bool
look_up (const struct image *image, uint64_t address, uint64_t *start,
	 uint64_t *range)
{
  struct symbolizer_function function;
  *start = *range = 0;
  if (!symbolizer_function_at (image->symbolizer, address, true, &function))
    return false;
  if (function.described_name == NULL || function.range_count == 0)
    return true;
  *start = function.ranges[0].start;
  for (size_t i = 0; i < function.range_count; i++)
    {
      if (function.ranges[i].start < *start)
	*start = function.ranges[i].start;
      if (address >= function.ranges[i].start
	  && address < function.ranges[i].end)
	*range = function.ranges[i].start;
    }
  return true;
}

/* The same; what was found last is remembered.  */
static bool
find_function (struct tail_calls *calls, uint64_t address, uint64_t *start,
	       uint64_t *range)
{
  uint64_t hash = address * UINT64_C (0x9e3779b97f4a7c15);
  struct known_function *known = &calls->known[hash >> 32 & (REMEMBERED - 1)];
  if (known->address != address || address == 0)
    {
      struct known_function found = { .address = address };
      if (!look_up (calls->image, address, &found.start, &found.range))
	return false;
      *known = found;
    }
  *start = known->start;
  *range = known->range;
  return true;
}

/* Add the branch from FROM to TO if it is a call, or a jump to another
   function.  */
static bool
add_branch (struct tail_calls *calls, uint64_t from, uint64_t to)
{
  struct code_instruction where;
  uint64_t target;
  uint64_t caller, callee, static_callee, from_range, to_range, any;
  if (!code_map_find (calls->image->code, from, &where) || !where.leaves
      || where.returns)
    return true;
  if (!find_function (calls, from, &caller, &from_range)
      || !find_function (calls, to, &callee, &to_range))
    return false;
  if (caller == 0 || callee == 0)
    return true;
  if (where.calls)
    return add_edge (&calls->calls, from, caller, callee);
  if (code_map_target (calls->image->code, &where, &target))
    {
      if (!find_function (calls, target, &static_callee, &any))
	return false;
      if (static_callee == 0 || static_callee == caller)
	return true;
    }
  return from_range == to_range
	 || add_edge (&calls->jumps, from, caller, callee);
}

static int
compare_calls (const void *a, const void *b)
{
  const struct edge *x = a;
  const struct edge *y = b;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return (x->to > y->to) - (x->to < y->to);
}

static int
compare_jumps (const void *a, const void *b)
{
  const struct edge *x = a;
  const struct edge *y = b;
  if (x->function != y->function)
    return x->function < y->function ? -1 : 1;
  return compare_calls (a, b);
}

/* Sort EDGES and remove those that are equal: contexts have branches in
   common.  */
static void
sort_edges (struct edges *edges, int (*compare) (const void *, const void *))
{
  size_t kept = 0;
  if (edges->count == 0)
    return;
  qsort (edges->edges, edges->count, sizeof *edges->edges, compare);
  for (size_t i = 1; i < edges->count; i++)
    if (compare (&edges->edges[i], &edges->edges[kept]) != 0)
      edges->edges[++kept] = edges->edges[i];
  edges->count = kept + 1;
}

struct tail_calls *
tail_calls_open (struct image *image, const struct address_pairs *branches)
{
  struct tail_calls *calls = calloc (1, sizeof *calls);
  bool is_done = calls != NULL;
  if (is_done)
    calls->image = image;
  for (uint32_t i = 0; i < branches->count && is_done; i++)
    is_done
      = add_branch (calls, branches->slots[i].first, branches->slots[i].second);
  if (is_done)
    {
      sort_edges (&calls->calls, compare_calls);
      sort_edges (&calls->jumps, compare_jumps);
      calls->leads = calloc (calls->jumps.count + 1, sizeof *calls->leads);
      is_done = calls->leads != NULL;
    }
  if (is_done)
    return calls;
  tail_calls_close (calls);
  return NULL;
}

void
tail_calls_close (struct tail_calls *calls)
{
  if (calls == NULL)
    return;
  free (calls->calls.edges);
  free (calls->jumps.edges);
  free (calls->leads);
  free (calls);
}

/* Return the number of the first edge that is not before KEY by COMPARE.  */
static size_t
first_edge (const struct edges *edges, const struct edge *key,
	    int (*compare) (const void *, const void *))
{
  size_t low = 0;
  size_t high = edges->count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (compare (&edges->edges[middle], key) < 0)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

static size_t
first_jump (const struct tail_calls *calls, uint64_t function)
{
  return first_edge (&calls->jumps, &(struct edge){ .function = function },
		     compare_jumps);
}

/* Return true if any jump of FUNCTION leads on.  */
static bool
leads_on (const struct tail_calls *calls, uint64_t function)
{
  const struct edges *jumps = &calls->jumps;
  for (size_t i = first_jump (calls, function);
       i < jumps->count && jumps->edges[i].function == function; i++)
    if (calls->leads[i])
      return true;
  return false;
}

/* Find which jumps lead to FUNCTION.  */
static void
mark_ways (struct tail_calls *calls, uint64_t function)
{
  bool is_changed = calls->wanted != function;
  if (is_changed)
    memset (calls->leads, 0, calls->jumps.count * sizeof *calls->leads);
  calls->wanted = function;
  while (is_changed)
    {
      is_changed = false;
      for (size_t i = 0; i < calls->jumps.count; i++)
	if (!calls->leads[i]
	    && (calls->jumps.edges[i].to == function
		|| leads_on (calls, calls->jumps.edges[i].to)))
	  calls->leads[i] = is_changed = true;
    }
}

/* Find the ways from FUNCTION to the wanted one.  DEPTH jumps were taken
   already.  */
static void
find_ways (struct tail_calls *calls, uint64_t function, size_t depth)
{
  const struct edges *jumps = &calls->jumps;
  if (function == calls->wanted)
    {
      if (calls->found++ > 0)
	return;
      memcpy (calls->path, calls->jumps_taken, depth * sizeof *calls->path);
      calls->length = depth;
      return;
    }
  for (size_t i = 0; i < depth; i++)
    if (calls->functions[i] == function)
      return;
  if (depth == DEEPEST)
    return;
  calls->functions[depth] = function;
  for (size_t i = first_jump (calls, function);
       i < jumps->count && jumps->edges[i].function == function
       && calls->found < 2;
       i++)
    if (calls->leads[i])
      {
	calls->jumps_taken[depth] = jumps->edges[i].from;
	find_ways (calls, jumps->edges[i].to, depth + 1);
      }
}

bool
tail_calls_function (struct tail_calls *calls, uint64_t address,
		     uint64_t *start)
{
  uint64_t range;
  return find_function (calls, address, start, &range);
}

void
tail_calls_find (struct tail_calls *calls, uint64_t from, uint64_t to,
		 struct tail_path *path)
{
  *path = (struct tail_path){ 0 };
  const struct edge *edges = calls->calls.edges;
  size_t first
    = first_edge (&calls->calls, &(struct edge){ .from = from }, compare_calls);
  size_t end = first;
  for (; end < calls->calls.count && edges[end].from == from; end++)
    if (edges[end].to == to)
      return;
  if (to == 0 || first == end)
    return;
  mark_ways (calls, to);
  calls->found = 0;
  for (size_t i = first; i < end && calls->found < 2; i++)
    find_ways (calls, edges[i].to, 0);
  if (calls->found == 1)
    *path = (struct tail_path){ calls->path, calls->length };
}
