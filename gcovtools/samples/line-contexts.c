/* Counting of lines by calling context.
   SPDX-License-Identifier: GPL-3.0-or-later

   A context is found by frames, not by addresses, so several paths of calls may
   lead to the same one.  Its ranges are put together before they are counted,
   as a location gets the largest count of its instructions.  */

#include "line-contexts.h"
#include "growing-array.h"
#include "line-frames.h"
#include "number-sort.h"
#include "range-overlay.h"
#include <stdlib.h>

/* A range of code of one function in one context.  */
struct piece
{
  uint64_t function; /* address of the struct sample_function; first, for
			sorting */
  uint64_t first;    /* instructions */
  uint64_t last;
  uint64_t count;
};

/* The function of a scope in a path.  */
struct known_function
{
  struct sample_function *function;
  uint32_t path;
  bool is_known;
};

struct line_contexts
{
  struct sampled_functions functions;
  struct line_frames *lines;
  const struct call_contexts *contexts;
  uint32_t path;	     /* the current one */
  bool is_unknown;	     /* debug information lacks one of its calls */
  struct frame_list outer;   /* its frames */
  struct frame_list callers; /* of a function in it */
  uint64_t *calls;	     /* of the path, innermost first */
  size_t call_capacity;
  struct known_function *known; /* by scope */
  uint32_t known_count;
  struct piece *pieces;
  size_t piece_count;
  size_t piece_capacity;
  struct sample_function *function; /* whose pieces are counted */
};

static struct sample_profile *
profile_of (const struct line_contexts *counting)
{
  return counting->functions.profile;
}

/* ---- Contexts.  */

/* Append the frames of the call at ADDRESS to the current path.  */
static bool
add_call (struct line_contexts *counting, uint64_t address)
{
  const struct line_place *place = line_frames_find (counting->lines, address);
  if (place == NULL)
    return false;
  if (place->scope == NULL)
    {
      counting->is_unknown = true;
      return true;
    }
  const struct sample_frame frame = { place->scope->name, place->location };
  return line_scope_add (place->scope, &counting->outer)
	 && frame_list_append (&counting->outer, &frame, 1);
}

/* Make PATH the current one.  */
static bool
enter_path (struct line_contexts *counting, uint32_t path)
{
  const struct call_path *paths = counting->contexts->paths;
  size_t count = 0;
  if (!growing_array_reserve (&counting->calls, 0, &counting->call_capacity,
			      (size_t) paths[path].depth + 1,
			      sizeof *counting->calls))
    return false;
  counting->path = path;
  counting->is_unknown = false;
  counting->outer.count = 0;
  for (; path != CALL_PATH_EMPTY; path = paths[path].outer)
    counting->calls[count++] = paths[path].address;
  while (count-- > 0)
    if (!add_call (counting, counting->calls[count]))
      return false;
  return true;
}

/* Return the function of SCOPE in the current path, NULL if memory is
   exhausted.  */
static struct sample_function *
make_function (struct line_contexts *counting, const struct line_scope *scope)
{
  struct frame_list *callers = &counting->callers;
  callers->count = 0;
  if (!frame_list_append (callers, counting->outer.frames,
			  counting->outer.count)
      || !line_scope_add (scope, callers))
    return NULL;
  frame_list_trim (callers, counting->contexts);
  struct sample_function *function
    = sample_profile_add_function (profile_of (counting), callers->frames,
				   callers->count, scope->name);
  if (function != NULL && scope->outer != NULL)
    function->attributes |= SAMPLE_WAS_INLINED;
  return function;
}

/* Make room for what is known of SCOPE.  */
static bool
reserve_known (struct line_contexts *counting, const struct line_scope *scope)
{
  size_t capacity = counting->known_count;
  if (scope->number < counting->known_count)
    return true;
  if (!growing_array_reserve (&counting->known, counting->known_count,
			      &capacity,
			      scope->number + 1 - counting->known_count,
			      sizeof *counting->known))
    return false;
  for (size_t i = counting->known_count; i < capacity; i++)
    counting->known[i].is_known = false;
  counting->known_count = (uint32_t) capacity;
  return true;
}

/* Set *FUNCTION to that of PLACE in the current path; NULL if it is unknown.
   Return false if memory is exhausted.  */
static bool
find_function (struct line_contexts *counting, const struct line_place *place,
	       struct sample_function **function)
{
  const struct line_scope *scope = place->scope;
  *function = NULL;
  if (scope == NULL || counting->is_unknown)
    return true;
  if (!reserve_known (counting, scope))
    return false;
  struct known_function *known = &counting->known[scope->number];
  if (!known->is_known || known->path != counting->path)
    *known = (struct known_function){ make_function (counting, scope),
				      counting->path, true };
  *function = known->function;
  return *function != NULL;
}

/* ---- Ranges.  */

/* Add the code from PLACE to LAST, which has the same calls around it, and ran
   COUNT times.  */
static bool
add_piece (struct line_contexts *counting, const struct line_place *place,
	   uint64_t last, uint64_t count)
{
  struct sample_function *function;
  if (!find_function (counting, place, &function))
    return false;
  if (function == NULL)
    return true;
  if (!growing_array_reserve (&counting->pieces, counting->piece_count,
			      &counting->piece_capacity, 1,
			      sizeof *counting->pieces))
    return false;
  counting->pieces[counting->piece_count++]
    = (struct piece){ (uintptr_t) function, place->address, last, count };
  return true;
}

/* Add the range PAIR, piece by piece.  */
static bool
add_range (struct line_contexts *counting, const struct address_pair *pair)
{
  struct code_map *code = counting->functions.image->code;
  const struct line_place *begin = NULL;
  struct code_instruction where;
  uint64_t last = 0;
  for (uint64_t at = pair->first;
       code_map_next (code, at, &where) && where.address <= pair->second;
       at = where.address + where.bytes)
    {
      const struct line_place *place
	= line_frames_find (counting->lines, where.address);
      if (place == NULL)
	return false;
      if (begin == NULL)
	begin = place;
      else if (!line_places_share_calls (begin, place))
	{
	  if (!add_piece (counting, begin, last, pair->count))
	    return false;
	  begin = place;
	}
      last = where.address;
    }
  return begin == NULL || add_piece (counting, begin, last, pair->count);
}

static bool
add_instruction (void *closure, const struct code_instruction *where,
		 uint64_t count)
{
  struct line_contexts *counting = closure;
  struct sample_function *function = counting->function;
  const struct line_place *place
    = count > 0 ? line_frames_find (counting->lines, where->address) : NULL;
  if (count == 0 || place == NULL || place->scope == NULL)
    return count == 0 || place != NULL;
  struct sample_body *body
    = sample_function_need_body (profile_of (counting), function,
				 place->location);
  if (body == NULL)
    return false;
  uint64_t own;
  if (__builtin_mul_overflow (count, place->factor, &own))
    own = UINT64_MAX;
  if (counting->functions.options->rule == SAMPLE_RULE_SUM)
    sample_count_add (&body->count, own);
  else if (own > body->count)
    body->count = own;
  sample_count_add (&function->total, count);
  return true;
}

/* Count the COUNT pieces at PIECES, which are of one function.  */
static bool
count_function (struct line_contexts *counting, const struct piece *pieces,
		size_t count)
{
  struct range_overlay overlay = { 0 };
  bool is_done = true;
  counting->function = (struct sample_function *) (uintptr_t) pieces->function;
  for (size_t i = 0; i < count && is_done; i++)
    is_done = range_overlay_add (&overlay, pieces[i].first, pieces[i].last,
				 pieces[i].count);
  is_done = is_done
	    && range_overlay_walk (&overlay, counting->functions.image->code,
				   add_instruction, counting);
  range_overlay_release (&overlay);
  return is_done;
}

/* Count all pieces.  */
static bool
count_pieces (struct line_contexts *counting)
{
  struct piece *pieces = counting->pieces;
  size_t count = counting->piece_count;
  struct piece *spare = calloc (count + 1, sizeof *spare);
  bool is_done = spare != NULL;
  if (is_done)
    number_sort (pieces, spare, count, sizeof *spare);
  free (spare);
  for (size_t first = 0, end = 0; first < count && is_done; first = end)
    {
      while (end < count && pieces[end].function == pieces[first].function)
	end++;
      is_done = count_function (counting, &pieces[first], end - first);
    }
  return is_done;
}

/* ---- Branches.  */

/* Add COUNT entries of the function NAME, called from the call PLACE of
   FUNCTION; that is NULL if it has no known caller.  */
static bool
add_entries (struct line_contexts *counting,
	     const struct sample_function *function,
	     const struct line_place *place, uint32_t name, uint64_t count)
{
  struct frame_list *callers = &counting->callers;
  callers->count = 0;
  if (function != NULL)
    {
      /* As in llvm-profgen, the discriminator of this call is packed, so the
	 entries are in a context of their own if it is not 0.  */
      const struct sample_frame last = { function->name, place->packed };
      if (!frame_list_append (callers, function->callers,
			      function->caller_count)
	  || !frame_list_append (callers, &last, 1))
	return false;
    }
  struct sample_function *callee
    = sample_profile_add_function (profile_of (counting), callers->frames,
				   callers->count, name);
  if (callee != NULL)
    sample_count_add (&callee->head, count);
  return callee != NULL;
}

/* Add the branch PAIR in the current path.  */
static bool
add_branch (struct line_contexts *counting, const struct address_pair *pair)
{
  uint32_t name;
  struct sample_function *function = NULL;
  const struct line_place *place = NULL;
  if (pair->first != STACK_EXTERNAL)
    {
      place = line_frames_find (counting->lines, pair->first);
      if (place == NULL || !find_function (counting, place, &function))
	return false;
    }
  if (!sampled_functions_find_callee (&counting->functions, pair->second,
				      &name))
    return false;
  return name == SAMPLE_NO_NAME
	 || ((function == NULL
	      || sample_function_add_target (profile_of (counting), function,
					     place->location, name,
					     pair->count))
	     && add_entries (counting, function, place, name, pair->count));
}

/* Add the pairs of the list ALL, path by path, by ADD.  */
static bool
add_pairs (struct line_contexts *counting, const struct address_pairs *all,
	   bool (*add) (struct line_contexts *, const struct address_pair *))
{
  for (uint32_t i = 0; i < all->count; i++)
    {
      const struct address_pair *pair = &all->slots[i];
      if (((i == 0 || pair->space != counting->path)
	   && !enter_path (counting, pair->space))
	  || !add (counting, pair))
	return false;
    }
  return true;
}

bool
line_contexts_add (const struct sampled_functions *functions,
		   const struct stack_counts *stacks, struct profile_error *err)
{
  struct line_contexts counting
    = { .functions = *functions, .contexts = &stacks->contexts };
  counting.lines = line_frames_open (&counting.functions);
  bool is_done = (counting.lines != NULL
		  && add_pairs (&counting, &stacks->ranges, add_range)
		  && count_pieces (&counting)
		  && add_pairs (&counting, &stacks->branches, add_branch))
		 || profile_error_set_memory (err, functions->image->path);
  line_frames_close (counting.lines);
  free (counting.outer.frames);
  free (counting.callers.frames);
  free (counting.calls);
  free (counting.known);
  free (counting.pieces);
  return is_done;
}

/* ---- Inlined calls.  */

/* Count the calls of FUNCTION in its caller, unless branches did.  */
static bool
infer_calls (struct sample_profile *profile,
	     const struct sample_function *function)
{
  uint32_t depth = function->caller_count;
  uint64_t count = function->body_count > 0 ? function->bodies[0].count : 0;
  if (function->head > 0)
    return true;
  if (count == 0)
    count = function->total > 0 || function->body_count == 0;
  const struct sample_frame *last = &function->callers[depth - 1];
  struct sample_function *caller
    = sample_profile_add_function (profile, function->callers, depth - 1,
				   last->name);
  if (caller == NULL)
    return false;
  sample_count_add (&caller->total, count);
  return sample_function_add_target (profile, caller, last->location,
				     function->name, count)
	 && sample_function_add_body (profile, caller, last->location, count);
}

/* The number of a function by its depth, for sorting.  */
struct depth_order
{
  uint64_t depth;
  uint32_t number;
};

/* Infer calls of all functions of PROFILE; those with most callers first, as
   they count in functions with one caller less.  ORDER has them by depth.  */
static bool
infer_all (struct sample_profile *profile, const struct depth_order *order,
	   uint32_t count)
{
  uint32_t added = count; /* those that are new have the current depth */
  uint64_t depth = count > 0 ? order[count - 1].depth : 0;
  for (uint32_t next = count; depth > 0; depth--)
    {
      uint32_t end = sample_profile_function_count (profile);
      for (; next > 0 && order[next - 1].depth == depth; next--)
	if (!infer_calls (profile,
			  sample_profile_function (profile,
						   order[next - 1].number)))
	  return false;
      for (; added < end; added++)
	if (!infer_calls (profile, sample_profile_function (profile, added)))
	  return false;
    }
  return true;
}

bool
line_contexts_finish (struct sample_profile *profile,
		      const struct sample_builder_options *options)
{
  uint32_t count = sample_profile_function_count (profile);
  struct depth_order *order = calloc ((size_t) count + 1, sizeof *order);
  struct depth_order *spare = calloc ((size_t) count + 1, sizeof *spare);
  bool is_done = order != NULL && spare != NULL;
  for (uint32_t i = 0; i < count && is_done; i++)
    order[i] = (struct depth_order){
      sample_profile_function (profile, i)->caller_count, i
    };
  if (is_done)
    number_sort (order, spare, count, sizeof *order);
  free (spare);
  is_done = is_done && infer_all (profile, order, count);
  free (order);
  if (!is_done)
    return false;
  /* llvm-profgen has this order.  */
  count = sample_profile_function_count (profile);
  for (uint32_t i = 0; i < count && options->totals_are_counts; i++)
    sample_function_sum (sample_profile_function (profile, i));
  sample_builder_raise_bodies (profile, false);
  return true;
}
