/* The summary of a sample profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "sample-summary.h"
#include <stdlib.h>

static uint64_t
count_bodies (const struct sample_function *function)
{
  uint64_t n = function->body_count;
  for (uint32_t i = 0; i < function->call_site_count; i++)
    n += count_bodies (function->call_sites[i].inlinee);
  return n;
}

/* Add the body samples of FUNCTION, and append their counts to VALUES.  */
static void
add_bodies (struct sample_summary *summary,
	    const struct sample_function *function, uint64_t *values)
{
  for (uint32_t i = 0; i < function->body_count; i++)
    {
      uint64_t count = function->bodies[i].count;
      sample_count_add (&summary->total, count);
      if (count > summary->greatest)
	summary->greatest = count;
      values[summary->count_count++] = count;
    }
  for (uint32_t i = 0; i < function->call_site_count; i++)
    add_bodies (summary, function->call_sites[i].inlinee, values);
}

/* sample_summary_make for a profile without contexts.  */
static bool
sum_up (struct sample_summary *summary, const struct sample_profile *profile,
	struct profile_error *err)
{
  uint32_t count = sample_profile_function_count (profile);
  uint64_t bodies = 0;
  *summary = (struct sample_summary){ .function_count = count };
  for (uint32_t i = 0; i < count; i++)
    bodies += count_bodies (sample_profile_function (profile, i));
  uint64_t *values = calloc (bodies + 1, sizeof *values);
  if (!values)
    return profile_error_set_memory (err, NULL);
  for (uint32_t i = 0; i < count; i++)
    {
      const struct sample_function *function
	= sample_profile_function (profile, i);
      if (function->head > summary->greatest_head)
	summary->greatest_head = function->head;
      add_bodies (summary, function, values);
    }
  summary_cutoffs_find (summary->cutoffs, summary->total, values,
			summary->count_count);
  free (values);
  return true;
}

bool
sample_summary_make (struct sample_summary *summary,
		     const struct sample_profile *profile,
		     struct profile_error *err)
{
  if (!(sample_profile_flags (profile) & SAMPLE_CONTEXT_SENSITIVE))
    return sum_up (summary, profile, err);
  struct sample_profile *copy
    = sample_profile_copy (profile, SAMPLE_DROP_CONTEXTS, err);
  bool is_done = copy && sum_up (summary, copy, err);
  sample_profile_free (copy);
  return is_done;
}
