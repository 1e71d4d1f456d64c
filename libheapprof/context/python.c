/* Frames of Python code in calling contexts.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A thread that holds the interpreter's lock reads its own frames, which nobody
   changes or releases meanwhile.  The frames of a thread that has given up the
   lock do not change either, but when the interpreter ends it releases those of
   daemon threads: the kernel copies them, so that nothing can fault.  */

#include "python.h"
#include "interpreted.h"
#include "invariant.h"
#include "lock.h"
#include "log.h"
#include "module-symbols.h"
#include "options.h"
#include "python-code.h"
#include "unwind.h"
#include <elf.h>
#include <stddef.h>

const struct rt_python_layout *rt_python_layout;

/* ---- The interpreter.  */

/* What it defines, from the modules that the dynamic linker takes it from: the
   first ones that define it.  */
static struct
{
  const unsigned long *version;
  const void *runtime;
  uintptr_t code_type;
  uintptr_t text_type;
  uintptr_t bytes_type;
  void *(*current_state) (void); /* of the thread that holds the lock */
  void *(*own_state) (void);	 /* of this thread */
  int (*is_ending) (void);
  int (*line_of) (void *code, int byte);
  uintptr_t loop; /* its evaluation loop */
  size_t loop_bytes;
} interpreter;

static struct rt_lock lock;

/* It was looked for in each module, or is not to be used.  */
static bool is_given_up;

/* The function that releases code objects, once the library has replaced
   it.  */
static void (*release_code) (void *code);

struct symbol
{
  const char *name;
  const char *other_name; /* in other versions; NULL: none */
  unsigned type;
  uintptr_t *address;
};

static void
find_symbols (const struct rt_module_symbols *symbols)
{
  const struct symbol wanted[]
    = { { "Py_Version", NULL, STT_OBJECT, (uintptr_t *) &interpreter.version },
	{ "_PyRuntime", NULL, STT_OBJECT, (uintptr_t *) &interpreter.runtime },
	{ "PyCode_Type", NULL, STT_OBJECT, &interpreter.code_type },
	{ "PyUnicode_Type", NULL, STT_OBJECT, &interpreter.text_type },
	{ "PyBytes_Type", NULL, STT_OBJECT, &interpreter.bytes_type },
	{ "_PyThreadState_UncheckedGet", "PyThreadState_GetUnchecked", STT_FUNC,
	  (uintptr_t *) &interpreter.current_state },
	{ "PyGILState_GetThisThreadState", NULL, STT_FUNC,
	  (uintptr_t *) &interpreter.own_state },
	{ "_Py_IsFinalizing", "Py_IsFinalizing", STT_FUNC,
	  (uintptr_t *) &interpreter.is_ending },
	{ "PyCode_Addr2Line", NULL, STT_FUNC,
	  (uintptr_t *) &interpreter.line_of } };
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
    {
      const struct symbol *const symbol = &wanted[i];
      if (*symbol->address == 0)
	*symbol->address
	  = rt_module_symbols_find (symbols, symbol->name, symbol->type, NULL);
      if (*symbol->address == 0 && symbol->other_name != NULL)
	*symbol->address = rt_module_symbols_find (symbols, symbol->other_name,
						   symbol->type, NULL);
    }
  if (interpreter.loop == 0)
    interpreter.loop
      = rt_module_symbols_find (symbols, "_PyEval_EvalFrameDefault", STT_FUNC,
				&interpreter.loop_bytes);
}

static bool
is_complete (void)
{
  return interpreter.version != NULL && interpreter.runtime != NULL
	 && interpreter.code_type != 0 && interpreter.text_type != 0
	 && interpreter.bytes_type != 0 && interpreter.current_state != NULL
	 && interpreter.own_state != NULL && interpreter.is_ending != NULL
	 && interpreter.line_of != NULL;
}

/* Stop looking at the interpreter, and say so.  */

static void
give_up (const char *why)
{
  static bool said;
  const unsigned long version = *interpreter.version;
  is_given_up = true;
  __atomic_store_n (&rt_python_layout, NULL, __ATOMIC_RELEASE);
  rt_log_once (&said, "Python %u.%u: %s; contexts have no frames of its code",
	       (uint64_t) (version >> 24), (uint64_t) (version >> 16 & 0xff),
	       why);
}

/* All of the interpreter was found: use it if its layout is known.  */

static void
begin (void)
{
  const struct rt_python_layout *const layout
    = rt_python_layout_of (*interpreter.version);
  if (layout == NULL)
    give_up ("unknown version");
  else if (!rt_python_layout_agrees (layout, interpreter.runtime))
    give_up ("not built in the usual way");
  else
    __atomic_store_n (&rt_python_layout, layout, __ATOMIC_RELEASE);
}

void
rt_python_notice (const struct dl_phdr_info *info)
{
  struct rt_module_symbols symbols;
  if (!rt_options.names_python || is_given_up || rt_python_is_there ()
      || !rt_module_symbols_of (info, &symbols))
    return;
  rt_lock (&lock);
  if (!is_given_up && !rt_python_is_there ())
    {
      find_symbols (&symbols);
      if (is_complete ())
	begin ();
    }
  rt_unlock (&lock);
}

void
rt_python_forget (uintptr_t start, uintptr_t end)
{
  const uintptr_t version = (uintptr_t) interpreter.version;
  if (version < start || version >= end)
    return;
  /* Another one may be loaded, but its functions were not replaced.  */
  is_given_up = true;
  __atomic_store_n (&rt_python_layout, NULL, __ATOMIC_RELEASE);
}

/* ---- Remembered places in code.  */

#define PLACES_SHIFT 12
#define GROUPS_SHIFT 11

/* The number of the record for an instruction of a code object.  Threads read
   and write places without a lock: CHECK is wrong for a mixture of two.  */
struct place
{
  uint64_t check; /* code object ^ VALUE ^ STAMP ^ constant */
  uint64_t value; /* upper half: instruction; lower: number */
  uint64_t stamp; /* of the group of the code object */
};

static struct place places[1u << PLACES_SHIFT];

/* Code objects are in groups by address: how many of each group have been
   released.  */
static uint64_t stamps[1u << GROUPS_SHIFT];

/* All of them.  */
static uint64_t releases;

#define CHECK UINT64_C (0x5bd1e995a5a5c3c3)

static inline uint64_t *
stamp_of (uintptr_t code)
{
  return &stamps[code * UINT64_C (0x9e3779b97f4a7c15) >> (64 - GROUPS_SHIFT)];
}

static inline struct place *
place_of (uintptr_t code, uint32_t unit)
{
  const uint64_t hash
    = (code ^ (uint64_t) unit << 40) * UINT64_C (0x9e3779b97f4a7c15);
  return &places[(hash ^ hash >> 32) * UINT64_C (0x9e3779b97f4a7c15)
		 >> (64 - PLACES_SHIFT)];
}

/* Return the number of the record for instruction UNIT of CODE; UINT32_MAX if
   it is not remembered.  */

static inline uint32_t
find_number (uintptr_t code, uint32_t unit)
{
  const struct place *const place = place_of (code, unit);
  const uint64_t check = __atomic_load_n (&place->check, __ATOMIC_RELAXED);
  const uint64_t value = __atomic_load_n (&place->value, __ATOMIC_RELAXED);
  const uint64_t stamp = __atomic_load_n (&place->stamp, __ATOMIC_RELAXED);
  return (check ^ value ^ stamp ^ CHECK) == code && value >> 32 == unit
	     && stamp == __atomic_load_n (stamp_of (code), __ATOMIC_RELAXED)
	   ? (uint32_t) value
	   : UINT32_MAX;
}

static void
keep_place (uintptr_t code, uint32_t unit, uint32_t number)
{
  struct place *const place = place_of (code, unit);
  const uint64_t value = (uint64_t) unit << 32 | number;
  const uint64_t stamp = __atomic_load_n (stamp_of (code), __ATOMIC_RELAXED);
  __atomic_store_n (&place->check, code ^ value ^ stamp ^ CHECK,
		    __ATOMIC_RELAXED);
  __atomic_store_n (&place->value, value, __ATOMIC_RELAXED);
  __atomic_store_n (&place->stamp, stamp, __ATOMIC_RELAXED);
}

/* The interpreter releases CODE: its address may be used again.  */

static void
forget_code (void *code)
{
  __atomic_fetch_add (stamp_of ((uintptr_t) code), 1, __ATOMIC_RELAXED);
  __atomic_fetch_add (&releases, 1, __ATOMIC_RELAXED);
  release_code (code);
}

/* Let the interpreter call forget_code.  This thread holds its lock.  */

static void
watch_code (void)
{
  void (**const slot) (void *)
    = (void (**) (void *)) (interpreter.code_type + RT_PYTHON_TYPE_DEALLOC);
  rt_lock (&lock);
  if (release_code == NULL && *slot != NULL)
    {
      release_code = *slot;
      __atomic_store_n (slot, forget_code, __ATOMIC_RELEASE);
    }
  rt_unlock (&lock);
}

/* ---- One frame.  */

/* Return the number of the record for instruction UNIT of CODE, which is not
   remembered.  */

static __attribute__ ((noinline)) uint32_t
name_place (const struct rt_python_memory *memory,
	    const struct rt_python_layout *layout, uintptr_t code, int64_t unit)
{
  static struct rt_python_code found;
  uint32_t number = UINT32_MAX;
  rt_lock (&lock);
  const bool is_read
    = rt_python_code_read (memory, layout, interpreter.text_type,
			   interpreter.bytes_type, code, unit, &found);
  if (is_read && memory->is_locked)
    {
      const int line
	= interpreter.line_of ((void *) code, (int) (unit * RT_PYTHON_UNIT));
      if ((line < 0 ? 0u : (uint32_t) line) != found.line && unit >= 0)
	give_up ("lines of code are not stored as expected");
    }
  else if (!is_read && memory->is_locked)
    give_up ("code is not stored as expected");
  if (is_read && rt_python_is_there ())
    {
      const struct rt_interpreted frame = { .file = found.file,
					    .function = found.function,
					    .first_line = found.first_line,
					    .line = found.line };
      number = rt_interpreted_find (&frame);
    }
  rt_unlock (&lock);
  if (number == UINT32_MAX)
    return 0;
  if (unit >= 0 && unit < INT32_MAX)
    keep_place (code, (uint32_t) unit, number);
  return number;
}

/* A frame as far as a walk needs it.  */
struct frame
{
  uintptr_t previous;
  uintptr_t code;
  uintptr_t instruction;
  uint8_t owner;
  bool is_entry;
};

#define FRAME_BYTES 80u /* at least as many as have an offset below */

static inline bool
read_frame (const struct rt_python_memory *memory,
	    const struct rt_python_layout *layout, uintptr_t address,
	    struct frame *frame)
{
  uint8_t copy[FRAME_BYTES];
  const uint8_t *bytes = (const uint8_t *) address;
  if (address % sizeof (uintptr_t) != 0)
    return false;
  if (!memory->is_locked)
    {
      if (!rt_python_read (memory, address, copy, sizeof copy))
	return false;
      bytes = copy;
    }
  frame->previous = *(const uintptr_t *) (bytes + layout->frame_previous);
  frame->code = *(const uintptr_t *) (bytes + layout->frame_code)
		& RT_PYTHON_POINTER_MASK;
  frame->instruction = *(const uintptr_t *) (bytes + layout->frame_instruction);
  frame->owner = bytes[layout->frame_owner];
  frame->is_entry
    = layout->frame_is_entry != 0 && bytes[layout->frame_is_entry] != 0;
  return true;
}

/* The start of a code object.  */
struct code_head
{
  uint32_t references; /* the lower half: 0 while it is being released */
  uintptr_t type;
  uint64_t units;
  int32_t first_traceable;
};

static inline bool
read_code_head (const struct rt_python_memory *memory,
		const struct rt_python_layout *layout, uintptr_t code,
		struct code_head *head)
{
  if (code == 0 || code % sizeof (uintptr_t) != 0)
    return false;
  return rt_python_read (memory, code, &head->references,
			 sizeof head->references)
	 && rt_python_read (memory, code + RT_PYTHON_TYPE, &head->type,
			    sizeof head->type)
	 && rt_python_read (memory, code + RT_PYTHON_SIZE, &head->units,
			    sizeof head->units)
	 && rt_python_read (memory, code + layout->code_first_traceable,
			    &head->first_traceable,
			    sizeof head->first_traceable);
}

/* Set *ADDRESS to that of FRAME in a context.  Return false if it is not
   shown, as in the interpreter's own tracebacks: it is being entered, or does
   not run a code object.  */

static inline bool
address_of (const struct rt_python_memory *memory,
	    const struct rt_python_layout *layout, const struct frame *frame,
	    uintptr_t *address)
{
  struct code_head head;
  if (!read_code_head (memory, layout, frame->code, &head)
      || head.type != interpreter.code_type)
    return false;
  const int64_t unit = ((int64_t) frame->instruction
			- (int64_t) (frame->code + layout->code_instructions))
		       / (int64_t) RT_PYTHON_UNIT;
  if (frame->owner != RT_PYTHON_OWNER_GENERATOR && unit < head.first_traceable)
    return false;
  uint32_t number = 0;
  if (head.references != 0 && unit < (int64_t) head.units)
    {
      number
	= unit >= 0 ? find_number (frame->code, (uint32_t) unit) : UINT32_MAX;
      if (number == UINT32_MAX)
	number = name_place (memory, layout, frame->code, unit);
    }
  *address = rt_interpreted_address (number);
  return true;
}

/* ---- All frames.  */

/* The frames of a thread, from the innermost on, by calls of the evaluation
   loop.  */
struct chain
{
  struct rt_python_memory memory;
  const struct rt_python_layout *layout;
  uintptr_t next; /* frame; 0: none */
  uintptr_t call; /* the structure on the stack; 0: the version has none */

  /* Of the current call: its frames as contexts have them, and something on the
     stack that belongs to it.  */
  uintptr_t *frames;
  unsigned count;
  uintptr_t place; /* 0: unknown, as there are too many frames */

  struct rt_seen_frame *seen;
  uint64_t state; /* of seen frames that are still valid, without an owner */
};

/* Set CHAIN to the frames of the thread of WALKER; return false if it has
   none.  */

static bool
start_chain (struct chain *chain, struct rt_walker *walker)
{
  const struct rt_python_layout *const layout
    = __atomic_load_n (&rt_python_layout, __ATOMIC_ACQUIRE);
  if (layout == NULL)
    return false;
  const uintptr_t state = (uintptr_t) interpreter.own_state ();
  if (state == 0)
    return false;
  if (walker->python == NULL)
    walker->python = sys_map (sizeof *walker->python);
  if (walker->python == NULL)
    return false;
  *chain
    = (struct chain){ .layout = layout,
		      .frames = walker->python->frames,
		      .seen = walker->python->seen,
		      .state = __atomic_load_n (&releases, __ATOMIC_RELAXED)
			       << 8 };
  chain->memory.is_locked = (uintptr_t) interpreter.current_state () == state;
  if (chain->memory.is_locked && release_code == NULL)
    watch_code ();
  if (release_code == NULL
      || (!chain->memory.is_locked && interpreter.is_ending () != 0))
    return false;
  if (layout->state_current != 0)
    return rt_python_read (&chain->memory, state + layout->state_current,
			   &chain->next, sizeof chain->next);
  return rt_python_read (&chain->memory, state + layout->state_call,
			 &chain->call, sizeof chain->call)
	 && rt_python_read (&chain->memory, chain->call + layout->call_current,
			    &chain->next, sizeof chain->next);
}

/* Frames of one call of the loop that are looked at beyond those that fit in a
   context.  */
#define MOST_FARTHER_FRAMES 65536u

/* Return the frame of the loop's current call, which is beyond the frames that
   fit in a context, from CHAIN->next on; 0 if it is not found.  */

static uintptr_t
find_place (const struct chain *chain)
{
  struct frame frame;
  uintptr_t at = chain->next;
  for (unsigned i = 0; i < MOST_FARTHER_FRAMES && at != 0; i++)
    {
      if (!read_frame (&chain->memory, chain->layout, at, &frame))
	return 0;
      if (frame.owner >= chain->layout->entry_owner)
	return at;
      at = frame.previous;
    }
  return 0;
}

/* Return the address in contexts of the frame AT, read to FRAME; 0 if it is not
   shown.  Frames of callers are the same in many walks.  */

static inline uintptr_t
address_at (struct chain *chain, uintptr_t at, const struct frame *frame)
{
  struct rt_seen_frame *const seen
    = &chain->seen[at * UINT64_C (0x9e3779b97f4a7c15)
		   >> (64 - RT_SEEN_FRAMES_SHIFT)];
  const uint64_t state = chain->state | frame->owner;
  if (seen->frame == at && seen->code == frame->code
      && seen->instruction == frame->instruction && seen->state == state)
    return seen->address;
  uintptr_t address;
  if (!address_of (&chain->memory, chain->layout, frame, &address))
    address = 0;
  *seen = (struct rt_seen_frame){ .frame = at,
				  .code = frame->code,
				  .instruction = frame->instruction,
				  .state = state,
				  .address = address };
  return address;
}

/* Take the frames of the next call of the loop from CHAIN.  Return false if
   there is none.  */

static bool
take_call (struct chain *chain)
{
  const struct rt_python_layout *const layout = chain->layout;
  struct frame frame = { .is_entry = false };
  bool is_last = false;
  chain->count = 0;
  chain->place = chain->call;
  if (chain->next == 0)
    return false;
  while (!is_last && chain->next != 0 && chain->count < RT_MAX_DEPTH)
    {
      const uintptr_t at = chain->next;
      if (!read_frame (&chain->memory, layout, at, &frame))
	{
	  chain->next = 0;
	  break;
	}
      const bool is_of_loop
	= layout->entry_owner != 0 && frame.owner >= layout->entry_owner;
      is_last = is_of_loop || frame.is_entry;
      if (is_of_loop && layout->state_call == 0)
	chain->place = at;
      const uintptr_t address = is_of_loop ? 0 : address_at (chain, at, &frame);
      if (address != 0)
	chain->frames[chain->count++] = address;
      chain->next = frame.previous;
    }
  if (layout->state_call != 0
      && !rt_python_read (&chain->memory, chain->call + layout->call_previous,
			  &chain->call, sizeof chain->call))
    chain->next = 0;
  /* The others would not fit in a context.  */
  if (!is_last)
    {
      if (chain->place == 0)
	chain->place = find_place (chain);
      chain->next = 0;
    }
  return chain->count > 0 || is_last;
}

/* True if the current call of CHAIN has its place in FRAME, which ends at
   END.  */

static inline bool
is_in_frame (const struct chain *chain, const struct rt_frame *frame,
	     uintptr_t end)
{
  return chain->place != 0
	   ? chain->place >= frame->sp && chain->place < end
	   : frame->pc - interpreter.loop - 1 < interpreter.loop_bytes;
}

/* Append the frames of CHAIN's current call to the DEPTH frames of FRESH;
   return their number then.  */

static unsigned
put_call (const struct chain *chain, struct rt_frame *fresh, unsigned depth)
{
  for (unsigned i = 0; i < chain->count && depth < RT_MAX_DEPTH; i++)
    fresh[depth++].pc = chain->frames[i];
  return depth;
}

/* Merge CHAIN and WALKER->walk into WALKER->fresh, innermost first; return the
   number of frames.  */

static unsigned
merge (struct rt_walker *walker, struct chain *chain)
{
  const struct rt_walk *const walk = &walker->walk;
  unsigned depth = 0;
  bool is_more = take_call (chain);
  for (unsigned level = walk->depth; level-- > 0 && depth < RT_MAX_DEPTH;)
    {
      const struct rt_frame *const frame = &walk->frames[level];
      const uintptr_t end = level > 0 ? frame[-1].sp : UINTPTR_MAX;
      walker->fresh[depth++].pc = frame->pc;
      while (is_more && is_in_frame (chain, frame, end))
	{
	  depth = put_call (chain, walker->fresh, depth);
	  is_more = take_call (chain);
	}
    }
  /* The walk met a frame that it could not pass, but these are farther out.  */
  while (is_more && walk->end == RT_WALK_STOPPED && depth < RT_MAX_DEPTH)
    {
      depth = put_call (chain, walker->fresh, depth);
      is_more = take_call (chain);
    }
  return depth;
}

/* Make the DEPTH frames of WALKER->fresh its mixed walk; return how many of the
   outermost it had already.  */

static unsigned
replace_mixed (struct rt_walker *walker, unsigned depth)
{
  struct rt_walk *const mixed = &walker->python->mixed;
  const unsigned known = mixed->depth < depth ? mixed->depth : depth;
  unsigned common = 0;
  while (common < known
	 && mixed->frames[common].pc == walker->fresh[depth - 1 - common].pc)
    common++;
  for (unsigned i = common; i < depth; i++)
    mixed->frames[i].pc = walker->fresh[depth - 1 - i].pc;
  mixed->depth = depth;
  return common;
}

bool
rt_python_mix (struct rt_walker *walker, unsigned max_depth, unsigned *common)
{
  struct rt_walk *const walk = &walker->walk;
  struct chain chain;
  if (!start_chain (&chain, walker) || chain.next == 0)
    return false;
  struct rt_walk *const mixed = &walker->python->mixed;
  *common = replace_mixed (walker, merge (walker, &chain));
  mixed->is_own = false;
  mixed->is_cut = walk->is_cut || mixed->depth == RT_MAX_DEPTH;
  mixed->end = mixed->is_cut ? RT_WALK_TRUNCATED : walk->end;
  const bool is_kept = rt_options.folds_recursion && !mixed->is_cut;
  const uint32_t base
    = mixed->depth > max_depth && !is_kept ? mixed->depth - max_depth : 0;
  if (base != mixed->base)
    *common = 0;
  mixed->base = base;
  /* Its frames' nodes are not known.  */
  walk->known = 0;
  return true;
}

void
rt_python_reset_locks (void)
{
  rt_reset_lock (&lock);
}
