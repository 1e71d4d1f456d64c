/* Filters that select calling contexts, shared by all commands.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "profile-filter.h"
#include "function-name.h"
#include "heap-types.h"
#include "option-values.h"
#include <stdlib.h>

bool
profile_filter_has_option (int id)
{
  return id >= FILTER_OPTION_FUNCTION && id < FILTER_OPTION_END;
}

bool
profile_filter_take_option (struct profile_filter *filter, const char *command,
			    int id, const char *value)
{
  switch (id)
    {
    case FILTER_OPTION_FUNCTION:
      return option_take_patterns (command, value, &filter->functions);
    case FILTER_OPTION_FILE:
      return option_take_patterns (command, value, &filter->files);
    case FILTER_OPTION_MODULE:
      return option_take_patterns (command, value, &filter->modules);
    case FILTER_OPTION_TYPE:
      return option_take_patterns (command, value, &filter->types);
    case FILTER_OPTION_THREAD:
      return option_take_patterns (command, value, &filter->threads);
    default:
      return option_take_size (command, value, &filter->min_bytes);
    }
}

void
profile_filter_release (struct profile_filter *filter)
{
  pattern_list_release (&filter->functions);
  pattern_list_release (&filter->files);
  pattern_list_release (&filter->modules);
  pattern_list_release (&filter->types);
  pattern_list_release (&filter->threads);
}

const struct pattern_list *
profile_filter_functions (const struct profile_filter *filter)
{
  return filter->functions.count > 0 ? &filter->functions : NULL;
}

bool
profile_filter_is_set (const struct profile_filter *filter)
{
  return filter->functions.count > 0 || filter->files.count > 0
	 || filter->modules.count > 0 || filter->types.count > 0
	 || filter->threads.count > 0 || filter->min_bytes > 0;
}

/* Find out which threads CHOOSER includes.  */
static bool
choose_threads (struct context_chooser *chooser)
{
  const struct pattern_list *patterns = &chooser->filter->threads;
  struct thread_starts *starts = &chooser->starts;
  if (!thread_starts_make (starts, chooser->profile))
    return false;
  chooser->is_thread_taken
    = calloc (starts->count, sizeof *chooser->is_thread_taken);
  if (chooser->is_thread_taken == NULL)
    return false;
  for (uint32_t i = THREAD_MAIN; i < starts->count; i++)
    chooser->is_thread_taken[i]
      = function_name_matches (thread_starts_name (starts, i), patterns);
  return true;
}

bool
context_chooser_make (struct context_chooser *chooser,
		      const struct heap_profile *profile,
		      const struct profile_filter *filter)
{
  *chooser = (struct context_chooser){
    .profile = profile,
    .filter = filter,
    .strings = calloc ((size_t) heap_profile_string_count (profile) + 1, 1)
  };
  return chooser->strings != NULL
	 && (filter->threads.count == 0 || choose_threads (chooser));
}

void
context_chooser_release (struct context_chooser *chooser)
{
  free (chooser->strings);
  free (chooser->is_thread_taken);
  thread_starts_release (&chooser->starts);
}

/* The roles of a string.  Each role has two bits in the cache: `known' and
   `matches'.  */
enum kind
{
  KIND_FUNCTION,
  KIND_FILE,
  KIND_MODULE,
  KINDS
};

static const struct pattern_list *
patterns_of (const struct profile_filter *filter, enum kind kind)
{
  const struct pattern_list *const lists[KINDS]
    = { &filter->functions, &filter->files, &filter->modules };
  return lists[kind];
}

/* Return true if string ID, of a frame in the source FILE, matches as KIND.  */
static bool
string_matches (struct context_chooser *chooser, enum kind kind, uint32_t id,
		uint32_t file)
{
  const struct pattern_list *patterns = patterns_of (chooser->filter, kind);
  uint8_t known = (uint8_t) (1 << 2 * kind);
  uint8_t matches = (uint8_t) (2 << 2 * kind);
  uint8_t *what = &chooser->strings[id];
  if ((*what & known) == 0)
    {
      const char *text = heap_profile_string (chooser->profile, id);
      bool is_match
	= kind == KIND_FUNCTION
	    ? function_name_matches_in (text,
					heap_profile_string (chooser->profile,
							     file),
					patterns)
	    : pattern_list_matches (patterns, text);
      *what |= is_match ? known | matches : known;
    }
  return (*what & matches) != 0;
}

/* Return true if any frame of CONTEXT matches as KIND.  */
static bool
any_frame_matches (struct context_chooser *chooser, enum kind kind,
		   uint32_t context)
{
  const struct heap_profile *profile = chooser->profile;
  for (; context != 0; context = heap_profile_context_caller (profile, context))
    {
      const struct heap_frame *frame
	= heap_profile_frame (profile,
			      heap_profile_context_frame (profile, context));
      const uint32_t strings[KINDS]
	= { frame->function_name, frame->file, frame->module };
      if (string_matches (chooser, kind, strings[kind], frame->file))
	return true;
    }
  return false;
}

/* Return true if the name of type NUMBER matches.  */
static bool
type_matches (const struct context_chooser *chooser, uint64_t number)
{
  const struct heap_profile *profile = chooser->profile;
  const struct heap_type *type
    = heap_details_type (heap_profile_read_details (profile), number);
  return (type != NULL
	  && pattern_list_matches (&chooser->filter->types,
				   heap_profile_string (profile, type->name)));
}

bool
context_chooser_takes (struct context_chooser *chooser, uint32_t context,
		       const struct memory_info *info)
{
  uint64_t bytes;
  if (__builtin_add_overflow (info->size_bytes.total, info->unfinished_bytes,
			      &bytes))
    bytes = UINT64_MAX;
  if (bytes < chooser->filter->min_bytes)
    return false;
  if (chooser->is_thread_taken != NULL
      && !chooser->is_thread_taken[chooser->starts.threads[context]])
    return false;
  for (enum kind kind = 0; kind < KINDS; kind++)
    if (patterns_of (chooser->filter, kind)->count > 0
	&& !any_frame_matches (chooser, kind, context))
      return false;
  return (chooser->filter->types.count == 0
	  || type_matches (chooser, info->data_type_id));
}
