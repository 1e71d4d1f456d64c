/* Sample profiles of an older version of a program, fitted to a newer one.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "stale-samples.h"
#include "equal-names.h"
#include "function-align.h"
#include "function-merges.h"
#include "function-renames.h"
#include "function-splits.h"
#include "line-discriminators.h"
#include <stdlib.h>
#include <string.h>

struct stale_fit
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
  struct merged_calls merged;
  bool *is_new;	 /* by number in SHAPE: not in the old version, and no new name
		    of a function */
  bool *is_gone; /* the same: not in the new version, and not renamed */
};

/* Where the samples of a function go.  */
struct destination
{
  struct sample_function *target;
  const struct function_alignment *alignment;
  const struct function_outline *after; /* of TARGET; NULL: none */
  /* The share of the counts that go there.  */
  uint64_t part;
  uint64_t whole;
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

/* Number the names of the profile as in the shape.  UNKNOWN is the name there
   of unknown functions.  */
static bool
number_names (struct stale_fit *fitting, uint32_t unknown)
{
  uint32_t count = sample_profile_name_count (fitting->profile);
  fitting->names = calloc ((size_t) count + 1, sizeof *fitting->names);
  if (fitting->names == NULL
      || !equal_names_find (fitting->profile, fitting->shape, fitting->names))
    return false;
  uint32_t all = sample_profile_name_count (fitting->shape);
  fitting->renamed = calloc ((size_t) all + 1, sizeof *fitting->renamed);
  fitting->outputs = calloc ((size_t) all + 1, sizeof *fitting->outputs);
  if (fitting->renamed == NULL || fitting->outputs == NULL)
    return false;
  for (uint32_t i = 0; i < all; i++)
    fitting->renamed[i] = i;
  fitting->before.has_only_calls = unknown != SAMPLE_NO_NAME;
  fitting->before.unknown
    = unknown != SAMPLE_NO_NAME ? fitting->names[unknown] : SAMPLE_NO_NAME;
  return function_outlines_make (&fitting->before, fitting->profile,
				 fitting->names, all)
	 && function_outlines_make (&fitting->after, fitting->shape, NULL, all);
}

/* Return the outline of the newer version of the function BEFORE; NULL if there
   is none.  */
static const struct function_outline *
find_after (const struct stale_fit *fitting,
	    const struct function_outline *before)
{
  return function_outlines_find (&fitting->after,
				 fitting->renamed[before->name]);
}

/* Find out which functions are new and which are gone.  */
static bool
find_strangers (struct stale_fit *fitting)
{
  uint32_t all = fitting->after.name_count;
  fitting->is_new = calloc ((size_t) all + 1, sizeof *fitting->is_new);
  fitting->is_gone = calloc ((size_t) all + 1, sizeof *fitting->is_gone);
  if (fitting->is_new == NULL || fitting->is_gone == NULL)
    return false;
  for (size_t i = 0; i < fitting->after.count; i++)
    fitting->is_new[fitting->after.outlines[i].name] = true;
  for (size_t i = 0; i < fitting->before.count; i++)
    {
      uint32_t name = fitting->before.outlines[i].name;
      fitting->is_new[fitting->renamed[name]] = false;
      fitting->is_gone[name]
	= find_after (fitting, &fitting->before.outlines[i]) == NULL;
    }
  return true;
}

static bool
align_all (struct stale_fit *fitting)
{
  const struct function_split_names split_names
    = { fitting->renamed, fitting->is_new };
  const struct function_merge_names merge_names
    = { fitting->renamed, fitting->is_gone };
  fitting->alignments
    = calloc (fitting->before.count + 1, sizeof *fitting->alignments);
  if (fitting->alignments == NULL)
    return false;
  for (size_t i = 0; i < fitting->before.count; i++)
    {
      const struct function_outline *before = &fitting->before.outlines[i];
      const struct function_outline *after = find_after (fitting, before);
      struct function_alignment *alignment = &fitting->alignments[i];
      if (after != NULL
	  && (!function_align (alignment, before, after, fitting->renamed)
	      || !function_merges_find (&fitting->merged, alignment, before,
					after, &fitting->before, &merge_names)
	      || !function_splits_find (alignment, before, after,
					&fitting->after, &split_names)))
	return false;
      if (after != NULL && !before->has_only_calls)
	line_discriminators_fit (alignment, after);
    }
  return true;
}

/* ---- The report.  */

/* Report that code of BEFORE is in AFTER now, which are names.  */
static bool
report_move (struct stale_fit *fitting, enum stale_move kind, uint32_t before,
	     uint32_t after)
{
  struct stale_samples_report *report = fitting->report;
  const char *old = sample_profile_name (fitting->shape, before);
  const char *new = sample_profile_name (fitting->shape, after);
  void *grown = realloc (report->renames,
			 (report->rename_count + 1) * sizeof *report->renames);
  if (grown == NULL)
    return false;
  report->renames = grown;
  struct stale_rename *rename = &report->renames[report->rename_count++];
  *rename = (struct stale_rename){ kind, strdup (old != NULL ? old : ""),
				   strdup (new != NULL ? new : "") };
  return rename->before != NULL && rename->after != NULL;
}

/* Report where the code of BEFORE, which has no counterpart, is now.  */
static bool
report_gone (struct stale_fit *fitting, const struct function_outline *before)
{
  const struct merged_calls *merged = &fitting->merged;
  bool is_merged = false;
  for (size_t i = 0; i < merged->count; i++)
    if (merged->calls[i].name == before->name)
      {
	is_merged = true;
	if (!report_move (fitting, STALE_MERGED, before->name,
			  fitting->renamed[merged->calls[i].caller]))
	  return false;
      }
  fitting->report->merged += is_merged;
  fitting->report->gone += !is_merged;
  return true;
}

static bool
report_function (struct stale_fit *fitting, size_t i)
{
  const struct function_outline *before = &fitting->before.outlines[i];
  const struct function_alignment *alignment = &fitting->alignments[i];
  bool is_changed = false;
  fitting->report->functions++;
  if (find_after (fitting, before) == NULL)
    return report_gone (fitting, before);
  for (size_t k = 0; k < alignment->count; k++)
    is_changed
      |= outline_compare (alignment->pairs[k].from, alignment->pairs[k].to)
	 != 0;
  fitting->report->changed += is_changed;
  fitting->report->split += alignment->part_count > 0;
  for (size_t k = 0; k < alignment->part_count; k++)
    if (!report_move (fitting, STALE_SPLIT, before->name,
		      alignment->parts[k].name))
      return false;
  if (fitting->renamed[before->name] == before->name)
    return true;
  fitting->report->renamed++;
  return report_move (fitting, STALE_RENAMED, before->name,
		      fitting->renamed[before->name]);
}

/* Count COUNT samples at BEFORE of a function, now at MOVED of AFTER; IS_SAME:
   of the same function.  */
static void
report_body (const struct stale_fit *fitting,
	     const struct function_outline *after, bool is_same, uint64_t count,
	     struct sample_location before, struct sample_location moved)
{
  struct stale_samples_report *report = fitting->report;
  sample_count_add (&report->counts, count);
  if (after == NULL)
    return;
  if (function_outline_has (after, moved))
    sample_count_add (&report->matched, count);
  if (is_same && function_outline_has (after, before))
    sample_count_add (&report->same, count);
}

/* ---- The fitted profile.  */

/* Return the number in the fitted profile of what NAME of the profile is called
   now.  */
static uint32_t
output_name (const struct stale_fit *fitting, uint32_t name)
{
  uint32_t now = fitting->renamed[fitting->names[name]];
  if (fitting->outputs[now] == 0)
    {
      uint32_t output
	= sample_profile_copy_name (fitting->fitted, fitting->shape, now);
      if (output == SAMPLE_NO_NAME)
	return SAMPLE_NO_NAME;
      fitting->outputs[now] = output + 1;
    }
  return fitting->outputs[now] - 1;
}

/* Return WHOLE reduced to PART of ALL.  */
static uint64_t
share_of (uint64_t whole, uint64_t part, uint64_t all)
{
  if (part >= all)
    return whole;
  return (uint64_t) ((unsigned __int128) whole * part / all);
}

static uint64_t
scaled (const struct destination *destination, uint64_t count)
{
  return share_of (count, destination->part, destination->whole);
}

static bool
fit_counts (const struct stale_fit *fitting,
	    const struct destination *destination,
	    struct sample_location location, const struct sample_counts *counts,
	    bool (*add) (struct sample_profile *, struct sample_function *,
			 struct sample_location, uint32_t, uint64_t))
{
  for (uint32_t i = 0; i < counts->count; i++)
    {
      uint32_t name = output_name (fitting, counts->counts[i].name);
      if (name == SAMPLE_NO_NAME
	  || !add (fitting->fitted, destination->target, location, name,
		   scaled (destination, counts->counts[i].count)))
	return false;
    }
  return true;
}

static const struct function_outline *
outline_before (const struct stale_fit *fitting,
		const struct sample_function *function)
{
  return function_outlines_find (&fitting->before,
				 fitting->names[function->name]);
}

/* ---- Code that moved out of its function.  */

/* Find or add the copy of PART that TARGET calls.  */
static struct sample_function *
need_part (const struct stale_fit *fitting, struct sample_function *target,
	   const struct moved_part *part)
{
  struct sample_profile *fitted = fitting->fitted;
  bool has_contexts
    = sample_profile_flags (fitting->profile) & SAMPLE_CONTEXT_SENSITIVE;
  uint32_t name = sample_profile_copy_name (fitted, fitting->shape, part->name);
  if (name == SAMPLE_NO_NAME)
    return NULL;
  if (part->is_inlined || (has_contexts && target->depth > 0))
    return sample_function_need_inlinee (fitted, target, part->call, name);
  if (!has_contexts)
    return sample_profile_add_function (fitted, NULL, 0, name);
  struct sample_frame *callers
    = calloc ((size_t) target->caller_count + 1, sizeof *callers);
  if (callers == NULL)
    return NULL;
  if (target->caller_count > 0)
    memcpy (callers, target->callers, target->caller_count * sizeof *callers);
  callers[target->caller_count]
    = (struct sample_frame){ target->name, part->call };
  struct sample_function *found
    = sample_profile_add_function (fitted, callers, target->caller_count + 1,
				   name);
  free (callers);
  return found;
}

/* The samples of a function that moved to a part.  */
struct part_counts
{
  uint64_t entries; /* of the first location: how often it is called */
  uint64_t moved;
  uint64_t all; /* of the function */
  bool is_any;
};

static struct part_counts
count_part (const struct function_alignment *alignment,
	    const struct sample_function *function, uint32_t number)
{
  struct part_counts counts = { 0 };
  for (uint32_t i = 0; i < function->body_count; i++)
    {
      const struct sample_body *body = &function->bodies[i];
      const struct place_pair *pair
	= function_alignment_pair (alignment, body->location);
      sample_count_add (&counts.all, body->count);
      if (pair == NULL || pair->part != number)
	continue;
      if (!counts.is_any)
	counts.entries = body->count;
      counts.is_any = true;
      sample_count_add (&counts.moved, body->count);
    }
  return counts;
}

/* Add the calls of the parts that code of FUNCTION moved to, and what they have
   in total.  */
static bool
fit_parts (const struct stale_fit *fitting,
	   const struct destination *destination,
	   const struct sample_function *function)
{
  const struct function_alignment *alignment = destination->alignment;
  for (size_t i = 0; i < alignment->part_count; i++)
    {
      const struct moved_part *part = &alignment->parts[i];
      struct part_counts counts
	= count_part (alignment, function, (uint32_t) i + 1);
      if (!counts.is_any)
	continue;
      struct sample_function *target
	= need_part (fitting, destination->target, part);
      uint64_t entries = scaled (destination, counts.entries);
      uint64_t total
	= scaled (destination,
		  share_of (function->total, counts.moved, counts.all));
      if (target == NULL
	  || !sample_function_add_body (fitting->fitted, destination->target,
					part->call, entries))
	return false;
      sample_count_add (&target->total, total);
      if (target->depth > 0)
	continue;
      destination->target->total -= total;
      sample_count_add (&target->head, entries);
      if (!sample_function_add_target (fitting->fitted, destination->target,
				       part->call, target->name, entries))
	return false;
    }
  return true;
}

/* Set *DESTINATION, where the samples of a function go, to where those at
   LOCATION go, and *MOVED to the location there.  */
static bool
find_destination (const struct stale_fit *fitting,
		  struct destination *destination,
		  struct sample_location location,
		  struct sample_location *moved)
{
  const struct function_alignment *alignment = destination->alignment;
  const struct place_pair *pair = function_alignment_pair (alignment, location);
  *moved = pair != NULL ? pair->to : location;
  if (pair == NULL || pair->part == 0)
    return true;
  const struct moved_part *part = &alignment->parts[pair->part - 1];
  destination->target = need_part (fitting, destination->target, part);
  destination->after = function_outlines_find (&fitting->after, part->name);
  return destination->target != NULL;
}

/* ---- Functions.  */

/* Return true if BODY of FUNCTION was only a call that is replaced by what it
   called.  */
static bool
was_merged (const struct stale_fit *fitting,
	    const struct sample_function *function,
	    const struct sample_body *body)
{
  for (uint32_t i = 0; i < body->targets.count; i++)
    if (merged_calls_find (&fitting->merged, fitting->names[function->name],
			   body->location,
			   fitting->names[body->targets.counts[i].name])
	!= NULL)
      return true;
  return false;
}

/* Add COUNT, of the place PAIR, to LOCATION of TARGET.  If several places lead
   there, they are parts of one block now, which is as frequent as the most
   frequent.  */
static bool
add_body (const struct stale_fit *fitting, struct sample_function *target,
	  const struct place_pair *pair, struct sample_location location,
	  uint64_t count)
{
  if (pair == NULL || !pair->is_joined)
    return sample_function_add_body (fitting->fitted, target, location, count);
  struct sample_body *body
    = sample_function_need_body (fitting->fitted, target, location);
  if (body != NULL && body->count < count)
    body->count = count;
  return body != NULL;
}

static bool
fit_body (const struct stale_fit *fitting, struct destination destination,
	  const struct sample_function *function,
	  const struct sample_body *body)
{
  const struct function_outline *before = outline_before (fitting, function);
  const struct place_pair *pair
    = function_alignment_pair (destination.alignment, body->location);
  struct sample_location moved;
  if (!find_destination (fitting, &destination, body->location, &moved))
    return false;
  report_body (fitting, destination.after,
	       destination.after != NULL
		 && destination.after->name == before->name,
	       scaled (&destination, body->count), body->location, moved);
  return was_merged (fitting, function, body)
	 || (add_body (fitting, destination.target, pair, moved,
		       scaled (&destination, body->count))
	     && fit_counts (fitting, &destination, moved, &body->targets,
			    sample_function_add_target));
}

static bool fit_function (const struct stale_fit *fitting,
			  const struct destination *destination,
			  const struct sample_function *function);

/* Fit the inlined call SITE of FUNCTION, whose code may be part of FUNCTION
   now.  */
static bool
fit_site (const struct stale_fit *fitting, struct destination destination,
	  const struct sample_function *function,
	  const struct sample_call_site *site)
{
  struct sample_location moved;
  const struct merged_call *merged
    = merged_calls_find (&fitting->merged, fitting->names[function->name],
			 site->location, fitting->names[site->inlinee->name]);
  if (!find_destination (fitting, &destination, site->location, &moved))
    return false;
  if (merged != NULL)
    {
      destination.alignment = &merged->alignment;
      return fit_function (fitting, &destination, site->inlinee);
    }
  uint32_t name = output_name (fitting, site->inlinee->name);
  const struct function_outline *before
    = outline_before (fitting, site->inlinee);
  if (name == SAMPLE_NO_NAME)
    return false;
  destination.target
    = sample_function_need_inlinee (fitting->fitted, destination.target, moved,
				    name);
  destination.alignment
    = &fitting->alignments[before - fitting->before.outlines];
  destination.after = find_after (fitting, before);
  if (destination.target == NULL)
    return false;
  sample_count_add (&destination.target->total,
		    scaled (&destination, site->inlinee->total));
  sample_count_add (&destination.target->head,
		    scaled (&destination, site->inlinee->head));
  return fit_function (fitting, &destination, site->inlinee);
}

/* Fit the samples of FUNCTION, but not its total and head.  */
static bool
fit_function (const struct stale_fit *fitting,
	      const struct destination *destination,
	      const struct sample_function *function)
{
  struct sample_function *target = destination->target;
  target->attributes |= function->attributes;
  sample_function_set_first_run (target, function->first_run);
  for (uint32_t i = 0; i < function->body_count; i++)
    if (!fit_body (fitting, *destination, function, &function->bodies[i]))
      return false;
  for (uint32_t i = 0; i < function->vtables_count; i++)
    {
      struct destination there = *destination;
      struct sample_location moved;
      if (!find_destination (fitting, &there, function->vtables[i].location,
			     &moved)
	  || !fit_counts (fitting, &there, moved, &function->vtables[i].tables,
			  sample_function_add_vtable))
	return false;
    }
  for (uint32_t i = 0; i < function->call_site_count; i++)
    if (!fit_site (fitting, *destination, function, &function->call_sites[i]))
      return false;
  return fit_parts (fitting, destination, function);
}

/* Add FRAME of a calling context, moved as its function.  */
static bool
fit_frame (const struct stale_fit *fitting, struct sample_frame *frame)
{
  const struct function_outline *before
    = function_outlines_find (&fitting->before, fitting->names[frame->name]);
  if (before != NULL)
    frame->location = function_alignment_find (
      &fitting->alignments[before - fitting->before.outlines], frame->location);
  frame->name = output_name (fitting, frame->name);
  return frame->name != SAMPLE_NO_NAME;
}

/* Find or add the function NAME of the profile, called from the COUNT frames at
   FRAMES.  */
static struct sample_function *
need_top_level (const struct stale_fit *fitting,
		const struct sample_frame *frames, uint32_t count,
		uint32_t name)
{
  struct sample_frame *callers = calloc ((size_t) count + 1, sizeof *callers);
  bool is_done = callers != NULL;
  for (uint32_t i = 0; i < count && is_done; i++)
    {
      callers[i] = frames[i];
      is_done = fit_frame (fitting, &callers[i]);
    }
  uint32_t output = is_done ? output_name (fitting, name) : SAMPLE_NO_NAME;
  struct sample_function *target
    = output == SAMPLE_NO_NAME
	? NULL
	: sample_profile_add_function (fitting->fitted, callers, count, output);
  free (callers);
  return target;
}

/* Add PART of WHOLE of FUNCTION, with its total, to the CALLER that it is part
   of now by MERGED.  */
static bool
fit_into_caller (const struct stale_fit *fitting,
		 const struct sample_function *function,
		 const struct merged_call *merged,
		 struct sample_function *caller, uint64_t part, uint64_t whole)
{
  const struct destination destination
    = { caller, &merged->alignment,
	function_outlines_find (&fitting->after,
				fitting->renamed[merged->caller]),
	part, whole };
  if (caller == NULL)
    return false;
  sample_count_add (&caller->total, scaled (&destination, function->total));
  return fit_function (fitting, &destination, function);
}

/* Return the number in the profile of NAME in the shape.  */
static uint32_t
profile_name (const struct stale_fit *fitting, uint32_t name)
{
  uint32_t i = 0;
  while (fitting->names[i] != name)
    i++;
  return i;
}

/* Fit FUNCTION, which is part of its callers now, in proportion to their calls.
   Set *IS_MERGED to false if it is not.  */
static bool
fit_merged (const struct stale_fit *fitting,
	    const struct sample_function *function, bool *is_merged)
{
  const struct merged_calls *merged = &fitting->merged;
  const struct merged_call *only = NULL;
  uint32_t name = fitting->names[function->name];
  uint64_t whole = 0;
  *is_merged = false;
  if (function->caller_count > 0)
    {
      const struct sample_frame *last
	= &function->callers[function->caller_count - 1];
      only = merged_calls_find (merged, fitting->names[last->name],
				last->location, name);
      *is_merged = only != NULL;
      return only == NULL
	     || fit_into_caller (fitting, function, only,
				 need_top_level (fitting, function->callers,
						 function->caller_count - 1,
						 last->name),
				 1, 1);
    }
  for (size_t i = 0; i < merged->count; i++)
    if (merged->calls[i].name == name)
      {
	sample_count_add (&whole, merged->calls[i].count);
	*is_merged = true;
	if (only == NULL)
	  only = &merged->calls[i];
      }
  for (size_t i = 0; i < merged->count; i++)
    {
      const struct merged_call *call = &merged->calls[i];
      uint64_t part = whole > 0 ? call->count : call == only;
      if (call->name == name && part > 0
	  && !fit_into_caller (fitting, function, call,
			       need_top_level (fitting, NULL, 0,
					       profile_name (fitting,
							     call->caller)),
			       part, whole > 0 ? whole : 1))
	return false;
    }
  return true;
}

static bool
fit_top_level (const struct stale_fit *fitting,
	       const struct sample_function *function)
{
  const struct function_outline *before = outline_before (fitting, function);
  bool is_merged;
  if (!fit_merged (fitting, function, &is_merged))
    return false;
  if (is_merged)
    return true;
  const struct destination destination
    = { need_top_level (fitting, function->callers, function->caller_count,
			function->name),
	&fitting->alignments[before - fitting->before.outlines],
	find_after (fitting, before), 1, 1 };
  if (destination.target == NULL)
    return false;
  sample_count_add (&destination.target->total, function->total);
  sample_count_add (&destination.target->head, function->head);
  return fit_function (fitting, &destination, function);
}

/* Count how often each merged call called its function.  */
static void
count_merged (struct stale_fit *fitting, const struct sample_function *function)
{
  for (uint32_t i = 0; i < function->body_count; i++)
    {
      const struct sample_body *body = &function->bodies[i];
      for (uint32_t k = 0; k < body->targets.count; k++)
	{
	  struct merged_call *call
	    = merged_calls_find (&fitting->merged,
				 fitting->names[function->name], body->location,
				 fitting->names[body->targets.counts[k].name]);
	  if (call != NULL)
	    sample_count_add (&call->count, body->targets.counts[k].count);
	}
    }
  for (uint32_t i = 0; i < function->call_site_count; i++)
    count_merged (fitting, function->call_sites[i].inlinee);
}

void
stale_fit_free (struct stale_fit *fit)
{
  if (fit == NULL)
    return;
  for (size_t i = 0; fit->alignments != NULL && i < fit->before.count; i++)
    function_alignment_release (&fit->alignments[i]);
  free (fit->alignments);
  merged_calls_release (&fit->merged);
  free (fit->is_new);
  free (fit->is_gone);
  function_outlines_release (&fit->before);
  function_outlines_release (&fit->after);
  free (fit->names);
  free (fit->renamed);
  free (fit->outputs);
  free (fit);
}

struct stale_fit *
stale_fit_new (const struct sample_profile *profile,
	       struct sample_profile *shape, uint32_t unknown,
	       struct stale_samples_report *report)
{
  struct stale_fit *fit = calloc (1, sizeof *fit);
  *report = (struct stale_samples_report){ 0 };
  if (fit == NULL)
    return NULL;
  *fit = (struct stale_fit){ .profile = profile,
			     .shape = shape,
			     .report = report };
  bool is_done = number_names (fit, unknown)
		 && function_renames_find (fit->renamed, &fit->before,
					   &fit->after, fit->shape)
		 && find_strangers (fit) && align_all (fit);
  for (uint32_t i = 0; is_done && fit->merged.count > 0
		       && i < sample_profile_function_count (profile);
       i++)
    count_merged (fit, sample_profile_function (profile, i));
  for (size_t i = 0; i < fit->before.count && is_done; i++)
    is_done = report_function (fit, i);
  if (is_done)
    return fit;
  stale_fit_free (fit);
  return NULL;
}

bool
stale_fit_find (const struct stale_fit *fit, uint32_t name,
		struct sample_location location, struct stale_place *place)
{
  const struct function_outline *before
    = function_outlines_find (&fit->before, fit->names[name]);
  const struct function_outline *after
    = before != NULL ? find_after (fit, before) : NULL;
  if (after == NULL)
    return false;
  const struct function_alignment *alignment
    = &fit->alignments[before - fit->before.outlines];
  const struct place_pair *pair = function_alignment_pair (alignment, location);
  *place
    = (struct stale_place){ .name = after->name,
			    .location = pair != NULL ? pair->to : location };
  if (pair != NULL && pair->part > 0)
    {
      const struct moved_part *part = &alignment->parts[pair->part - 1];
      place->is_called = true;
      place->is_inlined = part->is_inlined;
      place->caller_name = after->name;
      place->call = part->call;
      place->name = part->name;
      after = function_outlines_find (&fit->after, part->name);
    }
  place->has_code = function_outline_has (after, place->location);
  return true;
}

bool
stale_fit_is_same (const struct stale_fit *fit, uint32_t name,
		   struct sample_location location)
{
  const struct function_outline *after
    = function_outlines_find (&fit->after, fit->names[name]);
  return after != NULL && function_outline_has (after, location);
}

struct sample_profile *
stale_samples_fit (const struct sample_profile *profile,
		   struct sample_profile *shape,
		   struct stale_samples_report *report,
		   struct profile_error *err)
{
  *report = (struct stale_samples_report){ 0 };
  if (sample_profile_flags (profile) & SAMPLE_PROBES)
    {
      profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
			 "probe-based samples cannot be matched by lines");
      return NULL;
    }
  struct sample_profile *fitted = sample_profile_new ();
  struct stale_fit *fit
    = stale_fit_new (profile, shape, SAMPLE_NO_NAME, report);
  bool is_done = fitted != NULL && fit != NULL;
  if (is_done)
    fit->fitted = fitted;
  for (uint32_t i = 0; is_done && i < sample_profile_function_count (profile);
       i++)
    is_done = fit_top_level (fit, sample_profile_function (profile, i));
  stale_fit_free (fit);
  is_done = (is_done || profile_error_set_memory (err, NULL))
	    && sample_profile_add_flags (fitted, sample_profile_flags (profile),
					 true, err);
  if (is_done)
    return fitted;
  sample_profile_free (fitted);
  return NULL;
}
