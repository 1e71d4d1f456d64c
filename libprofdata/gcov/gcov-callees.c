/* Lookup of functions in GCC's counters by ident.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-callees.h"
#include "function-id.h"
#include "gcov-names.h"
#include <stdlib.h>
#include <string.h>

static int
compare_callees (const void *element1, const void *element2)
{
  const struct gcov_callee *a = element1;
  const struct gcov_callee *b = element2;
  if (a->ident != b->ident)
    return a->ident < b->ident ? -1 : 1;
  return (a->guid > b->guid) - (a->guid < b->guid);
}

bool
gcov_callees_make (struct gcov_callees *callees,
		   const struct gcov_profile *gcov)
{
  size_t most = 0;
  for (size_t i = 0; i < gcov->unit_count; i++)
    most += gcov->units[i]->function_count;
  callees->count = 0;
  callees->callees = calloc (most + 1, sizeof *callees->callees);
  if (!callees->callees)
    return false;
  for (size_t i = 0; i < gcov->unit_count; i++)
    for (uint32_t j = 0; j < gcov->units[i]->function_count; j++)
      {
	const struct gcov_function *function = &gcov->units[i]->functions[j];
	char *name = gcov_names_indexed (function);
	if (!name)
	  return false;
	callees->callees[callees->count++] = (struct gcov_callee){
	  function->ident, function_guid (name, strlen (name)), function->name
	};
	free (name);
      }
  qsort (callees->callees, callees->count, sizeof *callees->callees,
	 compare_callees);
  return true;
}

void
gcov_callees_free (struct gcov_callees *callees)
{
  free (callees->callees);
}

const struct gcov_callee *
gcov_callees_find (const struct gcov_callees *callees, int64_t ident)
{
  size_t low = 0;
  size_t high = callees->count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (callees->callees[middle].ident < ident)
	low = middle + 1;
      else
	high = middle;
    }
  size_t end = low;
  while (end < callees->count && callees->callees[end].ident == ident)
    end++;
  if (end == low
      || callees->callees[low].guid != callees->callees[end - 1].guid)
    return NULL;
  return &callees->callees[low];
}
