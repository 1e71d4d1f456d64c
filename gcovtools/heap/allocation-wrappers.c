/* Allocator wrappers: functions that allocate for their callers.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "allocation-wrappers.h"
#include "function-name.h"
#include "option-values.h"
#include "wrapper-name.h"
#include "wrapper-search.h"
#include <stdlib.h>
#include <string.h>

bool
wrapper_options_have (int id)
{
  return id >= WRAPPER_OPTION_SKIP && id < WRAPPER_OPTION_END;
}

bool
wrapper_options_take (struct wrapper_options *options, const char *command,
		      int id, const char *value)
{
  if (id == WRAPPER_OPTION_SKIP)
    return option_take_patterns (command, value, &options->skip);
  options->is_off = true;
  return true;
}

void
wrapper_options_release (struct wrapper_options *options)
{
  pattern_list_release (&options->skip);
}

const char *
wrapper_kind_name (enum wrapper_kind kind)
{
  static const char *const names[] = { [WRAPPER_NONE] = "none",
				       [WRAPPER_LIBRARY] = "library",
				       [WRAPPER_LISTED] = "listed",
				       [WRAPPER_NAMED] = "named",
				       [WRAPPER_FOUND] = "found" };
  return names[kind];
}

/* Return the kind of the function NAME as far as its name tells.  */
static enum wrapper_kind
kind_of_name (const char *name, const struct wrapper_options *options)
{
  if (*name == '\0' || strcmp (name, "main") == 0)
    return WRAPPER_NONE;
  if (function_name_is_library (name))
    return WRAPPER_LIBRARY;
  if (wrapper_name_is_listed (name))
    return WRAPPER_LISTED;
  if (options->skip.count > 0 && function_name_matches (name, &options->skip))
    return WRAPPER_NAMED;
  return WRAPPER_NONE;
}

/* Set the kinds of all frames by their functions' names.  */
static bool
set_kinds_by_name (struct allocation_wrappers *wrappers,
		   const struct wrapper_options *options)
{
  const struct heap_profile *profile = wrappers->profile;
  uint32_t count = heap_profile_frame_count (profile);
  /* By string: its kind plus 1, or 0 if it has not been looked at.  */
  uint8_t *known = calloc ((size_t) heap_profile_string_count (profile) + 1, 1);
  if (known == NULL)
    return false;
  for (uint32_t id = 0; id < count; id++)
    {
      uint32_t name = heap_profile_frame (profile, id)->function_name;
      if (known[name] == 0)
	known[name]
	  = (uint8_t) (kind_of_name (heap_profile_string (profile, name),
				     options)
		       + 1);
      wrappers->kinds[id] = (uint8_t) (known[name] - 1);
    }
  free (known);
  return true;
}

/* Set *PYTHON to the string ID of Python's module, 0 if there is none, and
   return the ID of the module of the interpreter's evaluation loop, or 0.  */
static uint32_t
find_interpreter (const struct heap_profile *profile, uint32_t *python)
{
  uint32_t module = 0;
  *python = 0;
  for (uint32_t id = 1; id < heap_profile_frame_count (profile); id++)
    {
      const struct heap_frame *frame = heap_profile_frame (profile, id);
      if (*python == 0
	  && strcmp (heap_profile_string (profile, frame->module),
		     HEAP_PYTHON_MODULE)
	       == 0)
	*python = frame->module;
      if (module == 0
	  && strcmp (heap_profile_string (profile, frame->function_name),
		     "_PyEval_EvalFrameDefault")
	       == 0)
	module = frame->module;
    }
  return module;
}

/* Set the roles of all frames, if there is any Python code.  */
static bool
set_roles (struct allocation_wrappers *wrappers)
{
  const struct heap_profile *profile = wrappers->profile;
  uint32_t python;
  uint32_t interpreter = find_interpreter (profile, &python);
  if (python == 0)
    return true;
  uint32_t frames = heap_profile_frame_count (profile);
  uint32_t nodes = heap_profile_context_count (profile);
  wrappers->roles = calloc ((size_t) frames + 1, 1);
  wrappers->is_below_python
    = calloc ((size_t) nodes + 1, sizeof *wrappers->is_below_python);
  if (wrappers->roles == NULL || wrappers->is_below_python == NULL)
    return false;
  for (uint32_t id = 1; id < frames; id++)
    {
      uint32_t module = heap_profile_frame (profile, id)->module;
      wrappers->roles[id] = module == python ? PYTHON_CODE
			    : module != 0 && module == interpreter
			      ? PYTHON_INTERPRETER
			      : PYTHON_NONE;
    }
  /* A node's number is greater than its caller's.  */
  for (uint32_t i = 1; i < nodes; i++)
    wrappers->is_below_python[i]
      = wrappers->is_below_python[heap_profile_context_caller (profile, i)]
	|| wrappers->roles[heap_profile_context_frame (profile, i)]
	     == PYTHON_CODE;
  return true;
}

bool
allocation_wrappers_make (struct allocation_wrappers *wrappers,
			  const struct heap_profile *profile,
			  const struct wrapper_options *options)
{
  *wrappers = (struct allocation_wrappers){ .profile = profile };
  if (options->is_off)
    return true;
  wrappers->kinds = calloc ((size_t) heap_profile_frame_count (profile) + 1, 1);
  if (wrappers->kinds == NULL || !set_kinds_by_name (wrappers, options)
      || !set_roles (wrappers))
    return false;
  if (options->known != NULL)
    wrapper_names_apply (options->known, wrappers);
  return options->only_known || wrapper_search (profile, wrappers->kinds);
}

void
allocation_wrappers_release (struct allocation_wrappers *wrappers)
{
  free (wrappers->kinds);
  free (wrappers->roles);
  free (wrappers->is_below_python);
  wrappers->kinds = NULL;
  wrappers->roles = NULL;
  wrappers->is_below_python = NULL;
}

uint32_t
allocation_wrappers_site (const struct allocation_wrappers *wrappers,
			  uint32_t context)
{
  const struct heap_profile *profile = wrappers->profile;
  if (wrappers->kinds == NULL)
    return context;
  if (allocation_wrappers_below_python (wrappers, context))
    while (wrappers->roles[heap_profile_context_frame (profile, context)]
	   != PYTHON_CODE)
      context = heap_profile_context_caller (profile, context);
  while (wrappers->kinds[heap_profile_context_frame (profile, context)]
	 != WRAPPER_NONE)
    {
      uint32_t caller = heap_profile_context_caller (profile, context);
      if (caller == 0)
	break;
      context = caller;
    }
  return context;
}

/* ---- Names.  */

static int
compare_names (const void *a, const void *b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static bool
is_known (const struct wrapper_names *names, const char *name)
{
  return names->count > 0
	 && bsearch (&name, names->names, names->count, sizeof name,
		     compare_names)
	      != NULL;
}

static bool
add_name (struct wrapper_names *names, const char *name)
{
  char **grown = realloc (names->names, (names->count + 1) * sizeof *grown);
  if (grown == NULL)
    return false;
  names->names = grown;
  grown[names->count] = strdup (name);
  if (grown[names->count] == NULL)
    return false;
  names->count++;
  qsort (grown, names->count, sizeof *grown, compare_names);
  return true;
}

bool
wrapper_names_add (struct wrapper_names *names,
		   const struct allocation_wrappers *wrappers)
{
  const struct heap_profile *profile = wrappers->profile;
  if (wrappers->kinds == NULL)
    return true;
  for (uint32_t id = 0; id < heap_profile_frame_count (profile); id++)
    {
      if (wrappers->kinds[id] != WRAPPER_FOUND)
	continue;
      const char *name
	= heap_profile_string (profile,
			       heap_profile_frame (profile, id)->function_name);
      if (!is_known (names, name) && !add_name (names, name))
	return false;
    }
  return true;
}

void
wrapper_names_apply (const struct wrapper_names *names,
		     struct allocation_wrappers *wrappers)
{
  const struct heap_profile *profile = wrappers->profile;
  if (wrappers->kinds == NULL)
    return;
  for (uint32_t id = 0; id < heap_profile_frame_count (profile); id++)
    if (wrappers->kinds[id] == WRAPPER_NONE
	&& is_known (names,
		     heap_profile_string (profile,
					  heap_profile_frame (profile, id)
					    ->function_name)))
      wrappers->kinds[id] = WRAPPER_FOUND;
}

void
wrapper_names_release (struct wrapper_names *names)
{
  for (size_t i = 0; i < names->count; i++)
    free (names->names[i]);
  free (names->names);
  *names = (struct wrapper_names){ 0 };
}
