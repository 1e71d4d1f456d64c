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
  bool allocates_otherwise; /* not only by wrappers and parts of them */
  bool has_user; /* is called by a function that was not found to be a wrapper,
		    unless it is one whose name says that it allocates */
  uint8_t line_count;
  uint8_t call_line_count;
  uint8_t caller_count;
  bool has_known_sizes; /* they are counted once */
  uint8_t size_count;
  uint64_t lines[WRAPPER_MOST_LINES + 1];
  struct line call_lines[LEAST_CALL_LINES];
  uint32_t callers[WRAPPER_LEAST_CALLERS];
  uint64_t sizes[WRAPPER_LEAST_SIZES];
};

/* A line that calls a function, in contexts with blocks.  */
struct call
{
  uint32_t frame; /* ID + 1; 0: no call */
  uint32_t callee;
};

struct search
{
  const struct heap_profile *profile;
  const struct context_node *nodes;
  uint32_t node_count;
  uint32_t *function_of; /* by frame */
  struct function *functions;
  uint32_t function_count; /* number 0 is of frames without a function */
  bool *calls_malloc;	   /* by frame */
  struct call *calls;	   /* a hash table */
  size_t call_room;	   /* a power of two */
  size_t call_count;
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
      if (function->kind != WRAPPER_LIBRARY)
	function->says_allocates = says_allocates (name);
      function->is_main = strcmp (name, "main") == 0;
    }
  free (first);
  return is_done;
}

/* ---- Calls.  */

/* Return the place in the table of the call of CALLEE from FRAME, or where it
   is to be added.  */
static struct call *
find_call (const struct search *search, uint32_t frame, uint32_t callee)
{
  size_t at = (frame * (size_t) 0x9e3779b1 + callee * (size_t) 0x85ebca77)
	      & (search->call_room - 1);
  while (search->calls[at].frame != 0
	 && (search->calls[at].frame != frame + 1
	     || search->calls[at].callee != callee))
    at = (at + 1) & (search->call_room - 1);
  return &search->calls[at];
}

static bool
grow_calls (struct search *search)
{
  struct call *old = search->calls;
  size_t old_room = search->call_room;
  search->call_room = 4 * old_room;
  search->calls = calloc (search->call_room, sizeof *search->calls);
  for (size_t i = 0; i < old_room && search->calls != NULL; i++)
    if (old[i].frame != 0)
      *find_call (search, old[i].frame - 1, old[i].callee) = old[i];
  free (old);
  return search->calls != NULL;
}

static bool
add_call (struct search *search, uint32_t frame, uint32_t callee)
{
  struct call *call = find_call (search, frame, callee);
  if (call->frame != 0)
    return true;
  *call = (struct call){ frame + 1, callee };
  search->call_count++;
  return 2 * search->call_count < search->call_room || grow_calls (search);
}

/* Find all calls.  An inner node's own blocks need not be considered: if it has
   callees in wrappers, they tell the same.  */
static bool
find_calls (struct search *search)
{
  bool *has_callee = calloc ((size_t) search->node_count + 1, 1);
  search->calls_malloc
    = calloc ((size_t) heap_profile_frame_count (search->profile) + 1, 1);
  search->call_room = 1024;
  search->calls = calloc (search->call_room, sizeof *search->calls);
  bool is_done = has_callee != NULL && search->calls_malloc != NULL
		 && search->calls != NULL;
  /* A node's number is greater than its caller's.  */
  for (uint32_t i = search->node_count; is_done && i-- > 1;)
    {
      const struct context_node *node = &search->nodes[i];
      if (!has_callee[i])
	{
	  if (heap_profile_info (search->profile, i) == NULL)
	    continue;
	  search->calls_malloc[node->frame] = true;
	}
      has_callee[node->caller] = true;
      /* Without a caller, the context was cut off.  */
      if (node->caller != 0)
	is_done = add_call (search, search->nodes[node->caller].frame,
			    search->function_of[node->frame]);
    }
  free (has_callee);
  return is_done;
}

/* ---- What calls tell.  */

static void
forget_calls (struct function *function)
{
  function->allocates_otherwise = false;
  function->has_user = false;
  function->line_count = 0;
  function->call_line_count = 0;
  function->caller_count = 0;
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

static void
add_line (struct function *function, const struct line *line)
{
  add_distinct (function->lines, &function->line_count, WRAPPER_MOST_LINES + 1,
		line->place);
}

/* Note CALL in its two functions.  */
static void
note_call (struct search *search, const struct call *call)
{
  const struct line line = line_of (search, call->frame - 1);
  struct function *caller = &search->functions[line.function];
  struct function *callee = &search->functions[call->callee];
  if (callee->kind == WRAPPER_NONE && !callee->is_part)
    caller->allocates_otherwise = true;
  else
    add_line (caller, &line);
  add_call_line (callee, &line);
  add_caller (callee, line.function);
  if (caller->kind != WRAPPER_FOUND
      && (caller->kind <= WRAPPER_LIBRARY || !caller->says_allocates))
    callee->has_user = true;
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

/* Return true if FUNCTION, a candidate, is a wrapper if its sizes differ.  */
static bool
depends_on_sizes (const struct function *function)
{
  return function->line_count == 1
	 && function->caller_count >= WRAPPER_LEAST_CALLERS;
}

/* Return true if FUNCTION, a candidate, is a wrapper.  */
static bool
is_wrapper (const struct function *function)
{
  if (!function->has_user)
    return true;
  if (function->says_allocates)
    return function->call_line_count >= LEAST_CALL_LINES;
  return depends_on_sizes (function)
	 && function->size_count >= WRAPPER_LEAST_SIZES;
}

/* Look at all calls.  */
static void
look_at_calls (struct search *search)
{
  uint32_t frames = heap_profile_frame_count (search->profile);
  for (uint32_t i = 0; i < search->function_count; i++)
    forget_calls (&search->functions[i]);
  for (uint32_t id = 1; id < frames; id++)
    if (search->calls_malloc[id])
      {
	const struct line line = line_of (search, id);
	add_line (&search->functions[line.function], &line);
      }
  for (size_t i = 0; i < search->call_room; i++)
    if (search->calls[i].frame != 0)
      note_call (search, &search->calls[i]);
}

/* ---- Sizes.  */

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

/* Add MORE to *SIZE, of blocks of the same node.  */
static void
add_size (uint64_t *size, uint64_t more)
{
  if (*size == SIZE_NONE)
    *size = more;
  else if (more != SIZE_NONE && more != *size)
    *size = SIZE_VARIED;
}

/* Return true if FUNCTION is a candidate whose sizes matter, and are not
   known.  */
static bool
needs_sizes (const struct function *function)
{
  return !function->has_known_sizes && is_candidate (function)
	 && function->has_user && !function->says_allocates
	 && depends_on_sizes (function);
}

/* Count the sizes of all functions that need it.  They allocate only by
   wrappers and parts, so that the sizes are the same in all rounds.  */
static bool
count_sizes (struct search *search)
{
  bool is_needed = false;
  for (uint32_t i = 1; i < search->function_count && !is_needed; i++)
    is_needed = needs_sizes (&search->functions[i]);
  if (!is_needed)
    return true;
  uint64_t *sizes = calloc ((size_t) search->node_count + 1, sizeof *sizes);
  if (sizes == NULL)
    return false;
  for (uint32_t i = search->node_count; i-- > 1;)
    {
      const struct context_node *node = &search->nodes[i];
      struct function *function
	= &search->functions[search->function_of[node->frame]];
      const struct memory_info *info = heap_profile_info (search->profile, i);
      if (info != NULL)
	add_size (&sizes[i], size_of (info));
      if (sizes[i] == SIZE_NONE)
	continue;
      if (function->kind != WRAPPER_NONE || function->is_part)
	add_size (&sizes[node->caller], sizes[i]);
      else if (needs_sizes (function))
	{
	  add_distinct (function->sizes, &function->size_count,
			WRAPPER_LEAST_SIZES, sizes[i]);
	  if (sizes[i] == SIZE_VARIED)
	    function->size_count = WRAPPER_LEAST_SIZES;
	}
    }
  for (uint32_t i = 1; i < search->function_count; i++)
    search->functions[i].has_known_sizes |= needs_sizes (&search->functions[i]);
  free (sizes);
  return true;
}

/* ---- The search.  */

/* Find functions that are wrappers, as far as others are known.  Set *IS_MORE
   if more is known then.  Return false if memory is exhausted.  */
static bool
find_wrappers (struct search *search, bool *is_more)
{
  look_at_calls (search);
  if (!count_sizes (search))
    return false;
  for (uint32_t i = 1; i < search->function_count; i++)
    {
      struct function *function = &search->functions[i];
      bool could = is_candidate (function);
      bool is_part = could && function->call_line_count < LEAST_CALL_LINES;
      *is_more |= is_part != function->is_part;
      function->is_part = is_part;
      if (could && is_wrapper (function))
	{
	  function->kind = WRAPPER_FOUND;
	  *is_more = true;
	}
    }
  return true;
}

static void
release (struct search *search)
{
  free (search->function_of);
  free (search->functions);
  free (search->calls_malloc);
  free (search->calls);
}

bool
wrapper_search (const struct heap_profile *profile, uint8_t *kinds)
{
  struct search search = { .profile = profile,
			   .nodes = heap_profile_nodes (profile),
			   .node_count = heap_profile_context_count (profile) };
  bool is_done = number_functions (&search, kinds) && find_calls (&search);
  bool is_more = true;
  for (int round = 0; is_done && is_more && round < MOST_ROUNDS; round++)
    {
      is_more = false;
      is_done = find_wrappers (&search, &is_more);
    }
  for (uint32_t id = 1; is_done && id < heap_profile_frame_count (profile);
       id++)
    if (search.function_of[id] != 0)
      kinds[id] = (uint8_t) search.functions[search.function_of[id]].kind;
  release (&search);
  return is_done;
}
