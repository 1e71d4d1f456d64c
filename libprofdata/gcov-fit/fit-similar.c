/* Functions whose names changed, found by their blocks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fit-similar.h"
#include "block-match.h"
#include "plain-name.h"
#include <stdlib.h>

/* Functions with other names are only the same if they are so similar: with
   equal names but for parameters and classes; between the same neighbours; and
   anywhere in the unit, with so many blocks.  */
#define SIMILAR_NAMED 0.3
#define SIMILAR_BETWEEN 0.5
#define SIMILAR_ANYWHERE 0.8
#define FEWEST_BLOCKS_ANYWHERE 6

/* A part has so much of its blocks from the function that it was part of.  */
#define SIMILAR_PART 0.5
#define FEWEST_BLOCKS_PART 2

/* At most so many pairs of blocks are compared in a unit.  */
#define MOST_COMPARED (UINT64_C (1) << 28)

/* What is the same in all comparisons of a unit.  */
struct comparison
{
  struct fit_functions *functions;
  struct gcov_flow *flows; /* of the functions after; only arcs */
  uint64_t left;	   /* pairs of blocks that may still be compared */
};

/* Return true if functions of N and M blocks may be compared.  */
static bool
may_compare (struct comparison *comparison, uint32_t n, uint32_t m)
{
  uint64_t pairs = (uint64_t) n * m;
  if (pairs > comparison->left)
    return false;
  comparison->left -= pairs;
  return true;
}

static bool
need_arcs (struct comparison *comparison, size_t after)
{
  struct gcov_flow *flow = &comparison->flows[after];
  return flow->leaving.first != NULL
	 || gcov_flow_solve (flow, comparison->functions->after[after].notes,
			     NULL);
}

/* Set *SIMILARITY of the function BEFORE, which has notes, and AFTER.  */
static bool
compare (struct comparison *comparison, size_t before, size_t after,
	 double *similarity)
{
  const struct fit_before *a = &comparison->functions->before[before];
  const struct fit_after *b = &comparison->functions->after[after];
  struct block_match match;
  *similarity = 0;
  uint32_t n = a->notes->block_count;
  uint32_t m = b->notes->block_count;
  /* Not even all blocks of the smaller one would be enough.  */
  if (m < 2 || n / 4 > m || m / 4 > n || !may_compare (comparison, n, m))
    return true;
  if (!need_arcs (comparison, after))
    return false;
  struct block_graph before_graph = { a->notes, &a->flow };
  struct block_graph after_graph = { b->notes, &comparison->flows[after] };
  bool is_done = block_match_find (&match, &before_graph, &after_graph);
  if (is_done)
    *similarity = block_match_similarity (&match, &before_graph, &after_graph);
  block_match_release (&match);
  return is_done;
}

static bool
is_free (const struct fit_functions *functions, size_t before)
{
  return !fit_lists_is_taken (functions, before)
	 && functions->before[before].notes != NULL;
}

/* Take, for each function without a counterpart, the only one left whose name
   differs in parameters, classes or namespaces.  */
static bool
take_plain_names (struct comparison *comparison, struct fit_keys *keys,
		  const struct gcov_fit_after *units)
{
  struct fit_functions *functions = comparison->functions;
  if (!fit_keys_list (keys, functions, true))
    return true;
  for (size_t i = 0; i < functions->after_count; i++)
    {
      struct fit_after *after = &functions->after[i];
      if (after->before != FIT_NO_FUNCTION
	  || units[after->unit].before == GCOV_FIT_NEW)
	continue;
      struct fit_key key = { NULL, plain_name_hash (after->notes->name),
			     units[after->unit].before, 0 };
      size_t k = key.hash != 0 ? fit_keys_find (keys, &key) : keys->count;
      for (; k < keys->count && keys->keys[k].hash == key.hash
	     && keys->keys[k].unit == key.unit;
	   k++)
	{
	  double similarity = 0;
	  size_t before = keys->keys[k].function;
	  if (!is_free (functions, before))
	    continue;
	  if (!compare (comparison, before, i, &similarity))
	    return false;
	  if (similarity < SIMILAR_NAMED)
	    continue;
	  fit_lists_take (functions, after, before);
	  after->is_renamed = true;
	  break;
	}
    }
  return true;
}

/* The functions of a unit before, and of the unit that it is now.  */
struct unit_pair
{
  size_t first_before;
  size_t end_before;
  size_t first_after;
  size_t end_after;
};

/* Return the nearest function before AFTER (IS_NEXT: behind it) in PAIR that
   has a counterpart, as that counterpart; FIT_NO_FUNCTION: none.  */
static size_t
neighbour (const struct fit_functions *functions, const struct unit_pair *pair,
	   size_t after, bool is_next)
{
  for (size_t i = after;
       is_next ? ++i < pair->end_after : i-- > pair->first_after;)
    if (functions->after[i].before != FIT_NO_FUNCTION
	&& !functions->after[i].is_renamed)
      return functions->after[i].before;
  return FIT_NO_FUNCTION;
}

/* Set *BEST to the function that is most like AFTER; FIT_NO_FUNCTION if none is
   similar enough.  */
static bool
find_most_similar (struct comparison *comparison, const struct unit_pair *pair,
		   size_t after, size_t *best)
{
  struct fit_functions *functions = comparison->functions;
  size_t previous = neighbour (functions, pair, after, false);
  size_t next = neighbour (functions, pair, after, true);
  double most = 0;
  *best = FIT_NO_FUNCTION;
  for (size_t i = pair->first_before; i < pair->end_before; i++)
    {
      double similarity;
      if (!is_free (functions, i))
	continue;
      if (!compare (comparison, i, after, &similarity))
	return false;
      bool is_near = (previous == FIT_NO_FUNCTION || i > previous)
		     && (next == FIT_NO_FUNCTION || i < next);
      bool is_large
	= functions->before[i].notes->block_count >= FEWEST_BLOCKS_ANYWHERE;
      if (similarity > most
	  && ((is_near && similarity >= SIMILAR_BETWEEN)
	      || (is_large && similarity >= SIMILAR_ANYWHERE)))
	{
	  most = similarity;
	  *best = i;
	}
    }
  return true;
}

static bool
take_similar (struct comparison *comparison, const struct unit_pair *pair)
{
  struct fit_functions *functions = comparison->functions;
  comparison->left = MOST_COMPARED;
  for (size_t i = pair->first_after; i < pair->end_after; i++)
    {
      size_t best;
      if (functions->after[i].before != FIT_NO_FUNCTION)
	continue;
      if (!find_most_similar (comparison, pair, i, &best))
	return false;
      if (best == FIT_NO_FUNCTION)
	continue;
      fit_lists_take (functions, &functions->after[i], best);
      functions->after[i].is_renamed = true;
    }
  return true;
}

/* ---- Functions that were parts of others.  */

/* Set *SHARE to the share of the blocks of the function AFTER that BEFORE,
   which changed, had and has no more.  */
static bool
compare_part (struct comparison *comparison, size_t before, size_t after,
	      double *share)
{
  struct fit_functions *functions = comparison->functions;
  const struct fit_before *whole = &functions->before[before];
  struct block_match rest = { 0 };
  struct block_match part = { 0 };
  *share = 0;
  uint32_t n = whole->notes->block_count;
  uint32_t m = functions->after[after].notes->block_count;
  if (m < 2 + FEWEST_BLOCKS_PART
      || !may_compare (comparison, n,
		       m + functions->after[whole->after].notes->block_count))
    return true;
  if (!need_arcs (comparison, after) || !need_arcs (comparison, whole->after))
    return false;
  struct block_graph before_graph = { whole->notes, &whole->flow };
  struct block_graph rest_graph = { functions->after[whole->after].notes,
				    &comparison->flows[whole->after] };
  struct block_graph part_graph
    = { functions->after[after].notes, &comparison->flows[after] };
  bool is_done = block_match_find (&rest, &before_graph, &rest_graph)
		 && block_match_find (&part, &before_graph, &part_graph);
  if (is_done)
    {
      block_match_divide (&rest, &part, &before_graph);
      *share = (double) part.alike / (m - 2);
    }
  block_match_release (&rest);
  block_match_release (&part);
  return is_done;
}

/* Return true if BEFORE is another function now, of which parts may be gone. */
static bool
may_have_parts (const struct fit_functions *functions, size_t before)
{
  const struct fit_before *whole = &functions->before[before];
  return whole->notes != NULL && whole->counts > 0
	 && fit_lists_is_taken (functions, before)
	 && !fit_lists_are_equal (whole, functions->after[whole->after].notes);
}

static bool
take_parts (struct comparison *comparison, const struct unit_pair *pair)
{
  struct fit_functions *functions = comparison->functions;
  comparison->left = MOST_COMPARED;
  for (size_t i = pair->first_after; i < pair->end_after; i++)
    {
      struct fit_after *after = &functions->after[i];
      double most = 0;
      if (after->before != FIT_NO_FUNCTION)
	continue;
      for (size_t k = pair->first_before; k < pair->end_before; k++)
	{
	  double share;
	  if (!may_have_parts (functions, k))
	    continue;
	  if (!compare_part (comparison, k, i, &share))
	    return false;
	  if (share < SIMILAR_PART || share <= most)
	    continue;
	  most = share;
	  after->before = k;
	  after->is_part = true;
	}
      if (!after->is_part)
	continue;
      after->next_part = functions->before[after->before].part;
      functions->before[after->before].part = i;
    }
  return true;
}

/* Look at the functions left in each unit that is there in both versions.  */
static bool
take_left (struct comparison *comparison, const struct gcov_fit_after *units)
{
  struct fit_functions *functions = comparison->functions;
  for (size_t first = 0, end; first < functions->after_count; first = end)
    {
      size_t unit = functions->after[first].unit;
      for (end = first;
	   end < functions->after_count && functions->after[end].unit == unit;)
	end++;
      if (units[unit].before == GCOV_FIT_NEW)
	continue;
      struct unit_pair pair
	= { .first_before = fit_lists_find_unit (functions, units[unit].before),
	    .end_before
	    = fit_lists_find_unit (functions, units[unit].before + 1),
	    .first_after = first,
	    .end_after = end };
      if (!take_similar (comparison, &pair) || !take_parts (comparison, &pair))
	return false;
    }
  return true;
}

bool
fit_similar_take (struct fit_functions *functions, struct fit_keys *keys,
		  const struct gcov_fit_after *units)
{
  struct comparison comparison
    = { .functions = functions, .left = MOST_COMPARED };
  comparison.flows
    = calloc (functions->after_count + 1, sizeof *comparison.flows);
  bool is_done = comparison.flows != NULL
		 && take_plain_names (&comparison, keys, units)
		 && take_left (&comparison, units);
  for (size_t i = 0; comparison.flows != NULL && i < functions->after_count;
       i++)
    gcov_flow_free (&comparison.flows[i]);
  free (comparison.flows);
  return is_done;
}
