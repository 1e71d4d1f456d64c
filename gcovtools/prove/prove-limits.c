/* Limits on variants of a program, for `prove --fail-if'.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "diagnostics.h"
#include "prove.h"
#include <math.h>
#include <stdio.h>

bool
prove_limits_add (struct prove_limits *limits, const char *text)
{
  struct growth_limit growth;
  enum prove_measure measure;
  if (limits->count == PROVE_MAX_LIMITS)
    diagnostics_usage ("prove", "too many limits (at most %d)",
		       PROVE_MAX_LIMITS);
  else if (!growth_limit_parse (text, &growth) || !growth.is_percent
	   || !prove_measure_find (growth.key, &measure))
    diagnostics_usage ("prove",
		       "invalid limit '%s' (expected KEY+NUMBER%% or "
		       "KEY-NUMBER%%)",
		       text);
  else
    {
      limits->limits[limits->count].measure = measure;
      limits->limits[limits->count++].growth = growth;
      return true;
    }
  return false;
}

bool
prove_limits_are_measured (const struct prove_limits *limits,
			   const struct prove *prove)
{
  for (size_t i = 0; i < limits->count; i++)
    {
      const char *text = limits->limits[i].growth.text;
      enum prove_measure measure = limits->limits[i].measure;
      if (measure >= PROVE_INSTRUCTIONS && !prove->has_simulation)
	diagnostics_usage ("prove", "limit '%s' needs --cachegrind", text);
      else if (measure == PROVE_PAGES && !prove->has_pages)
	diagnostics_usage ("prove", "limit '%s' contradicts --no-pages", text);
      else
	continue;
      return false;
    }
  return true;
}

/* Return true if the ratio of RESULT to that of BASE must fail: after a plus
   sign if it is certainly too large, after a minus sign unless it is certainly
   small enough.  */
static bool
is_exceeded (const struct growth_limit *limit,
	     const struct prove_result *result, const struct prove_result *base)
{
  const double most = 1 + (double) limit->growth / 100;
  const struct ratio_interval *ratio = &result->ratio;
  if (!ratio->is_known)
    return result->median > base->median * most;
  if (!ratio->has_bounds)
    return ratio->ratio > most;
  return (signbit (limit->growth) ? ratio->high : ratio->low) > most;
}

/* Print that VARIANT exceeds LIMIT.  */
static void
print_excess (const struct prove *prove, const struct prove_variant *variant,
	      enum prove_measure measure, const struct growth_limit *limit)
{
  const struct ratio_interval *ratio = &variant->results[measure].ratio;
  const char *base = prove->variants[variant->base].name;
  const char *name = prove_measure_name (measure);
  struct profile_error err;
  char bounds[60] = "";
  if (ratio->has_bounds)
    snprintf (bounds, sizeof bounds, " (95%% interval %.3f to %.3f)",
	      ratio->low, ratio->high);
  if (variant->results[measure].count == 0)
    profile_error_set (&err, variant->name, PROFILE_ERROR_NO_OFFSET,
		       "%s was not measured, for the limit %s", name,
		       limit->text);
  else if (!ratio->is_known)
    profile_error_set (&err, variant->name, PROFILE_ERROR_NO_OFFSET,
		       "%s is %.0f, of %s %.0f, exceeding the limit %s", name,
		       variant->results[measure].median, base,
		       prove->variants[variant->base].results[measure].median,
		       limit->text);
  else
    profile_error_set (&err, variant->name, PROFILE_ERROR_NO_OFFSET,
		       "%s is %.3f%s of that of %s, exceeding the limit %s",
		       name, ratio->ratio, bounds, base, limit->text);
  diagnostics_error (&err);
}

bool
prove_limits_check (const struct prove_limits *limits,
		    const struct prove *prove)
{
  bool is_within = true;
  for (size_t i = 0; i < limits->count; i++)
    for (size_t j = 0; j < prove->variant_count; j++)
      {
	enum prove_measure measure = limits->limits[i].measure;
	const struct growth_limit *limit = &limits->limits[i].growth;
	const struct prove_variant *variant = &prove->variants[j];
	const struct prove_result *result = &variant->results[measure];
	const struct prove_result *base
	  = &prove->variants[variant->base].results[measure];
	if (variant->base == j
	    || (result->count > 0 && base->count > 0
		&& !is_exceeded (limit, result, base)))
	  continue;
	print_excess (prove, variant, measure, limit);
	is_within = false;
      }
  return is_within;
}
