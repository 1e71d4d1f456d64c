/* The line of the program that an allocation is due to.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "advice-sites.h"
#include "advice-limits.h"
#include "function-name.h"
#include "thread-starts.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum frame_role
{
  ROLE_LIBRARY,
  ROLE_WRAPPER, /* code of the program, but no candidate */
  ROLE_CANDIDATE,
  ROLE_POSSIBLE_SITE /* of a place: among the innermost candidates */
};

/* Items after which equal ones are added up.  */
#define ADD_UP_ITEMS 65536

/* Blocks at PLACE with BEHAVIOUR.  */
struct behaviour_blocks
{
  uint32_t place;
  uint64_t behaviour;
  double blocks;
};

/* ---- Roles of frames.  */

static bool
is_library_module (const char *module)
{
  static const char *const names[]
    = { "libstdc++.so", "libgcc_s.so", "libm.so", "libc++.so", "ld-linux" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp (module, names[i], strlen (names[i])) == 0)
      return true;
  return *module == '[' || thread_starts_is_c_library (module);
}

static bool
is_system_header (const char *file)
{
  static const char *const folders[] = { "/usr/include/", "/usr/lib/gcc/" };
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if (strncmp (file, folders[i], strlen (folders[i])) == 0)
      return true;
  return false;
}

/* Set *IS_INNER if the linkage name NAME is of a container's function, or of
   one that copies an object.  Return false if memory is exhausted.  */
static bool
check_name (const char *name, bool *is_inner)
{
  char *demangled = function_name_demangle (name, false);
  if (demangled == NULL)
    return false;
  function_name_last (demangled, is_inner);
  *is_inner = *is_inner || function_name_is_copy (name);
  free (demangled);
  return true;
}

static bool
is_library_frame (const struct heap_profile *profile,
		  const struct heap_frame *frame, bool has_files)
{
  const char *file = heap_profile_string (profile, frame->file);
  return (frame->function_guid == 0 || (has_files && frame->file == 0)
	  || is_system_header (file)
	  || is_library_module (heap_profile_string (profile, frame->module))
	  || function_name_is_library (
	    heap_profile_string (profile, frame->function_name)));
}

static bool
has_files (const struct heap_profile *profile)
{
  for (uint32_t i = 1; i < heap_profile_frame_count (profile); i++)
    if (heap_profile_frame (profile, i)->file != 0)
      return true;
  return false;
}

static bool
find_roles (struct advice_sites *sites)
{
  const struct heap_profile *profile = sites->report->profile;
  uint32_t count = heap_profile_frame_count (profile);
  sites->has_files = has_files (profile);
  for (uint32_t i = 1; i < count; i++)
    {
      const struct heap_frame *frame = heap_profile_frame (profile, i);
      bool is_wrapper = allocation_wrappers_kind (&sites->report->wrappers, i)
			!= WRAPPER_NONE;
      if (is_library_frame (profile, frame, sites->has_files))
	continue;
      if (!is_wrapper
	  && !check_name (heap_profile_string (profile, frame->function_name),
			  &is_wrapper))
	return false;
      sites->roles[i] = is_wrapper ? ROLE_WRAPPER : ROLE_CANDIDATE;
    }
  return true;
}

/* ---- Places: frames at the same line.  */

static int
compare_places (const struct heap_frame *a, const struct heap_frame *b)
{
  if (a->function_guid != b->function_guid)
    return a->function_guid < b->function_guid ? -1 : 1;
  if (a->file != b->file)
    return a->file < b->file ? -1 : 1;
  if (a->line != b->line)
    return a->line < b->line ? -1 : 1;
  if (a->line_offset != b->line_offset)
    return a->line_offset < b->line_offset ? -1 : 1;
  /* Code without names, by address.  */
  return (a->address > b->address) - (a->address < b->address);
}

static int
compare_frames (const void *a, const void *b, void *data)
{
  uint32_t x = *(const uint32_t *) a;
  uint32_t y = *(const uint32_t *) b;
  int order = compare_places (heap_profile_frame (data, x),
			      heap_profile_frame (data, y));
  return order != 0 ? order : (x > y) - (x < y);
}

static bool
find_places (struct advice_sites *sites)
{
  struct heap_profile *profile = sites->report->profile;
  uint32_t count = heap_profile_frame_count (profile);
  uint32_t *order = calloc ((size_t) count + 1, sizeof *order);
  if (order == NULL)
    return false;
  for (uint32_t i = 0; i < count; i++)
    order[i] = i;
  qsort_r (order, count, sizeof *order, compare_frames, profile);
  for (uint32_t i = 0; i < count; i++)
    {
      bool is_same
	= i > 0
	  && compare_places (heap_profile_frame (profile, order[i - 1]),
			     heap_profile_frame (profile, order[i]))
	       == 0;
      sites->places[order[i]]
	= is_same ? sites->places[order[i - 1]] : order[i];
    }
  free (order);
  return true;
}

uint32_t
advice_sites_place (const struct advice_sites *sites, uint32_t frame)
{
  return sites->places[frame];
}

/* ---- Behaviour.  */

#define BEHAVES_TEMPORARY 0
#define BEHAVES_VARIED ((uint64_t) 1 << 63)

/* Return a number that is equal for contexts whose blocks are alike.  */
static uint64_t
behaviour_of (const struct advice_sites *sites, const struct memory_info *info)
{
  const struct memory_info_range *size = &info->size_bytes;
  if (placement_class_of (&sites->report->placement, info)
      == PLACEMENT_TEMPORARY)
    return BEHAVES_TEMPORARY;
  if (heap_known_has_bounds (info, size) && size->min == size->max)
    return size->min + 1;
  uint64_t mean = info->alloc_count > 0 ? size->total / info->alloc_count : 0;
  return BEHAVES_VARIED | (uint64_t) (64 - __builtin_clzll (mean | 1));
}

/* Call VISIT for the LEFT innermost candidates of CONTEXT, until it returns
   false.  */
static void
visit_candidates (const struct advice_sites *sites, uint32_t context, int left,
		  bool (*visit) (void *data, uint32_t node), void *data)
{
  const struct heap_profile *profile = sites->report->profile;
  for (; context != 0 && left > 0;
       context = heap_profile_context_caller (profile, context))
    {
      uint32_t frame = heap_profile_context_frame (profile, context);
      if (sites->roles[frame] < ROLE_CANDIDATE)
	continue;
      left--;
      if (!visit (data, context))
	return;
    }
}

static uint32_t
place_of (const struct advice_sites *sites, uint32_t node)
{
  return sites
    ->places[heap_profile_context_frame (sites->report->profile, node)];
}

/* Mark the place of NODE as one that may be a site.  */
static bool
mark_place (void *data, uint32_t node)
{
  struct advice_sites *sites = data;
  sites->roles[place_of (sites, node)] = ROLE_POSSIBLE_SITE;
  return true;
}

/* The candidates of one context, while blocks are counted.  */
struct counting
{
  struct advice_sites *sites;
  size_t start; /* of this context's items */
  struct behaviour_blocks counted;
  bool is_done; /* else memory is exhausted */
};

/* Count the blocks at NODE if its place may be a site, once if the context
   passes it again.  */
static bool
count_blocks (void *data, uint32_t node)
{
  struct counting *counting = data;
  struct advice_sites *sites = counting->sites;
  counting->counted.place = place_of (sites, node);
  if (sites->roles[counting->counted.place] != ROLE_POSSIBLE_SITE)
    return true;
  for (size_t i = counting->start; i < sites->block_count; i++)
    if (sites->blocks[i].place == counting->counted.place)
      return true;
  if (sites->block_count == sites->block_capacity)
    {
      size_t capacity = 2 * sites->block_capacity + 1024;
      struct behaviour_blocks *blocks
	= realloc (sites->blocks, capacity * sizeof *blocks);
      counting->is_done = blocks != NULL;
      if (blocks == NULL)
	return false;
      sites->blocks = blocks;
      sites->block_capacity = capacity;
    }
  sites->blocks[sites->block_count++] = counting->counted;
  return true;
}

static int
compare_blocks (const void *a, const void *b)
{
  const struct behaviour_blocks *x = a;
  const struct behaviour_blocks *y = b;
  if (x->place != y->place)
    return x->place < y->place ? -1 : 1;
  return (x->behaviour > y->behaviour) - (x->behaviour < y->behaviour);
}

/* Add up items of equal place and behaviour.  */
static void
add_up_blocks (struct advice_sites *sites)
{
  size_t kept = 0;
  if (sites->block_count > 1)
    qsort (sites->blocks, sites->block_count, sizeof *sites->blocks,
	   compare_blocks);
  for (size_t i = 0; i < sites->block_count; i++)
    if (kept > 0
	&& compare_blocks (&sites->blocks[kept - 1], &sites->blocks[i]) == 0)
      sites->blocks[kept - 1].blocks += sites->blocks[i].blocks;
    else
      sites->blocks[kept++] = sites->blocks[i];
  sites->block_count = kept;
}

/* Count the blocks of CONTEXT at all places that it passes.  */
static bool
count_context (struct advice_sites *sites, uint32_t context,
	       const struct memory_info *info)
{
  /* Keep the list short: most contexts share places and behaviours.  */
  if (sites->block_count > 2 * sites->added_up + ADD_UP_ITEMS)
    {
      add_up_blocks (sites);
      sites->added_up = sites->block_count;
    }
  struct counting counting
    = { .sites = sites,
	.start = sites->block_count,
	.counted = { .behaviour = behaviour_of (sites, info),
		     .blocks = (double) info->alloc_count },
	.is_done = true };
  visit_candidates (sites, context, INT_MAX, count_blocks, &counting);
  return counting.is_done;
}

static bool
count_all_blocks (struct advice_sites *sites)
{
  const struct heap_profile *profile = sites->report->profile;
  uint32_t count = heap_profile_context_count (profile);
  for (uint32_t i = 0; i < count; i++)
    if (heap_profile_info (profile, i) != NULL)
      visit_candidates (sites, i, ADVICE_SITE_FRAMES, mark_place, sites);
  for (uint32_t i = 0; i < count; i++)
    {
      const struct memory_info *info = heap_profile_info (profile, i);
      if (info != NULL && info->alloc_count > 0
	  && !count_context (sites, i, info))
	return false;
    }
  add_up_blocks (sites);
  return true;
}

/* Return true if most blocks at PLACE have BEHAVIOUR.  */
static bool
are_alike (const struct advice_sites *sites, uint32_t place, uint64_t behaviour)
{
  double alike = 0;
  double all = 0;
  size_t low = 0;
  size_t high = sites->block_count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (sites->blocks[middle].place < place)
	low = middle + 1;
      else
	high = middle;
    }
  for (; low < sites->block_count && sites->blocks[low].place == place; low++)
    {
      all += sites->blocks[low].blocks;
      if (sites->blocks[low].behaviour == behaviour)
	alike += sites->blocks[low].blocks;
    }
  return alike * 100 >= all * ADVICE_ALIKE_PERCENT;
}

/* ---- The site.  */

struct search
{
  const struct advice_sites *sites;
  uint64_t behaviour;
  uint32_t first; /* innermost candidate; 0: none yet */
  uint32_t found;
};

static bool
check_candidate (void *data, uint32_t node)
{
  struct search *search = data;
  const struct advice_sites *sites = search->sites;
  if (search->first == 0)
    search->first = node;
  if (!are_alike (sites, place_of (sites, node), search->behaviour))
    return true;
  search->found = node;
  return false;
}

/* Return the innermost node of CONTEXT with ROLE or more, 0 if there is
   none.  */
static uint32_t
innermost (const struct advice_sites *sites, uint32_t context,
	   enum frame_role role)
{
  const struct heap_profile *profile = sites->report->profile;
  while (context != 0
	 && sites->roles[heap_profile_context_frame (profile, context)] < role)
    context = heap_profile_context_caller (profile, context);
  return context;
}

uint32_t
advice_sites_find (const struct advice_sites *sites, uint32_t context)
{
  const struct memory_info *info
    = heap_profile_info (sites->report->profile, context);
  struct search search
    = { .sites = sites, .behaviour = behaviour_of (sites, info) };
  visit_candidates (sites, context, ADVICE_SITE_FRAMES, check_candidate,
		    &search);
  if (search.found != 0)
    return search.found;
  return search.first != 0 ? search.first
			   : innermost (sites, context, ROLE_WRAPPER);
}

bool
advice_sites_is_own (const struct advice_sites *sites, uint32_t context)
{
  const struct heap_profile *profile = sites->report->profile;
  const struct heap_frame *frame
    = heap_profile_frame (profile,
			  heap_profile_context_frame (profile, context));
  return (frame->file != 0 || !sites->has_files)
	 && !is_library_module (heap_profile_string (profile, frame->module));
}

bool
advice_sites_make (struct advice_sites *sites, const struct heap_report *report)
{
  size_t count = (size_t) heap_profile_frame_count (report->profile) + 1;
  *sites = (struct advice_sites){ .report = report,
				  .places = calloc (count, sizeof (uint32_t)),
				  .roles = calloc (count, sizeof (uint8_t)) };
  return sites->places != NULL && sites->roles != NULL && find_roles (sites)
	 && find_places (sites) && count_all_blocks (sites);
}

void
advice_sites_release (struct advice_sites *sites)
{
  free (sites->blocks);
  free (sites->roles);
  free (sites->places);
}
