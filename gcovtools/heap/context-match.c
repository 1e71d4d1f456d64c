/* Matching of the calling contexts of two heap profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   The contexts of both are entered into a third profile, with frames reduced to
   what identifies them, so that equal contexts get the same number there.  */

#include "context-match.h"
#include "plain-frame.h"
#include <stdlib.h>
#include <string.h>

/* Maps the contexts of one profile to those of the common profile.  */
struct numbering
{
  const struct heap_profile *profile;
  uint32_t *frames; /* by frame; UINT32_MAX: not entered yet */
  uint32_t *contexts;
};

/* Enter all contexts of NUMBERING into COMMON.  */
static bool
enter_contexts (struct numbering *numbering, struct heap_profile *common)
{
  const struct heap_profile *profile = numbering->profile;
  uint32_t frames = heap_profile_frame_count (profile);
  uint32_t count = heap_profile_context_count (profile);
  numbering->frames = malloc ((frames + (size_t) 1) * sizeof (uint32_t));
  numbering->contexts = calloc (count + (size_t) 1, sizeof (uint32_t));
  if (numbering->frames == NULL || numbering->contexts == NULL)
    return false;
  memset (numbering->frames, 0xff, frames * sizeof (uint32_t));
  for (uint32_t i = 1; i < count; i++)
    {
      uint32_t id = heap_profile_context_frame (profile, i);
      uint32_t *frame = &numbering->frames[id];
      if (*frame == UINT32_MAX)
	*frame = plain_frame_enter (common, profile, id);
      if (*frame == UINT32_MAX)
	return false;
      uint32_t caller = heap_profile_context_caller (profile, i);
      numbering->contexts[i]
	= heap_profile_add_context (common, numbering->contexts[caller],
				    *frame);
      if (numbering->contexts[i] == UINT32_MAX)
	return false;
    }
  return true;
}

/* Add INFO of CONTEXT in profile SIDE to MATCHED.  */
static bool
add_info (struct context_match *match, struct matched_context *matched,
	  int side, uint32_t context, const struct memory_info *info)
{
  const struct memory_info *before = matched->infos[side];
  if (before == NULL)
    {
      matched->infos[side] = info;
      matched->sources[side] = context;
      return true;
    }
  struct memory_info *sum = objalloc_alloc (match->arena, sizeof *sum);
  if (sum == NULL)
    return false;
  *sum = *before;
  memory_info_add (sum, info);
  matched->infos[side] = sum;
  return true;
}

/* Add the memory info of profile SIDE to the contexts of MATCH, which are
   indexed by number in the common profile.  */
static bool
add_infos (struct context_match *match, const struct numbering *numbering,
	   int side)
{
  uint32_t count = heap_profile_context_count (numbering->profile);
  for (uint32_t i = 0; i < count; i++)
    {
      const struct memory_info *info
	= heap_profile_info (numbering->profile, i);
      if (info != NULL
	  && !add_info (match, &match->contexts[numbering->contexts[i]], side,
			i, info))
	return false;
    }
  return true;
}

/* Remove contexts without allocations.  */
static void
drop_empty (struct context_match *match, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (match->contexts[i].infos[0] != NULL
	|| match->contexts[i].infos[1] != NULL)
      match->contexts[match->count++] = match->contexts[i];
}

bool
context_match_make (struct context_match *match,
		    struct heap_profile *const profiles[2])
{
  struct numbering numberings[2]
    = { { .profile = profiles[0] }, { .profile = profiles[1] } };
  struct heap_profile *common = heap_profile_new ();
  *match = (struct context_match){ .profiles = { profiles[0], profiles[1] },
				   .arena = objalloc_create () };
  bool is_done = common != NULL && match->arena != NULL;
  for (int side = 0; side < 2 && is_done; side++)
    if (profiles[side] != NULL)
      is_done = enter_contexts (&numberings[side], common);
  size_t count = is_done ? heap_profile_context_count (common) : 0;
  match->contexts = calloc (count + 1, sizeof *match->contexts);
  is_done = is_done && match->contexts != NULL;
  for (int side = 0; side < 2 && is_done; side++)
    if (profiles[side] != NULL)
      is_done = add_infos (match, &numberings[side], side);
  if (is_done)
    drop_empty (match, count);
  for (int side = 0; side < 2; side++)
    {
      free (numberings[side].frames);
      free (numberings[side].contexts);
    }
  heap_profile_free (common);
  return is_done;
}

void
context_match_release (struct context_match *match)
{
  free (match->contexts);
  if (match->arena != NULL)
    objalloc_free (match->arena);
}

bool *
context_match_choose (const struct context_match *match,
		      const struct profile_filter *filter)
{
  bool *is_chosen = calloc (match->count + 1, sizeof *is_chosen);
  bool is_done = is_chosen != NULL;
  for (int side = 0; side < 2 && is_done; side++)
    {
      struct context_chooser chooser;
      const struct heap_profile *profile = match->profiles[side];
      if (profile == NULL)
	continue;
      is_done = context_chooser_make (&chooser, profile, filter);
      for (size_t i = 0; i < match->count && is_done; i++)
	{
	  const struct matched_context *matched = &match->contexts[i];
	  if (matched->infos[side] != NULL && !is_chosen[i])
	    is_chosen[i]
	      = context_chooser_takes (&chooser, matched->sources[side],
				       matched->infos[side]);
	}
      context_chooser_release (&chooser);
    }
  if (is_done)
    return is_chosen;
  free (is_chosen);
  return NULL;
}

bool
context_measure_is_known (const struct heap_known *known,
			  enum context_measure measure)
{
  if (!known->has_blocks)
    return true;
  switch (measure)
    {
    case CONTEXT_ACCESSES:
      return known->has_accesses;
    case CONTEXT_LIVE_BLOCKS:
    case CONTEXT_LIVE_BYTES:
      return known->has_runs;
    case CONTEXT_PEAK:
      return known->has_moments;
    case CONTEXT_TEMPORARY:
      return known->has_moments && !known->has_samples;
    case CONTEXT_LOST_BLOCKS:
    case CONTEXT_LOST_BYTES:
      return known->has_leaks;
    default:
      return true;
    }
}

bool
context_measure_has (const struct heap_known *known,
		     const struct memory_info *info,
		     enum context_measure measure)
{
  if (!context_measure_is_known (known, measure))
    return false;
  if (measure == CONTEXT_ACCESSES && info != NULL && info->alloc_count > 0)
    return memory_info_is_counted (info);
  if (measure == CONTEXT_ACCESSES || measure == CONTEXT_LIFETIME)
    return info == NULL || heap_known_has_sums (info);
  return true;
}

static uint64_t
add_saturating (uint64_t a, uint64_t b)
{
  uint64_t sum;
  return __builtin_add_overflow (a, b, &sum) ? UINT64_MAX : sum;
}

uint64_t
context_measure (const struct memory_info *info, enum context_measure measure)
{
  if (info == NULL)
    return 0;
  switch (measure)
    {
    case CONTEXT_ALLOCATIONS:
      return add_saturating (info->alloc_count, info->unfinished_count);
    case CONTEXT_BYTES:
      return add_saturating (info->size_bytes.total, info->unfinished_bytes);
    case CONTEXT_ACCESSES:
      return info->access_count.total;
    case CONTEXT_LIFETIME:
      return info->lifetime_ns.total;
    case CONTEXT_LIVE_BLOCKS:
      return info->live_count + info->unfinished_count;
    case CONTEXT_LIVE_BYTES:
      return info->live_bytes + info->unfinished_bytes;
    case CONTEXT_PEAK:
      return info->peak_bytes;
    case CONTEXT_TEMPORARY:
      return info->temporary_count;
    case CONTEXT_LOST_BLOCKS:
      return add_saturating (info->lost_count, info->indirect_count);
    case CONTEXT_LOST_BYTES:
      return add_saturating (info->lost_bytes, info->indirect_bytes);
    default:
      return 0;
    }
}

const char *
context_measure_name (enum context_measure measure)
{
  static const char *const names[CONTEXT_MEASURES]
    = { [CONTEXT_ALLOCATIONS] = "allocations",
	[CONTEXT_BYTES] = "bytes",
	[CONTEXT_ACCESSES] = "accesses",
	[CONTEXT_LIFETIME] = "lifetime",
	[CONTEXT_LIVE_BLOCKS] = "live_blocks",
	[CONTEXT_LIVE_BYTES] = "live_bytes",
	[CONTEXT_PEAK] = "peak",
	[CONTEXT_TEMPORARY] = "temporary",
	[CONTEXT_LOST_BLOCKS] = "lost_blocks",
	[CONTEXT_LOST_BYTES] = "lost_bytes" };
  return names[measure];
}

bool
context_measure_from_name (const char *name, enum context_measure *measure)
{
  for (int i = 0; i < CONTEXT_MEASURES; i++)
    if (strcmp (name, context_measure_name (i)) == 0)
      {
	*measure = i;
	return true;
      }
  return false;
}

/* The estimate that MEASURE is; HEAP_ESTIMATES: none.  */
static enum heap_estimate
estimate_of (enum context_measure measure)
{
  switch (measure)
    {
    case CONTEXT_ALLOCATIONS:
      return HEAP_ESTIMATE_BLOCKS;
    case CONTEXT_BYTES:
      return HEAP_ESTIMATE_BYTES;
    case CONTEXT_ACCESSES:
      return HEAP_ESTIMATE_ACCESSES;
    default:
      return HEAP_ESTIMATES;
    }
}

bool
context_measure_is_estimated (const struct heap_known *known,
			      enum context_measure measure)
{
  return known->has_samples && estimate_of (measure) != HEAP_ESTIMATES;
}

struct heap_spread
context_measure_spread (const struct heap_known *known,
			const struct memory_info *info,
			enum context_measure measure)
{
  if (!context_measure_is_estimated (known, measure))
    return (struct heap_spread){ 0, 0 };
  return heap_spread_of (info, estimate_of (measure), known->sample_bytes);
}

struct heap_spread
context_measure_spread_of_nothing (const struct heap_known *known,
				   enum context_measure measure)
{
  if (!context_measure_is_estimated (known, measure))
    return (struct heap_spread){ 0, 0 };
  return heap_spread_of_nothing (estimate_of (measure), known->sample_bytes);
}
