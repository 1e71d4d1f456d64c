/* Which functions of a newer version of a program are which of the older one.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function of the same unit and name is the same.  Of those that are left,
   one of that name in another unit is, if it is the only one.  Then functions
   that differ only in parameters, classes or namespaces; and finally those
   whose blocks are similar, between the same neighbours or with enough blocks
   to be sure.  */

#include "fit-functions.h"
#include "block-match.h"
#include "plain-name.h"
#include <stdlib.h>
#include <string.h>

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

void
fit_functions_release (struct fit_functions *functions)
{
  for (size_t i = 0; i < functions->before_count; i++)
    gcov_flow_free (&functions->before[i].flow);
  free (functions->before);
  free (functions->after);
  *functions = (struct fit_functions){ 0 };
}

bool
fit_functions_are_equal (const struct fit_before *before,
			 const struct gcov_notes_function *after)
{
  const struct gcov_vector *arcs
    = gcov_function_vector (before->counted, GCOV_KIND_ARCS);
  return before->counted->cfg_checksum == after->cfg_checksum && arcs != NULL
	 && arcs->count == after->counter_count;
}

/* ---- Lists.  */

/* Find the notes of BEFORE in NOTES, and compute its counts.  */
static bool
take_notes (struct fit_before *before, const struct gcov_notes *notes,
	    uint32_t *hint)
{
  const struct gcov_function *counted = before->counted;
  const struct gcov_vector *arcs
    = gcov_function_vector (counted, GCOV_KIND_ARCS);
  const struct gcov_notes_function *function
    = notes != NULL
	? gcov_notes_find (notes, counted->ident, counted->lineno_checksum,
			   counted->cfg_checksum, hint)
	: NULL;
  if (function == NULL || arcs == NULL || arcs->count != function->counter_count
      || function->block_count < 2)
    return true;
  before->notes = function;
  before->name = function->name;
  if (!gcov_flow_solve (&before->flow, function, arcs->counters))
    return false;
  for (uint32_t i = 0; i < function->block_count; i++)
    if (before->flow.block_counts[i] > 0)
      before->counts += (uint64_t) before->flow.block_counts[i];
  return true;
}

static bool
list_before (struct fit_functions *functions,
	     const struct gcov_fit_before *before, size_t n)
{
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    count += before[i].unit->function_count;
  functions->before = calloc (count + 1, sizeof *functions->before);
  if (functions->before == NULL)
    return false;
  for (size_t i = 0; i < n; i++)
    {
      uint32_t hint = 0;
      for (uint32_t k = 0; k < before[i].unit->function_count; k++)
	{
	  const struct gcov_function *counted = &before[i].unit->functions[k];
	  struct fit_before *into
	    = &functions->before[functions->before_count++];
	  *into = (struct fit_before){ .counted = counted,
				       .name = counted->name,
				       .unit = i,
				       .after = FIT_NO_FUNCTION,
				       .part = FIT_NO_FUNCTION };
	  if (!take_notes (into, before[i].notes, &hint))
	    return false;
	}
    }
  return true;
}

static bool
list_after (struct fit_functions *functions, const struct gcov_fit_after *after,
	    size_t m)
{
  size_t count = 0;
  for (size_t i = 0; i < m; i++)
    count += after[i].notes->function_count;
  functions->after = calloc (count + 1, sizeof *functions->after);
  if (functions->after == NULL)
    return false;
  for (size_t i = 0; i < m; i++)
    for (uint32_t k = 0; k < after[i].notes->function_count; k++)
      functions->after[functions->after_count++]
	= (struct fit_after){ .notes = &after[i].notes->functions[k],
			      .unit = i,
			      .before = FIT_NO_FUNCTION,
			      .next_part = FIT_NO_FUNCTION };
  return true;
}

/* Return the index of the first function before that is in UNIT or a later
   one.  */
static size_t
find_unit (const struct fit_functions *functions, size_t unit)
{
  size_t low = 0;
  size_t high = functions->before_count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (functions->before[middle].unit < unit)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

/* Return the name of the function with IDENT in NOTES; NULL if there is none.
   IDENT is that of a name, and of a file for local functions.  */
static const char *
name_of_ident (const struct gcov_notes *notes, uint32_t ident)
{
  size_t low = 0;
  size_t high = notes->function_count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (notes->functions[notes->order[middle]].ident < ident)
	low = middle + 1;
      else
	high = middle;
    }
  const struct gcov_notes_function *found
    = low < notes->function_count ? &notes->functions[notes->order[low]] : NULL;
  return found != NULL && found->ident == ident ? found->name : NULL;
}

/* Name the functions before whose notes are missing.  */
static void
name_by_idents (struct fit_functions *functions,
		const struct gcov_fit_after *after, size_t m)
{
  for (size_t i = 0; i < m; i++)
    {
      if (after[i].before == GCOV_FIT_NEW)
	continue;
      size_t end = find_unit (functions, after[i].before + 1);
      for (size_t k = find_unit (functions, after[i].before); k < end; k++)
	if (functions->before[k].name == NULL)
	  functions->before[k].name
	    = name_of_ident (after[i].notes,
			     functions->before[k].counted->ident);
    }
}

/* ---- Functions of one name.  */

static bool
is_taken (const struct fit_functions *functions, size_t before)
{
  return functions->before[before].after != FIT_NO_FUNCTION;
}

/* The functions that are not taken yet, by key.  */
struct key
{
  const char *name; /* NULL: the hash is used */
  uint64_t hash;
  size_t unit; /* before */
  size_t function;
};

struct keys
{
  struct key *keys;
  size_t count;
};

static int
compare_names (const struct key *a, const struct key *b)
{
  if (a->name != NULL && b->name != NULL)
    return strcmp (a->name, b->name);
  return (a->hash > b->hash) - (a->hash < b->hash);
}

static int
compare_keys (const void *element1, const void *element2)
{
  const struct key *a = element1;
  const struct key *b = element2;
  int order = compare_names (a, b);
  if (order == 0)
    order = (a->unit > b->unit) - (a->unit < b->unit);
  return order != 0 ? order
		    : (a->function > b->function) - (a->function < b->function);
}

/* Return the first key not before KEY.  */
static size_t
find_key (const struct keys *keys, const struct key *key)
{
  size_t low = 0;
  size_t high = keys->count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (compare_keys (&keys->keys[middle], key) < 0)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

/* List the functions before that are not taken and have a name: by it, or, if
   IS_PLAIN, by its hash without parameters and classes.  */
static bool
list_keys (struct keys *keys, const struct fit_functions *functions,
	   bool is_plain)
{
  keys->count = 0;
  for (size_t i = 0; i < functions->before_count; i++)
    {
      const struct fit_before *before = &functions->before[i];
      if (is_taken (functions, i) || before->name == NULL)
	continue;
      struct key key
	= { is_plain ? NULL : before->name,
	    is_plain ? plain_name_hash (before->name) : 0, before->unit, i };
      if (!is_plain || key.hash != 0)
	keys->keys[keys->count++] = key;
    }
  qsort (keys->keys, keys->count, sizeof *keys->keys, compare_keys);
  return keys->count > 0;
}

static void
take (struct fit_functions *functions, struct fit_after *after, size_t before)
{
  after->before = before;
  functions->before[before].after = (size_t) (after - functions->after);
}

static void
take_same_names (struct fit_functions *functions, struct keys *keys,
		 const struct gcov_fit_after *units)
{
  if (!list_keys (keys, functions, false))
    return;
  for (size_t i = 0; i < functions->after_count; i++)
    {
      struct fit_after *after = &functions->after[i];
      struct key key = { after->notes->name, 0, units[after->unit].before, 0 };
      if (key.unit == GCOV_FIT_NEW)
	continue;
      for (size_t k = find_key (keys, &key);
	   k < keys->count && compare_names (&keys->keys[k], &key) == 0
	   && keys->keys[k].unit == key.unit;
	   k++)
	if (!is_taken (functions, keys->keys[k].function))
	  {
	    take (functions, after, keys->keys[k].function);
	    break;
	  }
    }
}

/* Functions that moved to another unit.  */
static void
take_moved (struct fit_functions *functions, struct keys *keys)
{
  if (!list_keys (keys, functions, false))
    return;
  for (size_t i = 0; i < functions->after_count; i++)
    {
      struct fit_after *after = &functions->after[i];
      struct key key = { after->notes->name, 0, 0, 0 };
      if (after->before != FIT_NO_FUNCTION)
	continue;
      size_t found = FIT_NO_FUNCTION;
      size_t left = 0;
      for (size_t k = find_key (keys, &key);
	   k < keys->count && compare_names (&keys->keys[k], &key) == 0; k++)
	if (!is_taken (functions, keys->keys[k].function))
	  {
	    found = keys->keys[k].function;
	    left++;
	  }
      if (left == 1)
	take (functions, after, found);
    }
}

/* ---- Functions with other names.  */

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
  return !is_taken (functions, before)
	 && functions->before[before].notes != NULL;
}

/* Take, for each function without a counterpart, the only one left whose name
   differs in parameters, classes or namespaces.  */
static bool
take_plain_names (struct comparison *comparison, struct keys *keys,
		  const struct gcov_fit_after *units)
{
  struct fit_functions *functions = comparison->functions;
  if (!list_keys (keys, functions, true))
    return true;
  for (size_t i = 0; i < functions->after_count; i++)
    {
      struct fit_after *after = &functions->after[i];
      if (after->before != FIT_NO_FUNCTION
	  || units[after->unit].before == GCOV_FIT_NEW)
	continue;
      struct key key = { NULL, plain_name_hash (after->notes->name),
			 units[after->unit].before, 0 };
      size_t k = key.hash != 0 ? find_key (keys, &key) : keys->count;
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
	  take (functions, after, before);
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

/* Return true if BEFORE is between the neighbours of AFTER.  */
static bool
is_between (const struct fit_functions *functions, const struct unit_pair *pair,
	    size_t before, size_t after)
{
  size_t previous = neighbour (functions, pair, after, false);
  size_t next = neighbour (functions, pair, after, true);
  return (previous == FIT_NO_FUNCTION || before > previous)
	 && (next == FIT_NO_FUNCTION || before < next);
}

/* Set *BEST to the function that is most like AFTER; FIT_NO_FUNCTION if none is
   similar enough.  */
static bool
find_most_similar (struct comparison *comparison, const struct unit_pair *pair,
		   size_t after, size_t *best)
{
  struct fit_functions *functions = comparison->functions;
  double most = 0;
  *best = FIT_NO_FUNCTION;
  for (size_t i = pair->first_before; i < pair->end_before; i++)
    {
      double similarity;
      if (!is_free (functions, i))
	continue;
      if (!compare (comparison, i, after, &similarity))
	return false;
      bool is_near = is_between (functions, pair, i, after);
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
      take (functions, &functions->after[i], best);
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
	 && is_taken (functions, before)
	 && !fit_functions_are_equal (whole,
				      functions->after[whole->after].notes);
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
	= { .first_before = find_unit (functions, units[unit].before),
	    .end_before = find_unit (functions, units[unit].before + 1),
	    .first_after = first,
	    .end_after = end };
      if (!take_similar (comparison, &pair) || !take_parts (comparison, &pair))
	return false;
    }
  return true;
}

static bool
take_others (struct fit_functions *functions, struct keys *keys,
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

bool
fit_functions_find (struct fit_functions *functions,
		    const struct gcov_fit_before *before, size_t n,
		    const struct gcov_fit_after *after, size_t m)
{
  struct keys keys = { 0 };
  *functions = (struct fit_functions){ 0 };
  if (!list_before (functions, before, n) || !list_after (functions, after, m))
    return false;
  keys.keys = calloc (functions->before_count + 1, sizeof *keys.keys);
  bool is_done = keys.keys != NULL;
  if (is_done)
    {
      name_by_idents (functions, after, m);
      take_same_names (functions, &keys, after);
      take_moved (functions, &keys);
      is_done = take_others (functions, &keys, after);
    }
  free (keys.keys);
  return is_done;
}
