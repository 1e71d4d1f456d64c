/* Limits on the growth of a heap profile, for `diff --fail-if'.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "diff-limits.h"
#include "diagnostics.h"
#include <math.h>

/* Parse TEXT into *LIMIT.  */
static bool
take_limit (const char *text, struct diff_limit *limit)
{
  return growth_limit_parse (text, &limit->growth)
	 && !signbit (limit->growth.growth)
	 && context_measure_from_name (limit->growth.key, &limit->measure);
}

bool
diff_limits_add (struct diff_limits *limits, const char *text)
{
  if (limits->count == DIFF_MAX_LIMITS)
    diagnostics_usage ("diff", "too many limits (at most %d)", DIFF_MAX_LIMITS);
  else if (!take_limit (text, &limits->limits[limits->count]))
    diagnostics_usage (
      "diff", "invalid limit '%s' (expected KEY+NUMBER or KEY+NUMBER%%)", text);
  else
    {
      limits->count++;
      return true;
    }
  return false;
}

/* Add what LIMIT means for HEAP to CASES.  */
static bool
check_limit (const struct diff_limit *limit, const struct profile_pair *pair,
	     const struct diff_heap *heap, struct limit_cases *cases)
{
  const char *name = context_measure_name (limit->measure);
  char text[2][DIFF_NUMBER_BYTES];
  for (int side = 0; side < 2; side++)
    if (!diff_heap_has (heap, side, (int) limit->measure))
      return limit_cases_add (cases, pair->paths[side], limit->growth.text,
			      false, "this profile has no data for %s", name);
  const diff_number *totals = heap->measures[limit->measure].totals;
  long double growth = (long double) (totals[DIFF_B] - totals[DIFF_A]);
  long double allowed
    = limit->growth.is_percent
	? (long double) totals[DIFF_A] * limit->growth.growth / 100
	: limit->growth.growth;
  bool is_within = growth <= allowed;
  return limit_cases_add (cases, pair->paths[DIFF_B], limit->growth.text,
			  is_within,
			  is_within
			    ? "%s went from %s to %s, within the limit %s"
			    : "%s grew from %s to %s, exceeding the limit %s",
			  name,
			  diff_number_text (text[0], totals[DIFF_A], false,
					    false),
			  diff_number_text (text[1], totals[DIFF_B], false,
					    false),
			  limit->growth.text);
}

bool
diff_limits_check (const struct diff_limits *limits,
		   const struct profile_pair *pair,
		   const struct diff_heap *heap, struct limit_cases *cases)
{
  bool is_done = true;
  for (size_t i = 0; i < limits->count && is_done; i++)
    is_done = heap != NULL
		? check_limit (&limits->limits[i], pair, heap, cases)
		: limit_cases_add (cases, pair->paths[DIFF_B],
				   limits->limits[i].growth.text, false,
				   "no heap profile for the limit to apply to");
  return is_done;
}
