/* Sample profiles of an older version of a program, fitted to a newer one.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "stale-samples.h"
#include "function-align.h"
#include "function-renames.h"
#include <stdlib.h>
#include <string.h>

struct fitting
{
  const struct sample_profile *profile;
  struct sample_profile *shape;
  struct sample_profile *fitted;
  struct stale_samples_report *report;
  uint32_t *names;   /* in SHAPE, by number in PROFILE */
  uint32_t *renamed; /* by number in SHAPE */
  uint32_t *outputs; /* in FITTED plus 1, by number in SHAPE; 0: not yet */
  struct function_outlines before;
  struct function_outlines after;
  struct function_alignment *alignments; /* by outline of BEFORE */
};

void
stale_samples_report_release (struct stale_samples_report *report)
{
  for (size_t i = 0; i < report->rename_count; i++)
    {
      free (report->renames[i].before);
      free (report->renames[i].after);
    }
  free (report->renames);
  *report = (struct stale_samples_report){ 0 };
}

/* Add NAME of SOURCE to TARGET, without its file.  */
static uint32_t
copy_name (struct sample_profile *target, const struct sample_profile *source,
	   uint32_t name)
{
  const char *text = sample_profile_name (source, name);
  if (text == NULL)
    return sample_profile_add_guid (target,
				    sample_profile_name_guid (source, name));
  return sample_profile_add_name (target, text,
				  sample_profile_name_bytes (source, name));
}

/* Number the names of the profile as in the shape.  */
static bool
number_names (struct fitting *fitting)
{
  uint32_t count = sample_profile_name_count (fitting->profile);
  fitting->names = calloc ((size_t) count + 1, sizeof *fitting->names);
  if (fitting->names == NULL)
    return false;
  for (uint32_t i = 0; i < count; i++)
    {
      fitting->names[i] = copy_name (fitting->shape, fitting->profile, i);
      if (fitting->names[i] == SAMPLE_NO_NAME)
	return false;
    }
  uint32_t all = sample_profile_name_count (fitting->shape);
  fitting->renamed = calloc ((size_t) all + 1, sizeof *fitting->renamed);
  fitting->outputs = calloc ((size_t) all + 1, sizeof *fitting->outputs);
  if (fitting->renamed == NULL || fitting->outputs == NULL)
    return false;
  for (uint32_t i = 0; i < all; i++)
    fitting->renamed[i] = i;
  return function_outlines_make (&fitting->before, fitting->profile,
				 fitting->names, all)
	 && function_outlines_make (&fitting->after, fitting->shape, NULL, all);
}

/* Return the outline of the newer version of the function BEFORE; NULL if there
   is none.  */
static const struct function_outline *
find_after (const struct fitting *fitting,
	    const struct function_outline *before)
{
  return function_outlines_find (&fitting->after,
				 fitting->renamed[before->name]);
}

static bool
align_all (struct fitting *fitting)
{
  fitting->alignments
    = calloc (fitting->before.count + 1, sizeof *fitting->alignments);
  if (fitting->alignments == NULL)
    return false;
  for (size_t i = 0; i < fitting->before.count; i++)
    {
      const struct function_outline *before = &fitting->before.outlines[i];
      const struct function_outline *after = find_after (fitting, before);
      if (after != NULL
	  && !function_align (&fitting->alignments[i], before, after,
			      fitting->renamed))
	return false;
    }
  return true;
}

/* ---- The report.  */

static bool
report_rename (struct fitting *fitting, const struct function_outline *before)
{
  struct stale_samples_report *report = fitting->report;
  const char *old = sample_profile_name (fitting->shape, before->name);
  const char *new
    = sample_profile_name (fitting->shape, fitting->renamed[before->name]);
  void *grown = realloc (report->renames,
			 (report->rename_count + 1) * sizeof *report->renames);
  if (grown == NULL)
    return false;
  report->renames = grown;
  struct stale_rename *rename = &report->renames[report->rename_count++];
  *rename = (struct stale_rename){ strdup (old != NULL ? old : ""),
				   strdup (new != NULL ? new : "") };
  return rename->before != NULL && rename->after != NULL;
}

static bool
report_function (struct fitting *fitting, size_t i)
{
  const struct function_outline *before = &fitting->before.outlines[i];
  const struct function_alignment *alignment = &fitting->alignments[i];
  bool is_changed = false;
  fitting->report->functions++;
  if (find_after (fitting, before) == NULL)
    {
      fitting->report->gone++;
      return true;
    }
  for (size_t k = 0; k < alignment->count; k++)
    is_changed
      |= outline_compare (alignment->pairs[k].from, alignment->pairs[k].to)
	 != 0;
  fitting->report->changed += is_changed;
  return fitting->renamed[before->name] == before->name
	 || report_rename (fitting, before);
}

/* Count the body sample at LOCATION, now at MOVED, of the function BEFORE.  */
static void
report_body (const struct fitting *fitting,
	     const struct function_outline *before,
	     const struct sample_body *body, struct sample_location moved)
{
  struct stale_samples_report *report = fitting->report;
  const struct function_outline *after = find_after (fitting, before);
  sample_count_add (&report->counts, body->count);
  if (after == NULL)
    return;
  if (function_outline_has (after, moved))
    sample_count_add (&report->matched, body->count);
  if (after->name == before->name
      && function_outline_has (after, body->location))
    sample_count_add (&report->same, body->count);
}

/* ---- The fitted profile.  */

/* Return the number in the fitted profile of what NAME of the profile is called
   now.  */
static uint32_t
output_name (const struct fitting *fitting, uint32_t name)
{
  uint32_t now = fitting->renamed[fitting->names[name]];
  if (fitting->outputs[now] == 0)
    {
      uint32_t output = copy_name (fitting->fitted, fitting->shape, now);
      if (output == SAMPLE_NO_NAME)
	return SAMPLE_NO_NAME;
      fitting->outputs[now] = output + 1;
    }
  return fitting->outputs[now] - 1;
}

static bool
fit_counts (const struct fitting *fitting, struct sample_function *target,
	    struct sample_location location, const struct sample_counts *counts,
	    bool (*add) (struct sample_profile *, struct sample_function *,
			 struct sample_location, uint32_t, uint64_t))
{
  for (uint32_t i = 0; i < counts->count; i++)
    {
      uint32_t name = output_name (fitting, counts->counts[i].name);
      if (name == SAMPLE_NO_NAME
	  || !add (fitting->fitted, target, location, name,
		   counts->counts[i].count))
	return false;
    }
  return true;
}

static bool
fit_function (const struct fitting *fitting, struct sample_function *target,
	      const struct sample_function *function)
{
  const struct function_outline *before
    = function_outlines_find (&fitting->before, fitting->names[function->name]);
  const struct function_alignment *alignment
    = &fitting->alignments[before - fitting->before.outlines];
  sample_count_add (&target->total, function->total);
  sample_count_add (&target->head, function->head);
  target->attributes |= function->attributes;
  sample_function_set_first_run (target, function->first_run);
  for (uint32_t i = 0; i < function->body_count; i++)
    {
      const struct sample_body *body = &function->bodies[i];
      struct sample_location moved
	= function_alignment_find (alignment, body->location);
      report_body (fitting, before, body, moved);
      if (!sample_function_add_body (fitting->fitted, target, moved,
				     body->count)
	  || !fit_counts (fitting, target, moved, &body->targets,
			  sample_function_add_target))
	return false;
    }
  for (uint32_t i = 0; i < function->vtables_count; i++)
    if (!fit_counts (fitting, target,
		     function_alignment_find (alignment,
					      function->vtables[i].location),
		     &function->vtables[i].tables, sample_function_add_vtable))
      return false;
  for (uint32_t i = 0; i < function->call_site_count; i++)
    {
      const struct sample_call_site *site = &function->call_sites[i];
      uint32_t name = output_name (fitting, site->inlinee->name);
      struct sample_function *inlinee
	= name == SAMPLE_NO_NAME
	    ? NULL
	    : sample_function_need_inlinee (
	      fitting->fitted, target,
	      function_alignment_find (alignment, site->location), name);
      if (inlinee == NULL || !fit_function (fitting, inlinee, site->inlinee))
	return false;
    }
  return true;
}

/* Add FRAME of a calling context, moved as its function.  */
static bool
fit_frame (const struct fitting *fitting, struct sample_frame *frame)
{
  const struct function_outline *before
    = function_outlines_find (&fitting->before, fitting->names[frame->name]);
  if (before != NULL)
    frame->location = function_alignment_find (
      &fitting->alignments[before - fitting->before.outlines], frame->location);
  frame->name = output_name (fitting, frame->name);
  return frame->name != SAMPLE_NO_NAME;
}

static bool
fit_top_level (const struct fitting *fitting,
	       const struct sample_function *function)
{
  struct sample_frame *callers
    = calloc ((size_t) function->caller_count + 1, sizeof *callers);
  bool is_done = callers != NULL;
  for (uint32_t i = 0; i < function->caller_count && is_done; i++)
    {
      callers[i] = function->callers[i];
      is_done = fit_frame (fitting, &callers[i]);
    }
  uint32_t name
    = is_done ? output_name (fitting, function->name) : SAMPLE_NO_NAME;
  struct sample_function *target
    = name == SAMPLE_NO_NAME
	? NULL
	: sample_profile_add_function (fitting->fitted, callers,
				       function->caller_count, name);
  free (callers);
  return target != NULL && fit_function (fitting, target, function);
}

static bool
fit_all (struct fitting *fitting)
{
  fitting->fitted = sample_profile_new ();
  bool is_done = fitting->fitted != NULL && number_names (fitting)
		 && function_renames_find (fitting->renamed, &fitting->before,
					   &fitting->after, fitting->shape)
		 && align_all (fitting);
  for (size_t i = 0; i < fitting->before.count && is_done; i++)
    is_done = report_function (fitting, i);
  for (uint32_t i = 0;
       i < sample_profile_function_count (fitting->profile) && is_done; i++)
    is_done
      = fit_top_level (fitting, sample_profile_function (fitting->profile, i));
  return is_done;
}

struct sample_profile *
stale_samples_fit (const struct sample_profile *profile,
		   struct sample_profile *shape,
		   struct stale_samples_report *report,
		   struct profile_error *err)
{
  struct fitting fitting
    = { .profile = profile, .shape = shape, .report = report };
  *report = (struct stale_samples_report){ 0 };
  if (sample_profile_flags (profile) & SAMPLE_PROBES)
    {
      profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
			 "probe-based samples cannot be matched by lines");
      return NULL;
    }
  bool is_done = fit_all (&fitting) || profile_error_set_memory (err, NULL);
  is_done
    = is_done
      && sample_profile_add_flags (fitting.fitted,
				   sample_profile_flags (profile), true, err);
  for (size_t i = 0; fitting.alignments != NULL && i < fitting.before.count;
       i++)
    function_alignment_release (&fitting.alignments[i]);
  free (fitting.alignments);
  function_outlines_release (&fitting.before);
  function_outlines_release (&fitting.after);
  free (fitting.names);
  free (fitting.renamed);
  free (fitting.outputs);
  if (is_done)
    return fitting.fitted;
  sample_profile_free (fitting.fitted);
  return NULL;
}
