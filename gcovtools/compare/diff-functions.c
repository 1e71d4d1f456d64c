/* Differences between functions, by counters or samples.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "diff.h"
#include <stdlib.h>
#include <string.h>

bool
diff_functions_init (struct diff_functions *diff, size_t count)
{
  *diff = (struct diff_functions){ 0 };
  diff->listed = calloc (count + 1, sizeof *diff->listed);
  return diff->listed != NULL;
}

void
diff_functions_add (struct diff_functions *diff,
		    const struct diff_function *entry, bool is_listed)
{
  diff->counts[entry->status]++;
  for (int i = 0; i < DIFF_FUNCTION_MEASURES; i++)
    diff_measure_add (&diff->measures[i], entry->status, entry->sums[i]);
  if (!is_listed || entry->status == DIFF_UNCHANGED)
    {
      free (entry->title);
      return;
    }
  struct diff_function *listed = &diff->listed[diff->listed_count++];
  *listed = *entry;
  listed->change
    = (diff_number) entry->sums[0][DIFF_B] - entry->sums[0][DIFF_A];
}

static int
compare_entries (const void *element1, const void *element2)
{
  const struct diff_function *a = element1;
  const struct diff_function *b = element2;
  diff_number change1 = a->change < 0 ? -a->change : a->change;
  diff_number change2 = b->change < 0 ? -b->change : b->change;
  if (change1 != change2)
    return change1 > change2 ? -1 : 1;
  int order = strcmp (a->name, b->name);
  if (order != 0)
    return order;
  return a->hash != b->hash ? (a->hash > b->hash) - (a->hash < b->hash)
			    : (int) a->status - (int) b->status;
}

void
diff_functions_sort (struct diff_functions *diff)
{
  qsort (diff->listed, diff->listed_count, sizeof *diff->listed,
	 compare_entries);
}

void
diff_functions_release (struct diff_functions *diff)
{
  for (size_t i = 0; i < diff->listed_count; i++)
    free (diff->listed[i].title);
  free (diff->listed);
}
