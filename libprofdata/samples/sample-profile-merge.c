/* Ordering, merging and scaling sample profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "sample-profile.h"
#include "function-id.h"
#include "record-table.h"
#include "saturating.h"
#include <stdlib.h>
#include <string.h>

/* ---- Order.  */

static int
compare_falling (uint64_t a, uint64_t b)
{
  return (a < b) - (a > b);
}

int
sample_function_compare_contexts (const struct sample_profile *profile,
				  const struct sample_function *function1,
				  const struct sample_function *function2)
{
  for (uint32_t i = 0;; i++)
    {
      bool is_leaf1 = i == function1->caller_count;
      bool is_leaf2 = i == function2->caller_count;
      struct sample_frame leaf1 = { .name = function1->name };
      struct sample_frame leaf2 = { .name = function2->name };
      const struct sample_frame *frame1
	= is_leaf1 ? &leaf1 : &function1->callers[i];
      const struct sample_frame *frame2
	= is_leaf2 ? &leaf2 : &function2->callers[i];
      int order
	= sample_profile_compare_names (profile, frame1->name, frame2->name);
      if (order == 0)
	order = sample_location_compare (frame1->location, frame2->location);
      if (order != 0 || is_leaf1 || is_leaf2)
	return order != 0 ? order : (int) is_leaf2 - (int) is_leaf1;
    }
}

static int
compare_functions (const void *element1, const void *element2, void *data)
{
  const struct sample_profile *profile = data;
  const struct sample_function *function1
    = sample_profile_function (profile, *(const uint32_t *) element1);
  const struct sample_function *function2
    = sample_profile_function (profile, *(const uint32_t *) element2);
  int order = compare_falling (function1->total, function2->total);
  return (order != 0
	    ? order
	    : sample_function_compare_contexts (profile, function1, function2));
}

uint32_t *
sample_profile_order (const struct sample_profile *profile)
{
  return record_order (sample_profile_function_count (profile),
		       compare_functions, profile);
}

static int
compare_sites (const void *element1, const void *element2, void *data)
{
  const struct sample_call_site *site1 = element1;
  const struct sample_call_site *site2 = element2;
  int order = sample_location_compare (site1->location, site2->location);
  return (order != 0 ? order
		     : sample_profile_compare_names (data, site1->inlinee->name,
						     site2->inlinee->name));
}

static int
compare_counts (const void *element1, const void *element2, void *data)
{
  const struct sample_count *count1 = element1;
  const struct sample_count *count2 = element2;
  int order = compare_falling (count1->count, count2->count);
  return (order != 0
	    ? order
	    : sample_profile_compare_names (data, count1->name, count2->name));
}

/* Return a malloced copy of the N RECORDS of SIZE bytes.  */
static void *
copy_records (const void *records, size_t n, size_t size)
{
  void *copy = calloc (n + 1, size);
  if (copy && n > 0)
    memcpy (copy, records, n * size);
  return copy;
}

struct sample_call_site *
sample_function_ordered_sites (const struct sample_profile *profile,
			       const struct sample_function *function)
{
  uint32_t count = function->call_site_count;
  struct sample_call_site *sites
    = copy_records (function->call_sites, count, sizeof *sites);
  if (sites)
    qsort_r (sites, count, sizeof *sites, compare_sites, (void *) profile);
  return sites;
}

struct sample_count *
sample_counts_ordered (const struct sample_profile *profile,
		       const struct sample_counts *counts)
{
  struct sample_count *copy
    = copy_records (counts->counts, counts->count, sizeof *copy);
  if (copy)
    qsort_r (copy, counts->count, sizeof *copy, compare_counts,
	     (void *) profile);
  return copy;
}

static int
compare_count_names (const void *element1, const void *element2, void *data)
{
  const struct sample_count *count1 = element1;
  const struct sample_count *count2 = element2;
  return sample_profile_compare_names (data, count1->name, count2->name);
}

void
sample_counts_sort_by_name (const struct sample_profile *profile,
			    struct sample_count *counts, size_t n)
{
  qsort_r (counts, n, sizeof *counts, compare_count_names, (void *) profile);
}

/* ---- Merging.  */

struct merging
{
  struct sample_profile *profile;
  const struct sample_profile *source;
  uint32_t *names;   /* in PROFILE, by number in SOURCE; NULL: the same */
  unsigned int drop; /* of enum sample_drop */
  /* Which top-level functions to merge; NULL: all.  */
  bool (*is_wanted) (void *closure, const struct sample_function *function);
  void *closure;
  bool keeps_attributes; /* of functions that are merged into */
  struct profile_error *err;
};

static bool
fail_memory (const struct merging *merging)
{
  return profile_error_set_memory (merging->err, NULL);
}

static uint32_t
merged_name (const struct merging *merging, uint32_t name)
{
  return merging->names ? merging->names[name] : name;
}

/* Return LOCATION without the parts to be dropped.  */
static struct sample_location
merge_location (const struct merging *merging, struct sample_location location)
{
  if (merging->drop & SAMPLE_DROP_WIDE_DISCRIMINATORS)
    location.discriminator &= 0xffff;
  return location;
}

static bool
merge_bodies (const struct merging *merging, struct sample_function *target,
	      const struct sample_function *function)
{
  for (uint32_t i = 0; i < function->body_count; i++)
    {
      const struct sample_body *body = &function->bodies[i];
      struct sample_location location
	= merge_location (merging, body->location);
      if (!sample_function_add_body (merging->profile, target, location,
				     body->count))
	return false;
      for (uint32_t k = 0; k < body->targets.count; k++)
	{
	  const struct sample_count *call = &body->targets.counts[k];
	  if (!sample_function_add_target (merging->profile, target, location,
					   merged_name (merging, call->name),
					   call->count))
	    return false;
	}
    }
  return true;
}

static bool
merge_vtables (const struct merging *merging, struct sample_function *target,
	       const struct sample_function *function)
{
  for (uint32_t i = 0; i < function->vtables_count; i++)
    {
      const struct sample_vtables *vtables = &function->vtables[i];
      struct sample_location location
	= merge_location (merging, vtables->location);
      for (uint32_t k = 0; k < vtables->tables.count; k++)
	{
	  const struct sample_count *table = &vtables->tables.counts[k];
	  if (!sample_function_add_vtable (merging->profile, target, location,
					   merged_name (merging, table->name),
					   table->count))
	    return false;
	}
    }
  return true;
}

/* Merge FUNCTION and its inlinees into TARGET.  */
static bool
merge_function (const struct merging *merging, struct sample_function *target,
		const struct sample_function *function)
{
  if (function->has_checksum
      && !sample_function_set_checksum (merging->profile, target,
					function->checksum, merging->err))
    return false;
  sample_count_add (&target->total, function->total);
  sample_count_add (&target->head, function->head);
  if (!merging->keeps_attributes)
    target->attributes |= function->attributes;
  sample_function_set_first_run (target, function->first_run);
  if (!merge_bodies (merging, target, function)
      || !merge_vtables (merging, target, function))
    return fail_memory (merging);
  for (uint32_t i = 0; i < function->call_site_count; i++)
    {
      const struct sample_call_site *site = &function->call_sites[i];
      struct sample_location location
	= merge_location (merging, site->location);
      uint32_t name = merged_name (merging, site->inlinee->name);
      bool is_new = !sample_function_find_inlinee (target, location, name);
      struct sample_function *inlinee
	= sample_function_need_inlinee (merging->profile, target, location,
					name);
      if (!inlinee)
	return fail_memory (merging);
      if (is_new)
	inlinee->attributes = site->inlinee->attributes;
      if (!merge_function (merging, inlinee, site->inlinee))
	return false;
    }
  return true;
}

bool
sample_function_merge (struct sample_profile *profile,
		       struct sample_function *target,
		       const struct sample_function *function,
		       struct profile_error *err)
{
  struct merging merging
    = { .profile = profile, .keeps_attributes = true, .err = err };
  return merge_function (&merging, target, function);
}

/* Merge the name numbered NAME, whose file was merged before.  */
static bool
merge_name (const struct merging *merging, uint32_t name)
{
  const struct sample_profile *source = merging->source;
  const char *text = sample_profile_name (source, name);
  uint32_t file = sample_profile_name_file (source, name);
  if (merging->drop & SAMPLE_DROP_FILES)
    file = SAMPLE_NO_NAME;
  else if (file != SAMPLE_NO_NAME)
    file = merging->names[file];
  size_t n = sample_profile_name_bytes (source, name);
  if (text && merging->drop & SAMPLE_DROP_SUFFIXES)
    n = function_canonical_bytes (text, n);
  merging->names[name]
    = n == sample_profile_name_bytes (source, name)
	? sample_profile_copy_name_to_file (merging->profile, source, name,
					    file)
	: sample_profile_add_name_in_file (merging->profile, text, n, file);
  if (merging->names[name] == SAMPLE_NO_NAME)
    return false;
  if (sample_profile_is_listed (source, name))
    sample_profile_set_listed (merging->profile, merging->names[name]);
  return true;
}

static bool
merge_top_level (const struct merging *merging,
		 const struct sample_function *function)
{
  uint32_t count
    = merging->drop & SAMPLE_DROP_CONTEXTS ? 0 : function->caller_count;
  struct sample_frame *callers
    = copy_records (function->callers, count, sizeof *callers);
  if (!callers)
    return fail_memory (merging);
  for (uint32_t i = 0; i < count; i++)
    callers[i].name = merging->names[callers[i].name];
  struct sample_function *target
    = sample_profile_add_function (merging->profile, callers, count,
				   merging->names[function->name]);
  free (callers);
  return target ? merge_function (merging, target, function)
		: fail_memory (merging);
}

/* Merge the wanted functions of the source of MERGING, but for what it
   drops.  */
static bool
merge_profile (struct merging *merging)
{
  const struct sample_profile *source = merging->source;
  uint32_t functions = sample_profile_function_count (source);
  uint32_t names = sample_profile_name_count (source);
  unsigned int flags = sample_profile_flags (source);
  if (merging->drop & SAMPLE_DROP_CONTEXTS)
    flags &= ~SAMPLE_CONTEXT_SENSITIVE;
  if (!sample_profile_add_flags (merging->profile, flags, functions > 0,
				 merging->err))
    return false;
  merging->names = calloc ((size_t) names + 1, sizeof *merging->names);
  bool is_done = merging->names != NULL;
  /* The name of a file precedes the names that refer to it.  */
  for (uint32_t i = 0; i < names && is_done; i++)
    is_done = merge_name (merging, i);
  if (!is_done)
    fail_memory (merging);
  for (uint32_t i = 0; i < functions && is_done; i++)
    {
      const struct sample_function *function
	= sample_profile_function (source, i);
      is_done = (merging->is_wanted
		 && !merging->is_wanted (merging->closure, function))
		|| merge_top_level (merging, function);
    }
  free (merging->names);
  return is_done;
}

bool
sample_profile_merge (struct sample_profile *profile,
		      const struct sample_profile *source,
		      struct profile_error *err)
{
  struct merging merging = { .profile = profile, .source = source, .err = err };
  return merge_profile (&merging);
}

struct sample_profile *
sample_profile_copy_functions (
  const struct sample_profile *profile, unsigned int drop,
  bool (*is_wanted) (void *closure, const struct sample_function *function),
  void *closure, struct profile_error *err)
{
  struct sample_profile *copy = sample_profile_new ();
  struct merging merging = { .profile = copy,
			     .source = profile,
			     .drop = drop,
			     .is_wanted = is_wanted,
			     .closure = closure,
			     .err = err };
  if (!copy)
    {
      profile_error_set_memory (err, NULL);
      return NULL;
    }
  if (merge_profile (&merging))
    return copy;
  sample_profile_free (copy);
  return NULL;
}

static bool
is_not_wanted (void *closure, const struct sample_function *function)
{
  (void) closure;
  (void) function;
  return false;
}

struct sample_profile *
sample_profile_copy_names (const struct sample_profile *profile,
			   unsigned int drop, struct profile_error *err)
{
  return sample_profile_copy_functions (profile, drop, is_not_wanted, NULL,
					err);
}

struct sample_profile *
sample_profile_copy (const struct sample_profile *profile, unsigned int drop,
		     struct profile_error *err)
{
  return sample_profile_copy_functions (profile, drop, NULL, NULL, err);
}

/* ---- Scaling.  */

static void
scale_count (uint64_t *count, uint64_t weight)
{
  *count = saturating_multiply (*count, weight);
}

static void
scale_counts (struct sample_counts *counts, uint64_t weight)
{
  for (uint32_t i = 0; i < counts->count; i++)
    scale_count (&counts->counts[i].count, weight);
}

static void
scale_function (struct sample_function *function, uint64_t weight)
{
  scale_count (&function->total, weight);
  scale_count (&function->head, weight);
  for (uint32_t i = 0; i < function->body_count; i++)
    {
      scale_count (&function->bodies[i].count, weight);
      scale_counts (&function->bodies[i].targets, weight);
    }
  for (uint32_t i = 0; i < function->vtables_count; i++)
    scale_counts (&function->vtables[i].tables, weight);
  for (uint32_t i = 0; i < function->call_site_count; i++)
    scale_function (function->call_sites[i].inlinee, weight);
}

void
sample_profile_scale (struct sample_profile *profile, uint64_t weight)
{
  uint32_t count = sample_profile_function_count (profile);
  for (uint32_t i = 0; i < count; i++)
    scale_function (sample_profile_function (profile, i), weight);
}
