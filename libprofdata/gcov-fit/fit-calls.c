/* Targets of indirect calls of a function whose source changed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fit-calls.h"
#include "gcov-call-places.h"
#include <stdlib.h>
#include <string.h>

/* The calls of both versions.  */
struct call_lists
{
  uint32_t *before; /* blocks */
  uint32_t *after;
  uint32_t before_count;
  uint32_t after_count;
  uint32_t *last; /* block before that each site may be in */
};

static bool
list_calls (struct call_lists *lists, const struct gcov_vector *calls,
	    const struct block_graph *before, const struct block_graph *after)
{
  lists->before = calloc (before->function->block_count + (size_t) 1,
			  sizeof *lists->before);
  lists->after
    = calloc (after->function->block_count + (size_t) 1, sizeof *lists->after);
  lists->last = calloc (calls->count + (size_t) 1, sizeof *lists->last);
  if (lists->before == NULL || lists->after == NULL || lists->last == NULL)
    return false;
  lists->before_count
    = gcov_call_blocks (lists->before, before->function, before->flow);
  lists->after_count
    = gcov_call_blocks (lists->after, after->function, after->flow);
  return gcov_call_places_last (lists->last, before->function, before->flow,
				calls->sites, calls->count);
}

/* Return how many of the first calls are the same.  */
static uint32_t
count_same (const struct call_lists *lists, const struct block_match *match)
{
  uint32_t n = 0;
  while (n < lists->before_count && n < lists->after_count
	 && match->partners[lists->before[n]] == lists->after[n])
    n++;
  return n;
}

static bool
copy_site (struct gcov_site *into, const struct gcov_site *site)
{
  *into = *site;
  into->targets
    = calloc (site->target_count + (size_t) 1, sizeof *into->targets);
  if (into->targets == NULL)
    {
      into->target_count = 0;
      return false;
    }
  if (site->target_count > 0)
    memcpy (into->targets, site->targets,
	    site->target_count * sizeof *site->targets);
  return true;
}

/* Copy the sites of CALLS whose calls are the same, as LISTS tell.  */
static bool
copy_sites (struct gcov_vector *into, const struct gcov_vector *calls,
	    const struct call_lists *lists, uint32_t same)
{
  uint32_t kept = 0;
  while (kept < calls->count && kept < lists->after_count && same > 0
	 && lists->last[kept] <= lists->before[same - 1])
    kept++;
  if (kept == 0)
    return true;
  into->count = lists->after_count;
  into->sites = calloc (into->count + (size_t) 1, sizeof *into->sites);
  if (into->sites == NULL)
    return false;
  for (uint32_t i = 0; i < kept; i++)
    if (!copy_site (&into->sites[i], &calls->sites[i]))
      return false;
  return true;
}

bool
fit_calls (struct gcov_vector *into, const struct gcov_vector *calls,
	   const struct block_match *match, const struct block_graph *before,
	   const struct block_graph *after)
{
  struct call_lists lists = { 0 };
  *into = (struct gcov_vector){ .kind = GCOV_KIND_CALL };
  bool is_done
    = list_calls (&lists, calls, before, after)
      && copy_sites (into, calls, &lists, count_same (&lists, match));
  free (lists.before);
  free (lists.after);
  free (lists.last);
  return is_done;
}
