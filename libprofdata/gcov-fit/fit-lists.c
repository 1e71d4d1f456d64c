/* The functions of both versions of a program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fit-lists.h"
#include <stdlib.h>

void
fit_lists_release (struct fit_functions *functions)
{
  for (size_t i = 0; i < functions->before_count; i++)
    gcov_flow_free (&functions->before[i].flow);
  free (functions->before);
  free (functions->after);
  *functions = (struct fit_functions){ 0 };
}

bool
fit_lists_are_equal (const struct fit_before *before,
		     const struct gcov_notes_function *after)
{
  const struct gcov_vector *arcs
    = gcov_function_vector (before->counted, GCOV_KIND_ARCS);
  return before->counted->cfg_checksum == after->cfg_checksum && arcs != NULL
	 && arcs->count == after->counter_count;
}
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

size_t
fit_lists_find_unit (const struct fit_functions *functions, size_t unit)
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
      size_t end = fit_lists_find_unit (functions, after[i].before + 1);
      for (size_t k = fit_lists_find_unit (functions, after[i].before); k < end;
	   k++)
	if (functions->before[k].name == NULL)
	  functions->before[k].name
	    = name_of_ident (after[i].notes,
			     functions->before[k].counted->ident);
    }
}

bool
fit_lists_make (struct fit_functions *functions,
		const struct gcov_fit_before *before, size_t n,
		const struct gcov_fit_after *after, size_t m)
{
  *functions = (struct fit_functions){ 0 };
  if (!list_before (functions, before, n) || !list_after (functions, after, m))
    return false;
  name_by_idents (functions, after, m);
  return true;
}

void
fit_lists_take (struct fit_functions *functions, struct fit_after *after,
		size_t before)
{
  after->before = before;
  functions->before[before].after = (size_t) (after - functions->after);
}
