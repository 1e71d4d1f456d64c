/* The functions that the frames of a heap profile are in.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-functions.h"
#include "name-index.h"
#include "record-table.h"
#include <stdlib.h>
#include <string.h>

struct function_search
{
  const struct heap_profile *profile;
  struct name_index index; /* of the shape */
};

const char *
heap_function_file (const struct heap_profile *profile,
		    const struct heap_frame *frame)
{
  const char *path = heap_profile_string (profile, frame->file);
  const char *slash = strrchr (path, '/');
  return slash != NULL ? slash + 1 : path;
}

static bool
is_known (const struct heap_frame *frame)
{
  return frame->function_name != 0 && frame->line != 0
	 && frame->start_line != 0;
}

/* Compare the functions of two frames.  */
static int
compare_functions (const struct heap_frame *x, const struct heap_frame *y)
{
  if (x->module != y->module)
    return x->module < y->module ? -1 : 1;
  if (x->function_name != y->function_name)
    return x->function_name < y->function_name ? -1 : 1;
  return (x->start_line > y->start_line) - (x->start_line < y->start_line);
}

static int
compare_frames (const void *number1, const void *number2, void *data)
{
  const struct heap_profile *profile = data;
  uint32_t a = *(const uint32_t *) number1;
  uint32_t b = *(const uint32_t *) number2;
  int order = compare_functions (heap_profile_frame (profile, a),
				 heap_profile_frame (profile, b));
  return order != 0 ? order : (a > b) - (a < b);
}

/* Return true if the shape has the function of FRAME in FILE.  Set *IS_KNOWN to
   whether it has one of that name in any file.  */
static bool
look_up (const struct function_search *search, const struct heap_frame *frame,
	 const char *file, bool *is_known)
{
  const char *text
    = heap_profile_string (search->profile, frame->function_name);
  size_t n = heap_profile_string_bytes (search->profile, frame->function_name);
  *is_known = false;
  for (size_t i = name_index_find (&search->index, text, n);
       name_index_is (&search->index, i, text, n); i++)
    {
      uint32_t other = sample_profile_name_file (search->index.profile,
						 search->index.names[i]);
      *is_known = true;
      if (other != SAMPLE_NO_NAME
	  && strcmp (sample_profile_name (search->index.profile, other), file)
	       == 0)
	return true;
    }
  return false;
}

/* Find the function of the N frames at FRAMES, which are in the same one: in
   the first of their files that the shape has it in, otherwise in the first.
 */
static void
find_function (const struct function_search *search, const uint32_t *frames,
	       uint32_t n, struct heap_function *functions)
{
  struct heap_function found = { 0 };
  bool has_file = false;
  for (uint32_t i = 0; i < n && !has_file; i++)
    {
      const struct heap_frame *frame
	= heap_profile_frame (search->profile, frames[i]);
      const char *file = heap_function_file (search->profile, frame);
      has_file = look_up (search, frame, file, &found.is_known);
      if (found.file == NULL || has_file)
	found.file = file;
    }
  for (uint32_t i = 0; i < n; i++)
    functions[frames[i]] = found;
}

/* Find the functions of the COUNT frames in ORDER, which is by function.  */
static void
find_functions (const struct function_search *search, const uint32_t *order,
		uint32_t count, struct heap_function *functions)
{
  uint32_t next;
  for (uint32_t i = 0; i < count; i = next)
    {
      const struct heap_frame *first
	= heap_profile_frame (search->profile, order[i]);
      for (next = i + 1; next < count; next++)
	if (compare_functions (first, heap_profile_frame (search->profile,
							  order[next]))
	    != 0)
	  break;
      if (is_known (first))
	find_function (search, &order[i], next - i, functions);
    }
}

struct heap_function *
heap_functions_find (const struct heap_profile *profile,
		     const struct sample_profile *shape)
{
  uint32_t count = heap_profile_frame_count (profile);
  struct heap_function *functions = calloc (count, sizeof *functions);
  uint32_t *order = record_order (count, compare_frames, profile);
  struct function_search search = { .profile = profile };
  bool is_done = name_index_make (&search.index, shape) && functions != NULL
		 && order != NULL;
  if (is_done)
    find_functions (&search, order, count, functions);
  free (order);
  name_index_release (&search.index);
  if (is_done)
    return functions;
  free (functions);
  return NULL;
}
