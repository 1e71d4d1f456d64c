/* The calls in the functions of a heap profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-lookup-calls.h"
#include "heap-lookup-files.h"
#include <stdlib.h>

/* How well a file fits, and how many fit as well.  */
struct best_file
{
  int fit;
  size_t count;
};

void
heap_lookup_calls_release (struct heap_lookup_calls *calls)
{
  free (calls->calls);
  free (calls->functions);
  heap_lookup_moved_release (&calls->moved);
  *calls = (struct heap_lookup_calls){ 0 };
}

/* Make room for one more than COUNT elements of BYTES in *ARRAY, which has room
   for *CAPACITY.  Return false if memory is exhausted.  */
static bool
make_room (void **array, size_t count, size_t *capacity, size_t bytes)
{
  if (count < *capacity)
    return true;
  void *grown = realloc (*array, (2 * *capacity + 16) * bytes);
  if (grown == NULL)
    return false;
  *array = grown;
  *capacity = 2 * *capacity + 16;
  return true;
}

static void
rate (struct best_file *best, int fit)
{
  if (fit > best->fit)
    *best = (struct best_file){ fit, 0 };
  best->count += fit == best->fit;
}

/* ---- The calls of a function.  */

static bool
add_call (struct heap_lookup_calls *calls,
	  const struct heapprof_places_block *block,
	  const struct heapprof_place_call *call)
{
  void *array = calls->calls;
  if (!make_room (&array, calls->call_count, &calls->call_capacity,
		  sizeof *calls->calls))
    return false;
  calls->calls = array;
  calls->calls[calls->call_count++]
    = (struct heap_lookup_call){ (uint32_t) call->line_offset, call->column,
				 heapprof_places_callee (block, call) };
  return true;
}

/* Return how well THERE, of BLOCK, fits PLACE: less than 0 if it is in another
   folder, -1 if its file may be the same.  */
static int
fitness (struct heap_lookup_calls *calls,
	 const struct heapprof_places_block *block,
	 const struct heap_lookup_place *place,
	 const struct heapprof_place *there)
{
  const int fit
    = heap_lookup_files_fitness (place, there->path, there->start_line, block,
				 &calls->moved);
  if (fit > 0)
    return fit;
  return heap_lookup_files_common (there->path, place->path) > 0
	     && heap_lookup_is_moved (&calls->moved, block, there->path,
				      place->path)
	   ? -1
	   : -2;
}

/* Find out how well the PLACES of a function, in BLOCK, fit PLACE, and store in
 *COUNT how many there are.  */
static struct best_file
rate_places (struct heap_lookup_calls *calls,
	     const struct heapprof_places_block *block,
	     struct heapprof_places places,
	     const struct heap_lookup_place *place, size_t *count)
{
  struct best_file best = { -2, 0 };
  struct heapprof_place there;
  struct heapprof_place_call call;
  for (*count = 0; heapprof_places_next (&places, &there); ++*count)
    {
      while (heapprof_places_next_call (&places, &there, &call))
	;
      rate (&best, fitness (calls, block, place, &there));
    }
  return best;
}

size_t
heap_lookup_calls_read (struct heap_lookup_calls *calls,
			const struct heapprof_places_block *block,
			const struct heap_lookup_place *place)
{
  struct heapprof_places places;
  struct heapprof_place there;
  struct heapprof_place_call call;
  size_t count;
  calls->call_count = 0;
  if (!heapprof_places_find (block, place->function, &places))
    return 0;
  const struct best_file best
    = rate_places (calls, block, places, place, &count);
  if (best.fit == -2 || (best.fit == -1 && count > 1))
    return 0;
  while (heapprof_places_next (&places, &there))
    {
      const bool is_wanted = fitness (calls, block, place, &there) == best.fit;
      while (heapprof_places_next_call (&places, &there, &call))
	if (is_wanted && !add_call (calls, block, &call))
	  return calls->call_count = 0;
    }
  return calls->call_count;
}

/* ---- The functions of a file.  */

static bool
add_functions (struct heap_lookup_calls *calls,
	       const struct heapprof_places_block *block,
	       struct heapprof_places_file *file)
{
  uint64_t guid;
  while (heapprof_places_next_function (block, file, &guid))
    {
      void *array = calls->functions;
      if (!make_room (&array, calls->function_count, &calls->function_capacity,
		      sizeof *calls->functions))
	return false;
      calls->functions = array;
      calls->functions[calls->function_count++] = guid;
    }
  return true;
}

size_t
heap_lookup_calls_read_functions (struct heap_lookup_calls *calls,
				  const struct heapprof_places_block *block,
				  const char *path)
{
  struct heapprof_places_block rest = *block;
  struct heapprof_places_file file;
  struct best_file best = { 0, 0 };
  calls->function_count = 0;
  while (heapprof_places_next_file (&rest, &file))
    rate (&best, heap_lookup_files_common (file.path, path));
  if (best.fit == 0 || (best.fit == 1 && best.count > 1))
    return 0;
  rest = *block;
  while (heapprof_places_next_file (&rest, &file))
    if (heap_lookup_files_common (file.path, path) == best.fit
	&& (best.fit > 1
	    || heap_lookup_is_moved (&calls->moved, block, file.path, path))
	&& !add_functions (calls, block, &file))
      return calls->function_count = 0;
  return calls->function_count;
}
