/* Values at single operations of a function whose source changed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fit-values.h"
#include "gcov-call-places.h"
#include <stdlib.h>
#include <string.h>

/* Counters of one operation, by kind; 0: it has a site.  */
static const uint32_t operation_counters[GCOV_KINDS] = {
  [GCOV_KIND_INTERVAL] = 4,
  [GCOV_KIND_POWER] = 2,
  [GCOV_KIND_AVERAGE] = 2,
  [GCOV_KIND_OR] = 1,
};

int
gcov_value_counts_compare (const void *element1, const void *element2)
{
  const struct gcov_value_counts *a = element1;
  const struct gcov_value_counts *b = element2;
  if (a->ident != b->ident)
    return a->ident < b->ident ? -1 : 1;
  if (a->lineno_checksum != b->lineno_checksum)
    return a->lineno_checksum < b->lineno_checksum ? -1 : 1;
  return (a->cfg_checksum > b->cfg_checksum)
	 - (a->cfg_checksum < b->cfg_checksum);
}

const struct gcov_value_counts *
fit_values_find (const struct gcov_value_counts *all, size_t count,
		 const struct gcov_notes_function *after)
{
  struct gcov_value_counts key = { .ident = after->ident,
				   .lineno_checksum = after->lineno_checksum,
				   .cfg_checksum = after->cfg_checksum };
  return count > 0
	   ? bsearch (&key, all, count, sizeof key, gcov_value_counts_compare)
	   : NULL;
}

bool
fit_values_has_all (const struct gcov_function *function, enum gcov_kind kind,
		    const struct gcov_value_counts *counts)
{
  const struct gcov_vector *vector = gcov_function_vector (function, kind);
  return (vector != NULL ? vector->count : 0) == counts->counters[kind];
}

bool
fit_values_are_checked (enum gcov_kind kind)
{
  return kind == GCOV_KIND_POWER || kind == GCOV_KIND_INTERVAL;
}

bool
fit_values_make_empty (struct gcov_vector *vector, uint32_t n)
{
  vector->count = n;
  if (gcov_kind_has_sites (vector->kind))
    vector->sites = calloc (n + (size_t) 1, sizeof *vector->sites);
  else
    vector->counters = calloc (n + (size_t) 1, sizeof *vector->counters);
  return vector->sites != NULL || vector->counters != NULL;
}

uint32_t
fit_values_operations (const struct gcov_vector *vector)
{
  if (vector == NULL)
    return 0;
  uint32_t each = operation_counters[vector->kind];
  return each > 0 ? vector->count / each : vector->count;
}

/* Return how often operation NUMBER of VALUES was executed; -1 if the counters
   do not tell.  */
static int64_t
executions_of (const struct gcov_vector *values, uint32_t number)
{
  const int64_t *counters = values->counters;
  switch (values->kind)
    {
    case GCOV_KIND_INTERVAL:
      counters += (size_t) 4 * number;
      return (int64_t) ((uint64_t) counters[0] + (uint64_t) counters[1]
			+ (uint64_t) counters[2] + (uint64_t) counters[3]);
    case GCOV_KIND_POWER:
      counters += (size_t) 2 * number;
      return (int64_t) ((uint64_t) counters[0] + (uint64_t) counters[1]);
    case GCOV_KIND_AVERAGE:
      return counters[(size_t) 2 * number + 1];
    case GCOV_KIND_TOPN:
    case GCOV_KIND_CALL:
      {
	uint64_t total = (uint64_t) values->sites[number].total;
	return (int64_t) (values->sites[number].total < 0 ? -total : total);
      }
    default:
      return -1;
    }
}

/* The blocks of the function before that may have an operation of a kind, and
   of each whether it and its number of executions are as before.  */
struct candidates
{
  uint32_t *blocks;
  bool *are_same;
  uint32_t count;
  bool is_single; /* a block has no more than one such operation */
};

static int64_t
count_after (const struct fit_values *function, uint32_t block)
{
  const struct gcov_adjacency *leaving = &function->after->flow->leaving;
  uint64_t sum = 0;
  for (uint32_t i = leaving->first[block]; i < leaving->first[block + 1]; i++)
    sum += (uint64_t) function->fitted[leaving->arcs[i]];
  return (int64_t) sum;
}

static bool
list_candidates (struct candidates *candidates,
		 const struct fit_values *function, enum gcov_kind kind)
{
  const struct gcov_notes_function *before = function->before->function;
  const struct block_match *match = function->match;
  size_t most = before->block_count + (size_t) 1;
  candidates->blocks = calloc (most, sizeof *candidates->blocks);
  candidates->are_same = calloc (most, sizeof *candidates->are_same);
  if (candidates->blocks == NULL || candidates->are_same == NULL)
    return false;
  candidates->is_single = kind == GCOV_KIND_CALL;
  if (candidates->is_single)
    candidates->count
      = gcov_call_blocks (candidates->blocks, before, function->before->flow);
  else
    /* The entry and the exit have no operations.  */
    for (uint32_t block = 2; block < before->block_count; block++)
      candidates->blocks[candidates->count++] = block;
  for (uint32_t i = 0; i < candidates->count; i++)
    {
      uint32_t block = candidates->blocks[i];
      uint32_t partner = match->partners[block];
      candidates->are_same[i]
	= partner != BLOCK_MATCH_NONE && match->is_alike[block]
	  && count_after (function, partner)
	       == function->before->flow->block_counts[block];
    }
  return true;
}

/* Set *KEEPS of each of the N operations of VALUES to whether all blocks that
   it may be in are the same.  None is if they cannot be placed.  Operations
   are in the order of blocks.  */
static void
place_operations (bool *keeps, uint32_t *first,
		  const struct gcov_vector *values, uint32_t n,
		  const struct candidates *candidates,
		  const struct gcov_flow *flow)
{
  uint32_t next = 0;
  for (uint32_t i = 0; i < n; i++)
    {
      int64_t executions = executions_of (values, i);
      while (next < candidates->count
	     && flow->block_counts[candidates->blocks[next]] != executions)
	next++;
      if (next == candidates->count)
	{
	  memset (keeps, 0, n * sizeof *keeps);
	  return;
	}
      first[i] = next;
      next += candidates->is_single;
    }
  uint32_t end = candidates->count;
  for (uint32_t i = n; i-- > 0;)
    {
      int64_t executions = executions_of (values, i);
      while (flow->block_counts[candidates->blocks[end - 1]] != executions)
	end--;
      keeps[i] = true;
      for (uint32_t k = first[i]; k < end; k++)
	if (flow->block_counts[candidates->blocks[k]] == executions)
	  keeps[i] &= candidates->are_same[k];
      end -= candidates->is_single;
    }
}

/* Set KEEPS of each of the N operations of VALUES.  */
static bool
choose (bool *keeps, const struct gcov_vector *values, uint32_t n,
	const struct fit_values *function)
{
  /* What an alignment is does not depend on how often it was seen.  */
  if (values->kind == GCOV_KIND_OR)
    {
      memset (keeps, true, n * sizeof *keeps);
      return true;
    }
  struct candidates candidates = { 0 };
  uint32_t *first = calloc (n + (size_t) 1, sizeof *first);
  bool is_done
    = first != NULL && list_candidates (&candidates, function, values->kind);
  if (is_done)
    place_operations (keeps, first, values, n, &candidates,
		      function->before->flow);
  free (first);
  free (candidates.blocks);
  free (candidates.are_same);
  return is_done;
}

static bool
copy_site (struct gcov_site *into, const struct gcov_site *site)
{
  into->targets
    = calloc (site->target_count + (size_t) 1, sizeof *into->targets);
  if (into->targets == NULL)
    return false;
  into->total = site->total;
  into->target_count = site->target_count;
  if (site->target_count > 0)
    memcpy (into->targets, site->targets,
	    site->target_count * sizeof *site->targets);
  return true;
}

/* Make *INTO a copy of VALUES with the N operations that KEEPS says; the others
   are as if they were never executed.  */
static bool
copy_kept (struct gcov_vector *into, const struct gcov_vector *values,
	   uint32_t n, const bool *keeps)
{
  uint32_t each = operation_counters[values->kind];
  if (each == 0)
    into->sites = calloc (n + (size_t) 1, sizeof *into->sites);
  else
    into->counters
      = calloc (values->count + (size_t) 1, sizeof *into->counters);
  if (each == 0 ? into->sites == NULL : into->counters == NULL)
    return false;
  into->count = values->count;
  for (uint32_t i = 0; i < n; i++)
    if (keeps[i] && each > 0)
      memcpy (into->counters + (size_t) each * i,
	      values->counters + (size_t) each * i,
	      each * sizeof *into->counters);
    else if (keeps[i] && !copy_site (&into->sites[i], &values->sites[i]))
      return false;
  return true;
}

bool
fit_values_keep (struct gcov_vector *into, const struct gcov_vector *values,
		 const struct fit_values *function, uint64_t *kept)
{
  uint32_t n = fit_values_operations (values);
  struct gcov_vector zeros = { .kind = values->kind };
  bool *keeps = calloc (n + (size_t) 1, sizeof *keeps);
  bool is_done = keeps != NULL;
  if (is_done && values->counters == NULL && values->sites == NULL)
    {
      is_done = fit_values_make_empty (&zeros, values->count);
      values = &zeros;
    }
  is_done = is_done && choose (keeps, values, n, function);
  uint32_t count = 0;
  for (uint32_t i = 0; is_done && i < n; i++)
    count += keeps[i];
  /* GCC compares the sums of these with the counts of blocks.  */
  if (fit_values_are_checked (values->kind) && count < n)
    count = 0;
  if (is_done && count > 0)
    is_done = copy_kept (into, values, n, keeps);
  *kept += count;
  gcov_vector_clear (&zeros);
  free (keeps);
  return is_done;
}
