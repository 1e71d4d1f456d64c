/* The blocks that contain a function's indirect calls.
   SPDX-License-Identifier: GPL-3.0-or-later

   Both calls and sites are in block order.  So the call of a site lies between
   the earliest and the latest call that leave matching calls for the sites
   before and after it.  */

#include "gcov-call-places.h"
#include <stdlib.h>
#include <string.h>

/* A block that ends with a call.  */
struct call
{
  uint32_t block;
  uint32_t line; /* 0: in another file, or unknown */
  int64_t count;
};

/* Return the last line of FUNCTION's BLOCK; 0 if it is in another file or there
   is none.  The search starts at *GROUP, which is moved past BLOCK.  */
static uint32_t
last_line (const struct gcov_notes_function *function, uint32_t block,
	   uint32_t *group)
{
  uint32_t line = 0;
  while (*group < function->group_count
	 && function->groups[*group].block < block)
    ++*group;
  for (; *group < function->group_count
	 && function->groups[*group].block == block;
       ++*group)
    {
      const struct gcov_line_group *lines = &function->groups[*group];
      if (lines->count == 0)
	continue;
      line = (strcmp (lines->file, function->file) != 0
		? 0
		: function->lines[lines->first + lines->count - 1]);
    }
  return line;
}

uint32_t
gcov_call_blocks (uint32_t *blocks, const struct gcov_notes_function *function,
		  const struct gcov_flow *flow)
{
  uint32_t n = 0;
  for (uint32_t block = 1; block < function->block_count; block++)
    for (uint32_t i = flow->leaving.first[block];
	 i < flow->leaving.first[block + 1]; i++)
      if (function->arcs[flow->leaving.arcs[i]].flags & GCOV_ARC_FAKE)
	{
	  blocks[n++] = block;
	  break;
	}
  return n;
}

/* Return the calls of FUNCTION, malloced, and set *N to their number.  NULL if
   memory is exhausted.  */
static struct call *
list_calls (const struct gcov_notes_function *function,
	    const struct gcov_flow *flow, uint32_t *n)
{
  size_t most = function->block_count + (size_t) 1;
  struct call *calls = calloc (most, sizeof *calls);
  uint32_t *blocks = calloc (most, sizeof *blocks);
  uint32_t group = 0;
  *n = blocks ? gcov_call_blocks (blocks, function, flow) : 0;
  for (uint32_t i = 0; calls && i < *n; i++)
    calls[i]
      = (struct call){ blocks[i], last_line (function, blocks[i], &group),
		       flow->block_counts[blocks[i]] };
  if (!blocks)
    {
      free (calls);
      calls = NULL;
    }
  free (blocks);
  return calls;
}

/* Return how often SITE was executed; its total is negative if values were
   lost.  */
static int64_t
site_total (const struct gcov_site *site)
{
  return site->total < 0 ? -(uint64_t) site->total : (uint64_t) site->total;
}

/* Set EARLIEST and LATEST of each of the COUNT SITES among the N CALLS.  Return
   false if they cannot be placed.  */
static bool
bound_sites (uint32_t *earliest, uint32_t *latest, const struct call *calls,
	     uint32_t n, const struct gcov_site *sites, uint32_t count)
{
  uint32_t next = 0;
  for (uint32_t i = 0; i < count; i++)
    {
      while (next < n && calls[next].count != site_total (&sites[i]))
	next++;
      if (next == n)
	return false;
      earliest[i] = next++;
    }
  next = n;
  for (uint32_t i = count; i-- > 0;)
    {
      while (calls[--next].count != site_total (&sites[i]))
	;
      latest[i] = next;
    }
  return true;
}

/* Return the place of the site with TOTAL executions, between EARLIEST and
   LATEST of CALLS.  */
static struct gcov_call_place
choose_place (const struct call *calls, uint32_t earliest, uint32_t latest,
	      int64_t total, const uint32_t *block_places)
{
  const struct call *first = &calls[earliest];
  for (uint32_t i = earliest + 1; i <= latest; i++)
    if (calls[i].count == total
	&& (calls[i].line != first->line
	    || block_places[calls[i].block] != block_places[first->block]))
      return (struct gcov_call_place){ UINT32_MAX, 0 };
  return (struct gcov_call_place){ first->line != 0 ? first->block : UINT32_MAX,
				   first->line };
}

bool
gcov_call_places_find (struct gcov_call_place *places,
		       const struct gcov_notes_function *function,
		       const struct gcov_flow *flow,
		       const uint32_t *block_places,
		       const struct gcov_site *sites, uint32_t count)
{
  uint32_t n;
  struct call *calls = list_calls (function, flow, &n);
  uint32_t *earliest = calloc (count + (size_t) 1, sizeof *earliest);
  uint32_t *latest = calloc (count + (size_t) 1, sizeof *latest);
  bool done = calls && earliest && latest;
  if (done)
    {
      bool fits = bound_sites (earliest, latest, calls, n, sites, count);
      for (uint32_t i = 0; i < count; i++)
	places[i] = fits ? choose_place (calls, earliest[i], latest[i],
					 site_total (&sites[i]), block_places)
			 : (struct gcov_call_place){ UINT32_MAX, 0 };
    }
  free (calls);
  free (earliest);
  free (latest);
  return done;
}

bool
gcov_call_places_last (uint32_t *last,
		       const struct gcov_notes_function *function,
		       const struct gcov_flow *flow,
		       const struct gcov_site *sites, uint32_t count)
{
  uint32_t n;
  struct call *calls = list_calls (function, flow, &n);
  uint32_t *earliest = calloc (count + (size_t) 1, sizeof *earliest);
  bool done = calls && earliest;
  bool fits = done && bound_sites (earliest, last, calls, n, sites, count);
  for (uint32_t i = 0; done && i < count; i++)
    last[i] = fits ? calls[last[i]].block : UINT32_MAX;
  free (calls);
  free (earliest);
  return done;
}
