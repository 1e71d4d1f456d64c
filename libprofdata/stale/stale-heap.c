/* Heap profiles of an older version of a program, fitted to a newer one.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "stale-heap.h"
#include "heap-functions.h"
#include "heap-profile-fill.h"
#include "memory-info.h"
#include <stdlib.h>
#include <string.h>

/* What is known of a module of the profile.  */
struct module_share
{
  uint32_t functions;
  uint32_t found; /* of them, those that the shape has */
};

struct heap_fitting
{
  const struct heap_profile *profile;
  struct sample_profile *shape;
  const struct stale_source *sources;
  uint32_t source_count;
  struct heap_function *functions; /* by frame */
  struct sample_profile *samples;  /* the calls of PROFILE */
  uint32_t unknown;		   /* the unknown callee's name in SAMPLES */
  uint32_t *names;		   /* in SAMPLES, by frame; SAMPLE_NO_NAME: the
				      frame is not matched */
  struct stale_fit *fit;
  struct heap_profile *fitted;
  struct heap_frame_list *lists; /* by frame */
  uint32_t *frames;		 /* in FITTED, two for each frame */
  /* By frame: is where it was; is matched.  */
  bool *is_same;
  bool *is_matched;
};

/* Return the number of the function of frame I in SAMPLES.  */
static uint32_t
name_of (const struct heap_fitting *work, uint32_t i)
{
  const struct heap_frame *frame = heap_profile_frame (work->profile, i);
  const char *file = work->functions[i].file;
  uint32_t text = sample_profile_add_name (work->samples, file, strlen (file));
  if (text == SAMPLE_NO_NAME)
    return SAMPLE_NO_NAME;
  return sample_profile_add_name_in_file (
    work->samples, heap_profile_string (work->profile, frame->function_name),
    heap_profile_string_bytes (work->profile, frame->function_name), text);
}

/* ---- The modules of the program.  */

/* Count the frames of the modules in SHARES, by module.  */
static void
count_modules (const struct heap_fitting *work, struct module_share *shares)
{
  for (uint32_t i = 0; i < heap_profile_frame_count (work->profile); i++)
    if (work->functions[i].file != NULL)
      {
	struct module_share *share
	  = &shares[heap_profile_frame (work->profile, i)->module];
	share->functions++;
	share->found += work->functions[i].is_known;
      }
}

/* Number the functions of frames in the program's modules.  */
static bool
number_frames (struct heap_fitting *work)
{
  struct module_share *shares
    = calloc ((size_t) heap_profile_string_count (work->profile) + 1,
	      sizeof *shares);
  work->functions = heap_functions_find (work->profile, work->shape);
  bool is_done = shares != NULL && work->functions != NULL;
  if (is_done)
    count_modules (work, shares);
  for (uint32_t i = 0; is_done && i < heap_profile_frame_count (work->profile);
       i++)
    {
      const struct module_share *share
	= &shares[heap_profile_frame (work->profile, i)->module];
      work->names[i] = SAMPLE_NO_NAME;
      if (work->functions[i].file == NULL
	  || 2 * share->found < share->functions)
	continue;
      work->names[i] = name_of (work, i);
      is_done = work->names[i] != SAMPLE_NO_NAME;
    }
  free (shares);
  return is_done;
}

/* ---- The calls.  */

static struct sample_location
location_of (const struct heap_frame *frame)
{
  return (struct sample_location){ frame->line_offset, frame->column };
}

static uint64_t
bytes_in (const struct heap_profile *profile, uint32_t context)
{
  const struct memory_info *info = heap_profile_info (profile, context);
  return info != NULL ? memory_info_get (info, MEMORY_INFO_TOTAL_SIZE) : 0;
}

/* Add the call of FRAME: of the function NAME.  */
static bool
add_target (struct heap_fitting *work, uint32_t frame, uint32_t name)
{
  struct sample_location location
    = location_of (heap_profile_frame (work->profile, frame));
  struct sample_function *function
    = sample_profile_add_function (work->samples, NULL, 0, work->names[frame]);
  return function != NULL
	 && sample_function_add_target (work->samples, function, location, name,
					1);
}

/* Add the call that CONTEXT is, and the one by its caller.  */
static bool
add_call (struct heap_fitting *work, uint32_t context)
{
  uint32_t frame = heap_profile_context_frame (work->profile, context);
  uint32_t caller
    = heap_profile_context_frame (work->profile,
				  heap_profile_context_caller (work->profile,
							       context));
  uint32_t callee = work->names[frame];
  if (callee == SAMPLE_NO_NAME)
    callee = work->unknown;
  if (heap_profile_info (work->profile, context) != NULL
      && work->names[frame] != SAMPLE_NO_NAME
      && !add_target (work, frame, work->unknown))
    return false;
  return work->names[caller] == SAMPLE_NO_NAME
	 || add_target (work, caller, callee);
}

static bool
add_calls (struct heap_fitting *work)
{
  work->unknown = sample_profile_add_name (work->samples, STALE_UNKNOWN_CALLEE,
					   strlen (STALE_UNKNOWN_CALLEE));
  if (work->unknown == SAMPLE_NO_NAME)
    return false;
  for (uint32_t i = 1; i < heap_profile_context_count (work->profile); i++)
    if (!add_call (work, i))
      return false;
  return true;
}

/* ---- The fitted profile.  */

/* Set the function of *FRAME to NAME of the shape at LOCATION.  If IS_IN_FILE,
   the line is in the function's file.  */
static bool
set_place (const struct heap_fitting *work, struct heap_frame *frame,
	   uint32_t name, struct sample_location location, bool is_in_file)
{
  const char *text = sample_profile_name (work->shape, name);
  const struct stale_source *source
    = name < work->source_count ? &work->sources[name] : NULL;
  if (text == NULL)
    return true;
  frame->function_name
    = heap_profile_add_string (work->fitted, text,
			       sample_profile_name_bytes (work->shape, name));
  frame->function_guid = sample_profile_name_guid (work->shape, name);
  if (source != NULL && source->path != NULL && source->start_line != 0)
    {
      frame->start_line = source->start_line;
      if (is_in_file)
	frame->file = heap_profile_add_string (work->fitted, source->path,
					       strlen (source->path));
    }
  frame->line_offset = location.line & 0xffff;
  frame->line = frame->start_line + (uint32_t) (int16_t) location.line;
  frame->column = location.discriminator;
  return frame->function_name != UINT32_MAX && frame->file != UINT32_MAX;
}

/* Copy *FRAME of PROFILE, with its strings, to FITTED.  */
static bool
copy_frame (const struct heap_fitting *work, struct heap_frame *frame)
{
  uint32_t *strings[] = { &frame->function_name, &frame->file, &frame->module,
			  &frame->build_id, &frame->path };
  for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
    {
      *strings[i]
	= heap_profile_add_string (work->fitted,
				   heap_profile_string (work->profile,
							*strings[i]),
				   heap_profile_string_bytes (work->profile,
							      *strings[i]));
      if (*strings[i] == UINT32_MAX)
	return false;
    }
  return true;
}

/* Make the frames at PLACE, where frame number I is now.  */
static bool
replace_frame (struct heap_fitting *work, uint32_t i,
	       const struct stale_place *place)
{
  struct heap_frame frame = *heap_profile_frame (work->profile, i);
  struct heap_frame_list *list = &work->lists[i];
  uint32_t *frames = &work->frames[2 * (size_t) i];
  if (!copy_frame (work, &frame))
    return false;
  struct heap_frame caller = frame;
  bool is_in_file = strcmp (heap_function_file (work->fitted, &frame),
			    work->functions[i].file)
		    == 0;
  if (!set_place (work, &frame, place->name, place->location, is_in_file))
    return false;
  if (place->is_called)
    {
      if (!set_place (work, &caller, place->caller_name, place->call,
		      is_in_file))
	return false;
      frame.is_inline = place->is_inlined;
      frames[1] = heap_profile_add_frame (work->fitted, &caller);
    }
  frames[0] = heap_profile_add_frame (work->fitted, &frame);
  list->frames = frames;
  list->count = place->is_called ? 2 : 1;
  return frames[0] != UINT32_MAX && frames[1] != UINT32_MAX;
}

static bool
replace_frames (struct heap_fitting *work)
{
  for (uint32_t i = 0; i < heap_profile_frame_count (work->profile); i++)
    {
      const struct heap_frame *frame = heap_profile_frame (work->profile, i);
      struct stale_place place;
      work->is_same[i] = work->is_matched[i] = true;
      if (work->names[i] == SAMPLE_NO_NAME)
	continue;
      work->is_same[i]
	= stale_fit_is_same (work->fit, work->names[i], location_of (frame));
      work->is_matched[i] = stale_fit_find (work->fit, work->names[i],
					    location_of (frame), &place)
			    && place.has_code;
      if (work->is_matched[i] && !replace_frame (work, i, &place))
	return false;
    }
  return true;
}

/* Count the bytes of all contexts, and those without changed frames.  */
static bool
report_bytes (const struct heap_fitting *work,
	      struct stale_samples_report *report)
{
  uint32_t count = heap_profile_context_count (work->profile);
  bool *is_same = calloc (count, sizeof *is_same);
  bool *is_matched = calloc (count, sizeof *is_matched);
  bool is_done = is_same != NULL && is_matched != NULL;
  if (is_done)
    is_same[0] = is_matched[0] = true;
  for (uint32_t i = 1; i < count && is_done; i++)
    {
      uint32_t caller = heap_profile_context_caller (work->profile, i);
      uint32_t frame = heap_profile_context_frame (work->profile, i);
      uint64_t bytes = bytes_in (work->profile, i);
      is_same[i] = is_same[caller] && work->is_same[frame];
      is_matched[i] = is_matched[caller] && work->is_matched[frame];
      sample_count_add (&report->counts, bytes);
      if (is_same[i])
	sample_count_add (&report->same, bytes);
      if (is_matched[i])
	sample_count_add (&report->matched, bytes);
    }
  free (is_same);
  free (is_matched);
  return is_done;
}

static bool
fit_all (struct heap_fitting *work, struct stale_samples_report *report)
{
  size_t count = (size_t) heap_profile_frame_count (work->profile) + 1;
  work->names = calloc (count, sizeof *work->names);
  work->lists = calloc (count, sizeof *work->lists);
  work->frames = calloc (2 * count, sizeof *work->frames);
  work->is_same = calloc (count, sizeof *work->is_same);
  work->is_matched = calloc (count, sizeof *work->is_matched);
  work->samples = sample_profile_new ();
  work->fitted = heap_profile_new ();
  if (work->names == NULL || work->lists == NULL || work->frames == NULL
      || work->is_same == NULL || work->is_matched == NULL
      || work->samples == NULL || work->fitted == NULL || !number_frames (work)
      || !add_calls (work))
    return false;
  work->fit = stale_fit_new (work->samples, work->shape, work->unknown, report);
  return work->fit != NULL && replace_frames (work)
	 && report_bytes (work, report)
	 && heap_profile_merge_renamed (work->fitted, work->profile,
					work->lists);
}

struct heap_profile *
stale_heap_fit (const struct heap_profile *profile,
		struct sample_profile *shape,
		const struct stale_source *sources, uint32_t count,
		struct stale_samples_report *report, struct profile_error *err)
{
  struct heap_fitting work = { .profile = profile,
			       .shape = shape,
			       .sources = sources,
			       .source_count = count };
  *report = (struct stale_samples_report){ 0 };
  bool is_done
    = fit_all (&work, report) || profile_error_set_memory (err, NULL);
  stale_fit_free (work.fit);
  sample_profile_free (work.samples);
  free (work.functions);
  free (work.names);
  free (work.lists);
  free (work.frames);
  free (work.is_same);
  free (work.is_matched);
  if (is_done)
    return work.fitted;
  heap_profile_free (work.fitted);
  return NULL;
}
