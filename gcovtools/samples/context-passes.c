/* What is done to a context-sensitive profile after counting.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "context-passes.h"
#include "nested-contexts.h"
#include "sample-summary.h"
#include "sampled-functions.h"

/* Contexts with fewer samples than the counts that make up this share of all,
   in millionths, are cold.  */
#define HOT_SHARE 990000

/* Return from which total on contexts are kept.  */
static uint64_t
find_least (const struct sample_summary *summary)
{
  for (size_t i = 0; i < SUMMARY_CUTOFFS; i++)
    if (summary->cutoffs[i].cutoff == HOT_SHARE)
      return summary->cutoffs[i].least;
  return 0;
}

/* ---- Contexts with few samples.  */

struct trimming
{
  const struct context_rules *rules;
  uint64_t least; /* total of what is kept */
  struct sample_profile *kept;
  struct sample_profile *merged;
  struct profile_error *err;
};

/* Add FUNCTION to PROFILE, with its inner COUNT callers.  */
static bool
add_function (const struct trimming *trimming, struct sample_profile *profile,
	      const struct sample_function *function, uint32_t count,
	      bool has_attributes)
{
  uint32_t first
    = function->caller_count > count ? function->caller_count - count : 0;
  struct sample_function *target
    = sample_profile_add_function (profile, function->callers + first,
				   function->caller_count - first,
				   function->name);
  if (target == NULL)
    return profile_error_set_memory (trimming->err, NULL);
  if (has_attributes)
    target->attributes = function->attributes;
  return sample_function_merge (profile, target, function, trimming->err);
}

/* Keep FUNCTION of the profile, merge it, or leave it out.  */
static bool
sort_function (const struct trimming *trimming,
	       const struct sample_function *function)
{
  const struct context_rules *rules = trimming->rules;
  /* Contexts that should be inlined stay, unless they are merged.  */
  bool may_go
    = rules->merges_cold || !rules->preinlines || function->caller_count == 0;
  if (function->total >= trimming->least || !may_go)
    return add_function (trimming, trimming->kept, function,
			 function->caller_count, true);
  return !rules->merges_cold
	 || add_function (trimming, trimming->merged, function,
			  rules->cold_frames - 1, false);
}

/* Add FUNCTION, which was merged from others, to those that are kept.  */
static bool
keep_merged (const struct trimming *trimming,
	     const struct sample_function *function)
{
  if (trimming->rules->trims_cold && function->total < trimming->least
      && sample_profile_find_function (trimming->kept, function->callers,
				       function->caller_count, function->name)
	   == NULL)
    return true;
  return add_function (trimming, trimming->kept, function,
		       function->caller_count, false);
}

/* Return PROFILE without contexts of less than LEAST samples.  */
static struct sample_profile *
trim (const struct sample_profile *profile, const struct context_rules *rules,
      uint64_t least, struct profile_error *err)
{
  struct trimming trimming
    = { .rules = rules,
	.least = least,
	.kept = sample_profile_copy_names (profile, 0, err),
	.err = err };
  if (trimming.kept != NULL)
    trimming.merged = sample_profile_copy_names (profile, 0, err);
  bool is_done = trimming.merged != NULL;
  for (uint32_t i = 0; is_done && i < sample_profile_function_count (profile);
       i++)
    is_done = sort_function (&trimming, sample_profile_function (profile, i));
  for (uint32_t i = 0;
       is_done && i < sample_profile_function_count (trimming.merged); i++)
    is_done
      = keep_merged (&trimming, sample_profile_function (trimming.merged, i));
  sample_profile_free (trimming.merged);
  if (is_done)
    return trimming.kept;
  sample_profile_free (trimming.kept);
  return NULL;
}

/* ---- Initializers.  */

static bool
is_initializer (const struct sample_profile *profile,
		const struct sample_function *function)
{
  const char *name = sample_profile_name (profile, function->name);
  return name != NULL && sampled_functions_is_initializer (name);
}

static void
drop_inlined (const struct sample_profile *profile,
	      struct sample_function *function)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < function->call_site_count; i++)
    {
      struct sample_function *inlinee = function->call_sites[i].inlinee;
      if (is_initializer (profile, inlinee))
	continue;
      drop_inlined (profile, inlinee);
      function->call_sites[kept++] = function->call_sites[i];
    }
  function->call_site_count = kept;
}

static bool
is_no_initializer (void *closure, const struct sample_function *function)
{
  return !is_initializer (closure, function);
}

/* Return PROFILE, which is used up, but must still be freed if it is not the
   result, without initializers.  */
static struct sample_profile *
drop_initializers (struct sample_profile *profile, struct profile_error *err)
{
  bool has_any = false;
  for (uint32_t i = 0; i < sample_profile_function_count (profile); i++)
    {
      struct sample_function *function = sample_profile_function (profile, i);
      drop_inlined (profile, function);
      has_any |= is_initializer (profile, function);
    }
  return has_any ? sample_profile_copy_functions (profile, 0, is_no_initializer,
						  profile, err)
		 : profile;
}

/* Replace *PROFILE by RESULT and return true; false if that is NULL.  */
static bool
replace (struct sample_profile **profile, struct sample_profile *result)
{
  if (result != *profile)
    sample_profile_free (*profile);
  *profile = result;
  return result != NULL;
}

struct sample_profile *
context_passes_run (struct sample_profile **profile,
		    const struct context_sizes *sizes,
		    const struct context_rules *rules,
		    struct profile_error *err)
{
  struct sample_summary summary;
  if (!sample_summary_make (&summary, *profile, err))
    return NULL;
  uint64_t least = find_least (&summary);
  /* With very many contexts, each copy counts.  */
  struct sample_profile *result = *profile;
  *profile = NULL;
  bool is_done = true;
  if (rules->preinlines)
    is_done = replace (&result, preinliner_run (result, sizes, &rules->inlining,
						&summary, err));
  if (is_done && (rules->merges_cold || rules->trims_cold) && least > 0)
    is_done = replace (&result, trim (result, rules, least, err));
  if (is_done && rules->nests)
    is_done = replace (&result, nested_contexts_make (result, err));
  if (is_done)
    replace (&result, drop_initializers (result, err));
  return result;
}
