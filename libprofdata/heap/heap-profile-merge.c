/* Merging heap profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   Ids of the source mean nothing in the target, so each table is interned there
   in turn: strings, then frames, then contexts.  Callers have smaller ids and
   so are added before their callees.  */

#include "heap-profile.h"
#include "heap-detail-tables.h"
#include "heap-images.h"
#include "heap-profile-fill.h"
#include "saturating.h"
#include <stdlib.h>

/* New ids, indexed by old id.  */
struct id_maps
{
  uint32_t *strings;
  uint32_t *frames;
  uint32_t *contexts;
};

static void
free_maps (struct id_maps *maps)
{
  free (maps->strings);
  free (maps->frames);
  free (maps->contexts);
}

static bool
make_maps (struct id_maps *maps, const struct heap_profile *source)
{
  maps->strings
    = calloc (heap_profile_string_count (source), sizeof *maps->strings);
  maps->frames
    = calloc (heap_profile_frame_count (source), sizeof *maps->frames);
  maps->contexts
    = calloc (heap_profile_context_count (source), sizeof *maps->contexts);
  return maps->strings && maps->frames && maps->contexts;
}

static bool
merge_strings (struct heap_profile *profile, const struct heap_profile *source,
	       uint32_t *map)
{
  uint32_t count = heap_profile_string_count (source);
  for (uint32_t id = 0; id < count; id++)
    {
      map[id]
	= heap_profile_add_string (profile, heap_profile_string (source, id),
				   heap_profile_string_bytes (source, id));
      if (map[id] == UINT32_MAX)
	return false;
    }
  return true;
}

static bool
merge_frames (struct heap_profile *profile, const struct heap_profile *source,
	      struct id_maps *maps)
{
  uint32_t count = heap_profile_frame_count (source);
  for (uint32_t id = 0; id < count; id++)
    {
      struct heap_frame frame = *heap_profile_frame (source, id);
      frame.function_name = maps->strings[frame.function_name];
      frame.file = maps->strings[frame.file];
      frame.module = maps->strings[frame.module];
      frame.build_id = maps->strings[frame.build_id];
      frame.path = maps->strings[frame.path];
      maps->frames[id] = heap_profile_add_frame (profile, &frame);
      if (maps->frames[id] == UINT32_MAX)
	return false;
    }
  return true;
}

/* Return the type of what is allocated in CONTEXT of SOURCE according to LISTS;
   0 if they do not have it.  */
static uint64_t
type_of (const struct heap_profile *source, const struct heap_frame_list *lists,
	 uint32_t context)
{
  for (; context != 0; context = heap_profile_context_caller (source, context))
    {
      const struct heap_frame_list *list
	= &lists[heap_profile_context_frame (source, context)];
      if (list->count == 0 || !list->is_returned)
	return list->type;
    }
  return 0;
}

/* Merge the MIB of CONTEXT of SOURCE, if it has one.  LISTS may be NULL.  */
static bool
merge_info (struct heap_profile *profile, const struct heap_profile *source,
	    const struct heap_frame_list *lists, const struct id_maps *maps,
	    uint32_t context)
{
  struct info_place place = heap_profile_info_place (source, context);
  if (!info_place_is_known (place))
    return true;
  struct memory_info room;
  const struct memory_info *info = info_place_read (place, &room);
  if (lists && info->data_type_id == 0)
    {
      if (info != &room)
	room = *info;
      room.data_type_id = type_of (source, lists, context);
      info = &room;
    }
  return heap_profile_add_info (profile, maps->contexts[context], info);
}

/* Return the node in PROFILE for FRAME of the source below CALLER.  LIST has
   the frames that replace it, NULL if it is unchanged.  UINT32_MAX if memory is
   exhausted.  */
static uint32_t
merge_context (struct heap_profile *profile, const struct id_maps *maps,
	       const struct heap_frame_list *list, uint32_t caller,
	       uint32_t frame)
{
  if (!list || list->count == 0)
    return heap_profile_add_context (profile, caller, maps->frames[frame]);
  for (size_t i = list->count; i-- > 0 && caller != UINT32_MAX;)
    caller = heap_profile_add_context (profile, caller, list->frames[i]);
  return caller;
}

static bool
merge_contexts (struct heap_profile *profile, const struct heap_profile *source,
		const struct heap_frame_list *lists, struct id_maps *maps)
{
  uint32_t count = heap_profile_context_count (source);
  if (!merge_info (profile, source, lists, maps, 0))
    return false;
  for (uint32_t id = 1; id < count; id++)
    {
      uint32_t caller = heap_profile_context_caller (source, id);
      uint32_t frame = heap_profile_context_frame (source, id);
      maps->contexts[id]
	= merge_context (profile, maps, lists ? &lists[frame] : NULL,
			 maps->contexts[caller], frame);
      if (maps->contexts[id] == UINT32_MAX
	  || !merge_info (profile, source, lists, maps, id))
	return false;
    }
  return true;
}

static void
add_total (uint64_t *a, uint64_t n)
{
  *a = saturating_add (*a, n);
}

static void
keep_greater (uint64_t *a, uint64_t n)
{
  if (*a < n)
    *a = n;
}

void
heap_totals_add (struct heap_totals *totals, const struct heap_totals *source)
{
  totals->running_pid = totals->running_runs == 0   ? source->running_pid
			: source->running_runs == 0 ? totals->running_pid
						    : 0;
  add_total (&totals->runs, source->runs);
  add_total (&totals->incomplete_runs, source->incomplete_runs);
  add_total (&totals->running_runs, source->running_runs);
  add_total (&totals->unknown_runs, source->unknown_runs);
  add_total (&totals->attached_runs, source->attached_runs);
  add_total (&totals->sampled_runs, source->sampled_runs);
  add_total (&totals->totals_only_runs, source->totals_only_runs);
  add_total (&totals->watched_runs, source->watched_runs);
  add_total (&totals->overall_runs, source->overall_runs);
  add_total (&totals->overall_accesses, source->overall_accesses);
  keep_greater (&totals->sample_bytes, source->sample_bytes);
  add_total (&totals->dropped_contexts, source->dropped_contexts);
  add_total (&totals->truncated_contexts, source->truncated_contexts);
  add_total (&totals->unprofiled_allocations, source->unprofiled_allocations);
  add_total (&totals->foreign_frees, source->foreign_frees);
  add_total (&totals->missed_frees, source->missed_frees);
  add_total (&totals->ended_walks, source->ended_walks);
  add_total (&totals->folded_contexts, source->folded_contexts);
  add_total (&totals->pruned_contexts, source->pruned_contexts);
  add_total (&totals->duration_ns, source->duration_ns);
  add_total (&totals->timed_runs, source->timed_runs);
  add_total (&totals->peak_sum, source->peak_sum);
  add_total (&totals->counted_runs, source->counted_runs);
  add_total (&totals->counted_bytes, source->counted_bytes);
  add_total (&totals->searched_runs, source->searched_runs);
  add_total (&totals->refused_runs, source->refused_runs);
  add_total (&totals->suppressed_count, source->suppressed_count);
  add_total (&totals->suppressed_bytes, source->suppressed_bytes);
  keep_greater (&totals->peak_bytes, source->peak_bytes);
  keep_greater (&totals->memory_bytes, source->memory_bytes);
  keep_greater (&totals->table_bytes, source->table_bytes);
}

bool
heap_profile_merge_renamed (struct heap_profile *profile,
			    const struct heap_profile *source,
			    const struct heap_frame_list *lists)
{
  struct id_maps maps;
  bool done = (make_maps (&maps, source)
	       && merge_strings (profile, source, maps.strings)
	       && merge_frames (profile, source, &maps)
	       && heap_images_merge (profile, source, maps.strings)
	       && merge_contexts (profile, source, lists, &maps)
	       && heap_details_merge (heap_profile_details (profile),
				      heap_profile_read_details (source),
				      maps.contexts, maps.strings));
  free_maps (&maps);
  if (done)
    heap_totals_add (heap_profile_totals (profile),
		     heap_profile_read_totals (source));
  return done;
}

bool
heap_profile_merge (struct heap_profile *profile,
		    const struct heap_profile *source)
{
  return heap_profile_merge_renamed (profile, source, NULL);
}
