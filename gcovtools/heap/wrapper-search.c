/* Search for allocator wrappers in the contexts of a heap profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "wrapper-search.h"
#include "allocation-wrappers.h"
#include "function-name.h"
#include "heap-known.h"
#include "wrapper-name.h"
#include <stdlib.h>
#include <string.h>

/* Rounds in which wrappers of wrappers are found.  */
#define MOST_ROUNDS 8

#define LEAST_CALL_LINES 2

/* How memory below a node is allocated; a mask.  */
#define BELOW_DIRECTLY 1 /* by wrappers only */
#define BELOW_OTHERWISE 2

#define SIZE_NONE 0u
#define SIZE_VARIED UINT64_MAX

/* A line of a function.  Without debug information, the call's address.  */
struct line
{
  uint32_t function;
  uint64_t place;
};

/* What the contexts say about a function.  Of lists that are full, no more
   matters.  */
struct function
{
  uint32_t name; /* these three, string IDs, identify it */
  uint32_t file;
  uint32_t module;
  uint32_t next; /* the next one with this name; 0: none */
  bool says_allocates;
  enum wrapper_kind kind;
  bool is_main;
  bool is_part; /* may be a part of a wrapper that calls it on its only line */
  bool allocates_otherwise;
  bool has_user; /* is called by a function that was not found to be a wrapper,
		    unless it is one whose name says that it allocates */
  uint8_t line_count;
  uint8_t call_line_count;
  uint8_t caller_count;
  uint8_t size_count;
  uint64_t lines[WRAPPER_MOST_LINES + 1];
  struct line call_lines[LEAST_CALL_LINES];
  uint32_t callers[WRAPPER_LEAST_CALLERS];
  uint64_t sizes[WRAPPER_LEAST_SIZES];
};

struct search
{
  const struct heap_profile *profile;
  const struct context_node *nodes;
  uint32_t node_count;
  uint32_t *function_of; /* by frame */
  struct function *functions;
  uint32_t function_count; /* number 0 is of frames without a function */
  uint8_t *own_below;	   /* by node: what its own blocks amount to */
  uint64_t *own_sizes;
  uint8_t *below; /* the same, with all nodes below */
  uint64_t *sizes;
};

/* ---- Functions.  */

/* Return true if the function NAME says that it allocates.  */
static bool
says_allocates (const char *name)
{
  bool is_of_template;
  if (function_name_class (name) == NULL)
    return wrapper_name_says_allocates (name);
  /* The mangled name contains that of the function.  */
  if (!wrapper_name_says_allocates (name))
    return false;
  char *demangled = function_name_demangle (name, false);
  bool says
    = demangled != NULL
      && wrapper_name_says_allocates (function_name_last (demangled,
							  &is_of_template));
  free (demangled);
  return says;
}

/* Return the number of FRAME's function, adding it if it is new.  FIRST, by
   string, is the first function of a name.  */
static uint32_t
number_function (struct search *search, const struct heap_frame *frame,
		 uint32_t *first)
{
  uint32_t *link = &first[frame->function_name];
  for (; *link != 0; link = &search->functions[*link].next)
    {
      const struct function *known = &search->functions[*link];
      if (known->file == frame->file && known->module == frame->module)
	return *link;
    }
  uint32_t number = search->function_count++;
  *link = number;
  search->functions[number] = (struct function){ .name = frame->function_name,
						 .file = frame->file,
						 .module = frame->module };
  return number;
}

static bool
number_functions (struct search *search, const uint8_t *kinds)
{
  const struct heap_profile *profile = search->profile;
  uint32_t count = heap_profile_frame_count (profile);
  uint32_t *first
    = calloc ((size_t) heap_profile_string_count (profile) + 1, sizeof *first);
  search->function_of
    = calloc ((size_t) count + 1, sizeof *search->function_of);
  search->functions = calloc ((size_t) count + 1, sizeof *search->functions);
  search->function_count = 1;
  bool is_done
    = first != NULL && search->function_of != NULL && search->functions != NULL;
  for (uint32_t id = 1; id < count && is_done; id++)
    {
      const struct heap_frame *frame = heap_profile_frame (profile, id);
      if (frame->function_name == 0)
	continue;
      uint32_t number = number_function (search, frame, first);
      search->function_of[id] = number;
      search->functions[number].kind = kinds[id];
    }
  for (uint32_t i = 1; i < search->function_count && is_done; i++)
    {
      struct function *function = &search->functions[i];
      const char *name = heap_profile_string (profile, function->name);
      function->says_allocates = says_allocates (name);
      function->is_main = strcmp (name, "main") == 0;
    }
  free (first);
  return is_done;
}

/* ---- Blocks.  */

/* Return a number for the size of INFO's blocks.  */
static uint64_t
size_of (const struct memory_info *info)
{
  const struct memory_info_range *size = &info->size_bytes;
  if (info->alloc_count > 0)
    {
      bool is_one = heap_known_has_bounds (info, size)
		      ? size->min == size->max
		      : size->total % info->alloc_count == 0;
      return is_one ? size->total / info->alloc_count + 1 : SIZE_VARIED;
    }
  if (info->unfinished_count > 0
      && info->unfinished_bytes % info->unfinished_count == 0)
    return info->unfinished_bytes / info->unfinished_count + 1;
  return SIZE_VARIED;
}

static bool
find_blocks (struct search *search)
{
  size_t room = (size_t) search->node_count + 1;
  search->own_below = calloc (room, 1);
  search->below = malloc (room);
  search->own_sizes = calloc (room, sizeof (uint64_t));
  search->sizes = malloc (room * sizeof (uint64_t));
  if (search->own_below == NULL || search->below == NULL
      || search->own_sizes == NULL || search->sizes == NULL)
    return false;
  for (uint32_t i = 1; i < search->node_count; i++)
    {
      const struct memory_info *info = heap_profile_info (search->profile, i);
      if (info == NULL)
	continue;
      search->own_below[i] = BELOW_DIRECTLY;
      search->own_sizes[i] = size_of (info);
    }
  return true;
}

/* ---- A round.  */

static void
forget_calls (struct function *function)
{
  function->allocates_otherwise = false;
  function->has_user = false;
  function->line_count = 0;
  function->call_line_count = 0;
  function->caller_count = 0;
  function->size_count = 0;
}

static struct line
line_of (const struct search *search, uint32_t frame_id)
{
  const struct heap_frame *frame
    = heap_profile_frame (search->profile, frame_id);
  return (struct line){ search->function_of[frame_id],
			frame->line != 0
			  ? frame->line
			  : frame->address | (uint64_t) 1 << 63 };
}

/* Add VALUE to the *COUNT distinct VALUES unless there are MOST of them.  */
static void
add_distinct (uint64_t *values, uint8_t *count, uint8_t most, uint64_t value)
{
  for (uint8_t i = 0; i < *count; i++)
    if (values[i] == value)
      return;
  if (*count < most)
    values[(*count)++] = value;
}

static void
add_call_line (struct function *function, const struct line *line)
{
  for (uint8_t i = 0; i < function->call_line_count; i++)
    if (function->call_lines[i].function == line->function
	&& function->call_lines[i].place == line->place)
      return;
  if (function->call_line_count < LEAST_CALL_LINES)
    function->call_lines[function->call_line_count++] = *line;
}

static void
add_caller (struct function *function, uint32_t caller)
{
  for (uint8_t i = 0; i < function->caller_count; i++)
    if (function->callers[i] == caller)
      return;
  if (function->caller_count < WRAPPER_LEAST_CALLERS)
    function->callers[function->caller_count++] = caller;
}

/* Note in FUNCTION that its node I allocates directly.  */
static void
note_node (struct search *search, struct function *function, uint32_t i)
{
  const struct context_node *node = &search->nodes[i];
  if (search->below[i] & BELOW_OTHERWISE)
    function->allocates_otherwise = true;
  if (!(search->below[i] & BELOW_DIRECTLY) || function->allocates_otherwise)
    return;
  if (function->line_count <= WRAPPER_MOST_LINES)
    add_distinct (function->lines, &function->line_count,
		  WRAPPER_MOST_LINES + 1, line_of (search, node->frame).place);
  add_distinct (function->sizes, &function->size_count, WRAPPER_LEAST_SIZES,
		search->sizes[i]);
  if (search->sizes[i] == SIZE_VARIED)
    function->size_count = WRAPPER_LEAST_SIZES;
  /* Without a caller, the context was cut off.  */
  uint32_t caller_frame = search->nodes[node->caller].frame;
  if (node->caller == 0)
    return;
  const struct line call = line_of (search, caller_frame);
  const struct function *caller = &search->functions[call.function];
  add_call_line (function, &call);
  add_caller (function, call.function);
  if (caller->kind != WRAPPER_FOUND
      && (caller->kind <= WRAPPER_LIBRARY || !caller->says_allocates))
    function->has_user = true;
}

/* Add what node I allocates to its caller's node.  */
static void
add_to_caller (struct search *search, const struct function *function,
	       uint32_t i)
{
  uint32_t caller = search->nodes[i].caller;
  if (function->kind == WRAPPER_NONE && !function->is_part)
    {
      search->below[caller] |= BELOW_OTHERWISE;
      return;
    }
  search->below[caller] |= search->below[i];
  if (!(search->below[i] & BELOW_DIRECTLY))
    return;
  uint64_t *size = &search->sizes[caller];
  if (*size == SIZE_NONE)
    *size = search->sizes[i];
  else if (*size != search->sizes[i])
    *size = SIZE_VARIED;
}

/* Return true if FUNCTION allocates nothing but what others want, by what is
   known of the functions that it calls.  */
static bool
is_candidate (const struct function *function)
{
  return function->kind == WRAPPER_NONE && !function->is_main
	 && !function->allocates_otherwise && function->line_count > 0
	 && function->line_count <= WRAPPER_MOST_LINES
	 && function->call_line_count > 0;
}

/* Return true if FUNCTION, a candidate, is a wrapper.  */
static bool
is_wrapper (const struct function *function)
{
  if (!function->has_user)
    return true;
  if (function->says_allocates)
    return function->call_line_count >= LEAST_CALL_LINES;
  return function->line_count == 1
	 && function->caller_count >= WRAPPER_LEAST_CALLERS
	 && function->size_count >= WRAPPER_LEAST_SIZES;
}

/* Look at all contexts.  */
static void
look_at_nodes (struct search *search)
{
  size_t room = search->node_count;
  memcpy (search->below, search->own_below, room);
  memcpy (search->sizes, search->own_sizes, room * sizeof *search->sizes);
  for (uint32_t i = 1; i < search->function_count; i++)
    forget_calls (&search->functions[i]);
  /* A node's number is greater than its caller's.  */
  for (uint32_t i = search->node_count; i-- > 1;)
    {
      struct function *function
	= &search->functions[search->function_of[search->nodes[i].frame]];
      if (search->below[i] == 0)
	continue;
      if (function->kind == WRAPPER_NONE && function != search->functions)
	note_node (search, function, i);
      add_to_caller (search, function, i);
    }
}

/* Find functions that are wrappers, as far as others are known.  Return true if
   more is known then.  */
static bool
find_wrappers (struct search *search)
{
  bool is_more = false;
  look_at_nodes (search);
  for (uint32_t i = 1; i < search->function_count; i++)
    {
      struct function *function = &search->functions[i];
      bool could = is_candidate (function);
      bool is_part = could && function->call_line_count < LEAST_CALL_LINES;
      is_more |= is_part != function->is_part;
      function->is_part = is_part;
      if (could && is_wrapper (function))
	{
	  function->kind = WRAPPER_FOUND;
	  is_more = true;
	}
    }
  return is_more;
}

static void
release (struct search *search)
{
  free (search->function_of);
  free (search->functions);
  free (search->own_below);
  free (search->own_sizes);
  free (search->below);
  free (search->sizes);
}

bool
wrapper_search (const struct heap_profile *profile, uint8_t *kinds)
{
  struct search search = { .profile = profile,
			   .nodes = heap_profile_nodes (profile),
			   .node_count = heap_profile_context_count (profile) };
  bool is_done = number_functions (&search, kinds) && find_blocks (&search);
  for (int round = 0; is_done && round < MOST_ROUNDS; round++)
    if (!find_wrappers (&search))
      break;
  for (uint32_t id = 1; is_done && id < heap_profile_frame_count (profile);
       id++)
    if (search.function_of[id] != 0)
      kinds[id] = (uint8_t) search.functions[search.function_of[id]].kind;
  release (&search);
  return is_done;
}
