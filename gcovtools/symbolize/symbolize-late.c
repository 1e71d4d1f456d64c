/* Late symbolization of addresses kept in profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   A frame keeps its address if its function, or its location in the function,
   was unknown when its raw profile was read.  If more is known now, it is
   replaced by the frames that reading the raw profile now would produce, so the
   result does not depend on when a profile is symbolized.  */

#include "heap-detail-tables.h"
#include "heap-images.h"
#include "heap-modules.h"
#include "heap-profile-fill.h"
#include "symbolize-addresses.h"
#include <stdlib.h>
#include <string.h>

struct work
{
  struct heap_profile *profile;
  struct address_names *names;
  uint32_t count;		      /* frames with addresses */
  struct location *locations;	      /* of these; numbered by frame */
  const struct named_address **found; /* by index in LOCATIONS */
  struct heap_frame_list *lists;      /* by frame, for the new profile */
  const struct frame_list **sources;  /* by frame; origin of LISTS */
};

/* ---- Locations of the addresses.  */

/* Decode TEXT, hexadecimal, to BYTES.  Return the number of bytes, 0 if TEXT is
   not a build ID.  */
static size_t
read_build_id (const char *text, uint8_t bytes[HEAPPROF_RAW_BUILD_ID_BYTES])
{
  static const char digits[] = "0123456789abcdef";
  size_t length = strlen (text);
  if (length % 2 != 0 || length > 2 * HEAPPROF_RAW_BUILD_ID_BYTES)
    return 0;
  for (size_t i = 0; i < length; i++)
    {
      const char *digit = strchr (digits, text[i]);
      if (digit == NULL)
	return 0;
      bytes[i / 2] = (uint8_t) (bytes[i / 2] << 4 | (digit - digits));
    }
  return length / 2;
}

/* Return the number of the module that contains FRAME's address; NO_MODULE if
   memory is exhausted.  */
static uint32_t
find_module (struct work *work, const struct heap_frame *frame)
{
  const struct heap_profile *profile = work->profile;
  uint8_t build_id[HEAPPROF_RAW_BUILD_ID_BYTES] = { 0 };
  const char *path
    = heap_profile_string (profile, heap_profile_image_path (profile, frame));
  const struct module_identity identity = {
    /* Without a path use the module's name, which frames contain too.  */
    .path = *path != '\0' ? path : heap_profile_string (profile, frame->module),
    .build_id = build_id,
    .build_id_bytes
    = read_build_id (heap_profile_string (profile, frame->build_id), build_id),
    .is_late = true
  };
  return address_names_module (work->names, &identity);
}

/* Collect the addresses.  Return false if memory is exhausted.  */
static bool
find_locations (struct work *work)
{
  uint32_t frames = heap_profile_frame_count (work->profile);
  for (uint32_t id = 0; id < frames; id++)
    work->count
      += heap_frame_has_address (heap_profile_frame (work->profile, id));
  if (work->count == 0)
    return true;
  work->locations = calloc (work->count, sizeof *work->locations);
  work->found = calloc (work->count, sizeof *work->found);
  bool is_done = work->locations != NULL && work->found != NULL;
  struct location *location = work->locations;
  for (uint32_t id = 0; id < frames && is_done; id++)
    {
      const struct heap_frame *frame = heap_profile_frame (work->profile, id);
      if (!heap_frame_has_address (frame))
	continue;
      *location
	= (struct location){ id, find_module (work, frame), frame->address };
      is_done = location->module != NO_MODULE;
      location++;
    }
  return is_done
	 && address_names_look_up_quietly (work->names, work->locations,
					   work->count, work->found);
}

/* ---- What modules lack now.  */

/* Return how bad PROBLEM is: larger values leave less known.  */
static int
badness (enum heap_module_problem problem)
{
  switch (problem)
    {
    case HEAP_MODULE_DEBUG_INFO_LACKS:
      return 1;
    case HEAP_MODULE_NO_DEBUG_INFO:
      return 2;
    case HEAP_MODULE_STRIPPED:
      return 3;
    default:
      return 4;
    }
}

/* Add what MODULE lacks now to the profile, under the name and build ID in
   FRAME.  */
static bool
add_lacks (struct work *work, uint32_t module, const struct heap_frame *frame)
{
  struct module_lack lack;
  for (size_t i = 0; address_names_lack (work->names, module, i, &lack); i++)
    {
      const struct heap_module record
	= { .name = frame->module,
	    .build_id = frame->build_id,
	    .problem = lack.problem,
	    .cause = heap_profile_add_string (work->profile, lack.cause,
					      strlen (lack.cause)) };
      if (record.cause == UINT32_MAX
	  || !heap_details_add_module (heap_profile_details (work->profile),
				       &record))
	return false;
    }
  return true;
}

/* If less is missing from MODULE than the profile recorded under the name and
   build ID in FRAME, replace the record by what it lacks now.  */
static bool
update_module (struct work *work, uint32_t module,
	       const struct heap_frame *frame)
{
  struct heap_details *details = heap_profile_details (work->profile);
  uint32_t count = heap_details_module_count (details);
  bool *keep = malloc (count + 1);
  bool is_better = false;
  struct module_lack lack;
  int worst = 0;
  if (keep == NULL)
    return false;
  for (size_t i = 0; address_names_lack (work->names, module, i, &lack); i++)
    worst = badness (lack.problem) > worst ? badness (lack.problem) : worst;
  for (uint32_t i = 0; i < count; i++)
    {
      const struct heap_module *record = heap_details_module_at (details, i);
      keep[i] = record->name != frame->module
		|| record->build_id != frame->build_id
		|| badness (record->problem) <= worst;
      is_better |= !keep[i];
    }
  bool is_done = !is_better
		 || (heap_details_filter_modules (details, keep)
		     && add_lacks (work, module, frame));
  free (keep);
  return is_done;
}

/* Update all modules that were found.  */
static bool
update_modules (struct work *work)
{
  bool is_done = true;
  for (uint32_t i = 0; i < work->count && is_done; i++)
    {
      const struct location *location = &work->locations[i];
      if (i > 0 && location->module == location[-1].module)
	continue;
      /* A copy, since adding strings may move it.  */
      const struct heap_frame frame
	= *heap_profile_frame (work->profile, location->number);
      if (address_names_is_found (work->names, location->module))
	is_done = update_module (work, location->module, &frame);
    }
  return is_done;
}

/* ---- Frames that have names now.  */

/* Return what was known about FRAME, which keeps its address.  */
static enum named_rank
rank_of (const struct heap_frame *frame)
{
  return frame->function_guid != 0 ? NAMED_FUNCTION : NAMED_NOTHING;
}

/* Return true if more is known about address I now than in the profile.  */
static bool
is_better (const struct work *work, uint32_t i)
{
  const struct heap_frame *frame
    = heap_profile_frame (work->profile, work->locations[i].number);
  return work->found[i]->count > 0
	 && named_address_rank (work->found[i]) > rank_of (frame);
}

/* Make the frames known now, in the profile of SYMBOLIZER.  */
static bool
make_lists (struct work *work, struct profile_symbolizer *symbolizer)
{
  uint32_t frames = heap_profile_frame_count (work->profile);
  work->lists = calloc (frames, sizeof *work->lists);
  work->sources = calloc (frames, sizeof *work->sources);
  if (work->lists == NULL || work->sources == NULL)
    return false;
  for (uint32_t i = 0; i < work->count; i++)
    {
      const struct location *location = &work->locations[i];
      if (!is_better (work, i))
	continue;
      const struct frame_list *list
	= symbolize_frame_list (symbolizer, location, work->found[i]);
      if (list == NULL)
	return false;
      work->sources[location->number] = list;
    }
  /* FRAME_IDS does not move any more.  */
  for (uint32_t id = 0; id < frames; id++)
    if (work->sources[id] != NULL)
      work->lists[id] = (struct heap_frame_list){
	.frames = &symbolizer->frame_ids[work->sources[id]->first],
	.count = work->sources[id]->count,
	.type = work->sources[id]->type,
	.is_returned = work->sources[id]->is_returned
      };
  return true;
}

/* Return a profile with the names known now; NULL if memory is exhausted.  */
static struct heap_profile *
make_renamed (struct work *work)
{
  struct heap_profile *renamed = heap_profile_new ();
  struct profile_symbolizer *symbolizer = NULL;
  if (renamed != NULL)
    symbolizer = profile_symbolizer_new (renamed, work->names);
  bool is_done
    = symbolizer != NULL && make_lists (work, symbolizer)
      && heap_profile_merge_renamed (renamed, work->profile, work->lists);
  profile_symbolizer_free (symbolizer);
  if (is_done)
    return renamed;
  heap_profile_free (renamed);
  return NULL;
}

bool
symbolize_late (struct heap_profile **profile, struct address_names *names)
{
  struct work work = { .profile = *profile, .names = names };
  bool is_done = find_locations (&work) && update_modules (&work);
  bool has_names = false;
  for (uint32_t i = 0; i < work.count && is_done && !has_names; i++)
    has_names = is_better (&work, i);
  if (has_names)
    {
      struct heap_profile *renamed = make_renamed (&work);
      is_done = renamed != NULL;
      if (is_done)
	{
	  heap_profile_free (*profile);
	  *profile = renamed;
	}
    }
  free (work.sources);
  free (work.lists);
  free (work.found);
  free (work.locations);
  return is_done;
}
