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

/* Print that LIMIT is exceeded.  */
static void
print_excess (const struct profile_pair *pair, const struct diff_limit *limit,
	      const diff_number totals[2])
{
  char text[2][DIFF_NUMBER_BYTES];
  struct profile_error err;
  profile_error_set (&err, pair->paths[DIFF_B], PROFILE_ERROR_NO_OFFSET,
		     "%s grew from %s to %s, exceeding the limit %s",
		     context_measure_name (limit->measure),
		     diff_number_text (text[0], totals[DIFF_A], false, false),
		     diff_number_text (text[1], totals[DIFF_B], false, false),
		     limit->growth.text);
  diagnostics_error (&err);
}

bool
diff_limits_check (const struct diff_limits *limits,
		   const struct profile_pair *pair,
		   const struct diff_heap *heap)
{
  struct profile_error err;
  bool is_within = true;
  if (limits->count > 0 && heap == NULL)
    {
      profile_error_set (&err, pair->paths[DIFF_B], PROFILE_ERROR_NO_OFFSET,
			 "no heap profile for the limit to apply to");
      diagnostics_error (&err);
      return false;
    }
  for (size_t i = 0; i < limits->count; i++)
    {
      const struct diff_limit *limit = &limits->limits[i];
      const diff_number *totals = heap->measures[limit->measure].totals;
      if (!diff_heap_check_known (heap, pair, limit->measure))
	{
	  is_within = false;
	  continue;
	}
      long double growth = (long double) (totals[DIFF_B] - totals[DIFF_A]);
      long double allowed
	= limit->growth.is_percent
	    ? (long double) totals[DIFF_A] * limit->growth.growth / 100
	    : limit->growth.growth;
      if (growth <= allowed)
	continue;
      print_excess (pair, limit, totals);
      is_within = false;
    }
  return is_within;
}
