/* Calling contexts of the branches and ranges in a sample.
   SPDX-License-Identifier: GPL-3.0-or-later

   The rules are those of llvm-profgen.  */

#include "stack-unwinder.h"
#include <stdlib.h>

/* Number of ranges whose validity is remembered, and of addresses whose code
   is, a power of two.  */
#define REMEMBERED 4096

/* A frame that code ran in.  The frame around it is the caller at that time. */
struct frame
{
  uint64_t address;
  uint32_t outer; /* number of the frame around it */
  uint32_t path;  /* of calls up to it; CALL_CONTEXT_NONE: not wanted yet */
};

/* The frame around all others.  */
#define ROOT 0

struct known_range
{
  uint64_t begin;
  uint64_t end;
  bool is_valid;
};

/* What is known of the code at ADDRESS.  */
struct known_code
{
  uint64_t address; /* 0: none */
  uint64_t call;    /* before it; 0: no call is there */
  bool has_call;    /* CALL was looked up */
  bool has_flow;    /* as were these: */
  bool calls;
  bool returns;
  bool has_stability; /* as was this: */
  bool is_unstable;
};

struct stack_unwinder
{
  struct image *image;
  struct stack_counts *counts;
  struct frame *frames; /* those that the current sample passed through */
  uint64_t *addresses;	/* room for as many */
  uint32_t *numbers;	/* the same */
  size_t count;
  size_t capacity;
  uint32_t current;
  bool is_broken; /* nothing older of the sample can be trusted */
  struct known_range known[REMEMBERED];
  struct known_code code[REMEMBERED];
};

void
stack_counts_release (struct stack_counts *counts)
{
  call_contexts_release (&counts->contexts);
  address_pairs_release (&counts->ranges);
  address_pairs_release (&counts->branches);
}

struct stack_unwinder *
stack_unwinder_open (struct image *image, struct stack_counts *counts)
{
  struct stack_unwinder *unwinder = calloc (1, sizeof *unwinder);
  if (unwinder != NULL)
    {
      unwinder->image = image;
      unwinder->counts = counts;
    }
  return unwinder;
}

void
stack_unwinder_close (struct stack_unwinder *unwinder)
{
  if (unwinder == NULL)
    return;
  free (unwinder->frames);
  free (unwinder->addresses);
  free (unwinder->numbers);
  free (unwinder);
}

/* Return what is known of the code at ADDRESS.  */
static struct known_code *
known_code (struct stack_unwinder *unwinder, uint64_t address)
{
  uint64_t hash = address * UINT64_C (0x9e3779b97f4a7c15);
  struct known_code *known = &unwinder->code[hash >> 32 & (REMEMBERED - 1)];
  if (known->address != address)
    *known = (struct known_code){ .address = address };
  return known;
}

/* Return the address of the call that returns to ADDRESS; 0 if no call is
   before it.  */
static uint64_t
call_before (struct stack_unwinder *unwinder, uint64_t address)
{
  struct code_instruction before;
  if (address == STACK_EXTERNAL)
    return STACK_EXTERNAL;
  struct known_code *known = known_code (unwinder, address);
  if (!known->has_call)
    {
      known->call = code_map_before (unwinder->image->code, address, &before)
			&& before.calls
		      ? before.address
		      : 0;
      known->has_call = true;
    }
  return known->call;
}

/* Return the code at ADDRESS with its flow.  */
static const struct known_code *
flow_at (struct stack_unwinder *unwinder, uint64_t address)
{
  struct known_code *known = known_code (unwinder, address);
  if (!known->has_flow)
    {
      struct code_instruction where = { 0 };
      code_map_find (unwinder->image->code, address, &where);
      known->calls = where.calls;
      known->returns = where.returns;
      known->has_flow = true;
    }
  return known;
}

static bool
starts_function (const struct stack_unwinder *unwinder, uint64_t address)
{
  struct symbolizer_function function;
  if (!symbolizer_function_at (unwinder->image->symbolizer, address, true,
			       &function)
      || function.described_name == NULL)
    return false;
  for (size_t i = 0; i < function.range_count; i++)
    if (function.ranges[i].start == address)
      return true;
  return false;
}

/* Return true if the stack at ADDRESS may be incomplete: at the first two
   instructions of a function or the last two before it returns.  */
static bool
find_stability (const struct stack_unwinder *unwinder, uint64_t address)
{
  struct code_map *code = unwinder->image->code;
  struct code_instruction instruction;
  struct code_instruction other;
  if (!code_map_find (code, address, &instruction))
    return false;
  if (instruction.returns || starts_function (unwinder, address))
    return true;
  if (code_map_next (code, address + instruction.bytes, &other)
      && other.returns)
    return true;
  return code_map_before (code, address, &other)
	 && starts_function (unwinder, other.address);
}

/* The same, remembered.  */
static bool
is_unstable (struct stack_unwinder *unwinder, uint64_t address)
{
  struct known_code *known = known_code (unwinder, address);
  if (!known->has_stability)
    {
      known->is_unstable = find_stability (unwinder, address);
      known->has_stability = true;
    }
  return known->is_unstable;
}

/* Enter the code at ADDRESS, called from frame OUTER.  There is room for the
   frame.  */
static void
enter (struct stack_unwinder *unwinder, uint64_t address, uint32_t outer)
{
  unwinder->current = (uint32_t) unwinder->count;
  unwinder->frames[unwinder->count++]
    = (struct frame){ address, outer, CALL_CONTEXT_NONE };
}

/* Go to ADDRESS in the current function.  */
static void
go_to (struct stack_unwinder *unwinder, uint64_t address)
{
  const struct frame *frame = &unwinder->frames[unwinder->current];
  if (frame->address != address)
    enter (unwinder, address, frame->outer);
}

/* Prepare for a sample with FRAME_COUNT addresses and BRANCH_COUNT branches,
   each of which adds at most two frames.  */
static bool
reset (struct stack_unwinder *unwinder, size_t frame_count, size_t branch_count)
{
  size_t most = 1 + frame_count + 2 * branch_count;
  if (most > unwinder->capacity)
    {
      void *frames
	= realloc (unwinder->frames, 2 * most * sizeof *unwinder->frames);
      if (frames != NULL)
	unwinder->frames = frames;
      void *addresses
	= realloc (unwinder->addresses, 2 * most * sizeof (uint64_t));
      if (addresses != NULL)
	unwinder->addresses = addresses;
      void *numbers = realloc (unwinder->numbers, 2 * most * sizeof (uint32_t));
      if (numbers != NULL)
	unwinder->numbers = numbers;
      if (frames == NULL || addresses == NULL || numbers == NULL)
	return false;
      unwinder->capacity = 2 * most;
    }
  unwinder->frames[ROOT] = (struct frame){ 0, ROOT, CALL_PATH_EMPTY };
  unwinder->count = 1;
  unwinder->current = ROOT;
  unwinder->is_broken = false;
  return true;
}

/* Set up the stack of FRAMES, whose innermost code is at LEAF in place of the
   address where the sample was taken.  Return false if it is of no use.  */
static bool
set_stack (struct stack_unwinder *unwinder, const uint64_t *frames,
	   size_t frame_count, uint64_t leaf)
{
  uint64_t *calls = unwinder->addresses;
  size_t count = 0;
  for (size_t i = 0; i < frame_count; i++)
    {
      uint64_t address = frames[i];
      if (address != STACK_EXTERNAL && count > 0)
	{
	  address = call_before (unwinder, address);
	  /* Without a frame pointer, what was found is no return address.  */
	  if (address == 0)
	    break;
	}
      if (address != STACK_EXTERNAL || count == 0
	  || calls[count - 1] != STACK_EXTERNAL)
	calls[count++] = address;
    }
  if (count > 1 && calls[count - 1] == STACK_EXTERNAL)
    count--;
  if (count == 0 || is_unstable (unwinder, calls[0]))
    return false;
  calls[0] = leaf;
  while (count-- > 0)
    enter (unwinder, calls[count], unwinder->current);
  return true;
}

static struct known_range *
remembered_range (struct stack_unwinder *unwinder, uint64_t begin, uint64_t end)
{
  uint64_t hash = (begin ^ end << 17) * UINT64_C (0x9e3779b97f4a7c15);
  return &unwinder->known[hash >> 32 & (REMEMBERED - 1)];
}

/* Return true if code can run from BEGIN to END without a branch.  */
static bool
is_range (struct stack_unwinder *unwinder, uint64_t begin, uint64_t end)
{
  struct known_range *known = remembered_range (unwinder, begin, end);
  if (known->begin != begin || known->end != end)
    *known = (struct known_range){
      begin, end, code_map_is_straight (unwinder->image->code, begin, end)
    };
  return known->is_valid;
}

/* Return the path of calls up to frame NUMBER, CALL_CONTEXT_NONE if memory is
   exhausted.  */
static uint32_t
find_path (struct stack_unwinder *unwinder, uint32_t number)
{
  struct frame *frames = unwinder->frames;
  uint32_t *inner = unwinder->numbers; /* frames whose paths are wanted */
  size_t count = 0;
  while (frames[number].path == CALL_CONTEXT_NONE)
    {
      /* The stack begins anew after code outside.  */
      if (frames[number].address == STACK_EXTERNAL)
	frames[number].path = CALL_PATH_EMPTY;
      else
	{
	  inner[count++] = number;
	  number = frames[number].outer;
	}
    }
  uint32_t path = frames[number].path;
  while (count-- > 0 && path != CALL_CONTEXT_NONE)
    {
      struct frame *frame = &frames[inner[count]];
      /* A return to where no call is has no frame.  */
      if (frame->address != 0)
	path = call_contexts_path (&unwinder->counts->contexts, path,
				   frame->address);
      frame->path = path;
    }
  return path;
}

/* Set *CONTEXT to the calls around the code that FRAME called.  Return false if
   memory is exhausted.  */
static bool
find_context (struct stack_unwinder *unwinder, uint32_t frame,
	      uint32_t *context)
{
  uint32_t path = find_path (unwinder, frame);
  *context = path != CALL_CONTEXT_NONE
	       ? call_contexts_find (&unwinder->counts->contexts, path)
	       : CALL_CONTEXT_NONE;
  return *context != CALL_CONTEXT_NONE;
}

static uint32_t
current_caller (const struct stack_unwinder *unwinder)
{
  return unwinder->frames[unwinder->current].outer;
}

/* Add the code from BRANCH, the current one, to the next newer branch, whose
   source is the current address.  */
static bool
add_range (struct stack_unwinder *unwinder, const struct stack_branch *branch,
	   uint64_t count)
{
  uint32_t context;
  uint64_t end = unwinder->frames[unwinder->current].address;
  /* Code outside of the image that returns there: the stack is still right.  */
  if (end == STACK_EXTERNAL && branch->to == STACK_EXTERNAL)
    return true;
  if (end == STACK_EXTERNAL || branch->to == STACK_EXTERNAL
      || !is_range (unwinder, branch->to, end))
    {
      unwinder->is_broken = true;
      return true;
    }
  return find_context (unwinder, current_caller (unwinder), &context)
	 && address_pairs_add (&unwinder->counts->ranges, context, branch->to,
			       end, count);
}

/* Undo BRANCH: go to its source.  */
static void
undo_branch (struct stack_unwinder *unwinder, const struct stack_branch *branch)
{
  bool is_external = branch->from == STACK_EXTERNAL;
  uint64_t call = is_external ? call_before (unwinder, branch->to) : 0;
  uint32_t caller = current_caller (unwinder);
  bool calls = !is_external && flow_at (unwinder, branch->from)->calls;
  bool returns = !is_external && flow_at (unwinder, branch->from)->returns;
  if (unwinder->is_broken)
    /* Go on as if there was no stack.  */
    enter (unwinder, branch->from, ROOT);
  else if (calls || (is_external && call == 0))
    {
      /* A frame may be missing if the sample was taken before the function set
	 it up.  */
      if (caller == ROOT || unwinder->frames[caller].address != branch->from)
	go_to (unwinder, branch->from);
      else
	unwinder->current = caller;
    }
  else if (returns || is_external)
    {
      go_to (unwinder, call_before (unwinder, branch->to));
      enter (unwinder, branch->from, unwinder->current);
    }
  else
    go_to (unwinder, branch->from);
}

/* Add BRANCH, which was undone.  */
static bool
add_branch (struct stack_unwinder *unwinder, const struct stack_branch *branch,
	    uint64_t count)
{
  uint32_t context;
  uint32_t caller
    = branch->from == STACK_EXTERNAL ? ROOT : current_caller (unwinder);
  if (branch->to == STACK_EXTERNAL)
    return true;
  return find_context (unwinder, caller, &context)
	 && address_pairs_add (&unwinder->counts->branches, context,
			       branch->from, branch->to, count);
}

bool
stack_unwinder_add (struct stack_unwinder *unwinder, const uint64_t *frames,
		    size_t frame_count, const struct stack_branch *branches,
		    size_t branch_count, uint64_t count)
{
  if (branch_count == 0)
    return true;
  if (!reset (unwinder, frame_count, branch_count))
    return false;
  if (!set_stack (unwinder, frames, frame_count, branches[0].to))
    return true;
  for (size_t i = 0; i < branch_count; i++)
    {
      if (i > 0 && !add_range (unwinder, &branches[i], count))
	return false;
      undo_branch (unwinder, &branches[i]);
      if (!add_branch (unwinder, &branches[i], count))
	return false;
    }
  return true;
}
