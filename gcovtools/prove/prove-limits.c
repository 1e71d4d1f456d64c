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

/* Add to CASES that VARIANT is within LIMIT, or is not.  */
static bool
add_case (struct limit_cases *cases, const struct prove *prove,
	  const struct prove_variant *variant, enum prove_measure measure,
	  const struct growth_limit *limit)
{
  const struct prove_variant *base = &prove->variants[variant->base];
  const struct prove_result *result = &variant->results[measure];
  const struct ratio_interval *ratio = &result->ratio;
  const char *name = prove_measure_name (measure);
  char bounds[60] = "";
  if (result->count == 0 || base->results[measure].count == 0)
    return limit_cases_add (cases, variant->name, limit->text, false,
			    "%s was not measured, for the limit %s", name,
			    limit->text);
  bool is_within = !is_exceeded (limit, result, &base->results[measure]);
  const char *words = is_within ? "within" : "exceeding";
  if (ratio->has_bounds)
    snprintf (bounds, sizeof bounds, " (95%% interval %.3f to %.3f)",
	      ratio->low, ratio->high);
  if (!ratio->is_known)
    return limit_cases_add (cases, variant->name, limit->text, is_within,
			    "%s is %.0f, of %s %.0f, %s the limit %s", name,
			    result->median, base->name,
			    base->results[measure].median, words, limit->text);
  return limit_cases_add (cases, variant->name, limit->text, is_within,
			  "%s is %.3f%s of that of %s, %s the limit %s", name,
			  ratio->ratio, bounds, base->name, words, limit->text);
}

bool
prove_limits_check (const struct prove_limits *limits,
		    const struct prove *prove, struct limit_cases *cases)
{
  for (size_t i = 0; i < limits->count; i++)
    for (size_t j = 0; j < prove->variant_count; j++)
      if (prove->variants[j].base != j
	  && !add_case (cases, prove, &prove->variants[j],
			limits->limits[i].measure, &limits->limits[i].growth))
	return false;
  return true;
}
