/* Walking the stack for the calling context.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   For each return address the unwind tables give the caller's frame
   (unwind-cfi.h); in instrumented code that is always at the frame pointer.
   Code without tables is assumed to have frame pointers.  Whatever tables or
   stack contain, a word is read only if it is further out on the same stack,
   aligned and mapped.

   The end of a thread's own stack is known: __libc_stack_end for the main
   thread, the thread's descriptor for others.  How far down it is mapped is
   determined page by page, once for each.  Other stacks, of coroutines and
   signal handlers, may be unmapped at any time, so nothing can be remembered
   about them: each page is checked in each walk.  */

#include "unwind.h"
#include "bytes.h"
#include "frame.h"
#include "options.h"
#include "sys.h"
#include "thread-pointer.h"
#include "unwind-cfi.h"

#define WORD sizeof (uintptr_t)

/* On a stack that is not the thread's own, a larger step is not a frame but a
   switch to another stack.  */
#define FOREIGN_FRAME_MAX (256u * 1024)

/* A stack is not expected to grow by more than this between two allocations; if
   it does, or if FRAME is on a coroutine's stack, the walk is slower, not
   wrong.  */
#define STACK_STEP_MAX (16u * 1024 * 1024)

/* Set by the C library: the start of the main thread's stack.  */
extern void *__libc_stack_end;

/* The memory that a walk may read.  */
struct bounds
{
  uintptr_t limit;    /* words at or above this are not read */
  uintptr_t readable; /* 0 on the thread's own stack, otherwise the page last
			 found readable */
  const struct rt_walker *walker;
};

static uintptr_t
page_of (uintptr_t address)
{
  return address & -(uintptr_t) SYS_LEAST_PAGE_BYTES;
}

/* True if every page from LOW up to HIGH is readable; otherwise set *GAP to the
   first that is not.  */

static bool
pages_are_readable (uintptr_t low, uintptr_t high, uintptr_t *gap)
{
  for (*gap = page_of (low); *gap < high; *gap += SYS_LEAST_PAGE_BYTES)
    if (!sys_is_readable ((const void *) *gap))
      return false;
  return true;
}

/* Determine the end of the thread's own stack.  */

static void
find_own_stack (struct rt_walker *walker)
{
  const bool is_main = sys_thread_id () == sys_pid ();
  const uintptr_t high = is_main ? (uintptr_t) __libc_stack_end
				 : (uintptr_t) machine_own_thread_pointer ();
  walker->stack_high = high & -WORD;
  walker->stack_low = walker->stack_high;
}

/* True if FRAME is on the thread's own stack.  Extends the known part of the
   stack.  */

static bool
is_on_own_stack (struct rt_walker *walker, uintptr_t frame)
{
  if (frame >= walker->stack_low && frame < walker->stack_high)
    return true;
  if (frame >= walker->other_low && frame < walker->other_high)
    return false;
  if (walker->stack_high == 0)
    find_own_stack (walker);
  uintptr_t gap = page_of (frame) + SYS_LEAST_PAGE_BYTES;
  if (frame < walker->stack_low && walker->stack_low - frame < STACK_STEP_MAX
      && pages_are_readable (frame, walker->stack_low, &gap))
    {
      walker->stack_low = page_of (frame);
      return true;
    }
  walker->other_low = page_of (frame);
  walker->other_high = gap;
  return false;
}

/* True if the word at ADDRESS may be read as part of the frame with stack
   pointer SP, or of its caller's.  */

static bool
may_read (struct bounds *in, uintptr_t sp, uintptr_t address)
{
  if (address < sp || address >= in->limit || address % WORD != 0)
    return false;
  if (in->readable == 0 || page_of (address) == in->readable)
    return true;
  if (address - sp > FOREIGN_FRAME_MAX
      || (address >= in->walker->stack_low && address < in->walker->stack_high)
      || !sys_is_readable ((const void *) address))
    return false;
  in->readable = page_of (address);
  return true;
}

static uintptr_t
word_at (uintptr_t address)
{
  return *(const uintptr_t *) address;
}

/* Store the caller of *FRAME, whose CFA is CFA, after it.  The caller's frame
   pointer is saved at FP_SLOT, 0 if unchanged, and its PC at PC_SLOT.  */

static bool
step_to (struct bounds *in, struct rt_frame *frame, uintptr_t cfa,
	 uintptr_t fp_slot, uintptr_t pc_slot)
{
  if (!may_read (in, frame->sp, pc_slot)
      || (fp_slot != 0 && !may_read (in, frame->sp, fp_slot)))
    return false;
  frame->fp_slot = fp_slot;
  frame[1].pc = machine_return_address (word_at (pc_slot));
  frame[1].fp = fp_slot != 0 ? word_at (fp_slot) : frame->fp;
  frame[1].sp = cfa + MACHINE_SP_AT;
  rt_frame_set_pc_slot (frame + 1, pc_slot);
  return true;
}

/* Store the caller of *FRAME after it, by its frame record.  */

static bool
step_by_record (struct bounds *in, struct rt_frame *frame)
{
  const uintptr_t record = frame->fp + MACHINE_RECORD_AT;
  return step_to (in, frame, record + MACHINE_CFA_AT, record, record + WORD);
}

/* Store the caller of *FRAME after it, according to ROW.  */

static bool
step_by_row (struct bounds *in, struct rt_frame *frame,
	     const struct rt_cfi_row *row)
{
  const uintptr_t fp = frame->fp;
  uintptr_t cfa = (row->cfa_kind == RT_CFA_FROM_SP ? frame->sp : fp)
		  + (uintptr_t) (intptr_t) row->cfa_offset;
  if (row->cfa_kind == RT_CFA_AT_FP)
    {
      if (!may_read (in, frame->sp, cfa))
	return false;
      cfa = word_at (cfa);
    }
  const uintptr_t fp_offset = (uintptr_t) (intptr_t) row->fp_offset;
  const uintptr_t fp_slot = row->fp_kind == RT_FP_AT_CFA  ? cfa + fp_offset
			    : row->fp_kind == RT_FP_AT_FP ? fp + fp_offset
							  : 0;
  return step_to (in, frame, cfa, fp_slot,
		  cfa + (uintptr_t) (intptr_t) row->ra_offset);
}

/* Store the caller of *FRAME after it.  If that is impossible, return false and
   set *END.  */

static __attribute__ ((noinline)) bool
step_by_table (struct bounds *in, struct rt_frame *frame, enum rt_walk_end *end)
{
  const struct rt_cfi_row *const row = rt_cfi_find_row (frame->pc);
  const uintptr_t fp = frame->fp;
  bool done;
  if (row->cfa_kind == RT_CFA_STANDARD)
    done = step_by_record (in, frame);
  else if (row->cfa_kind == RT_CFA_OUTERMOST
	   || (row->cfa_kind == RT_CFA_UNKNOWN && fp == 0))
    {
      *end = RT_WALK_OUTERMOST;
      return false;
    }
  else if (row->cfa_kind == RT_CFA_UNKNOWN)
    done = MACHINE_HAS_FRAME_RECORDS && fp % (2 * WORD) == 0
	   && step_by_record (in, frame);
  else
    done = step_by_row (in, frame, row);
  *end = done ? RT_WALK_OUTERMOST : RT_WALK_STOPPED;
  return done;
}

/* The current frame of a walk: reading it back right after writing it takes
   longer than the rest of an ordinary step.  */
struct position
{
  uintptr_t pc;
  uintptr_t sp;
  uintptr_t fp;
};

/* True if the frame AT is on the thread's own stack, in code with frame
   pointers.  False does not imply the opposite.  */

static inline bool
is_ordinary (const struct bounds *in, const struct position *at)
{
  const uintptr_t record = at->fp + MACHINE_RECORD_AT;
  return MACHINE_HAS_STANDARD_FRAMES && record >= at->sp
	 && record < in->limit - WORD && record % WORD == 0 && in->readable == 0
	 && rt_cfi_is_standard (at->pc);
}

/* Go from *FRAME, which is AT and whose frame record is at RECORD, to its
   caller, where CFA is FRAME's, and store that after it.  */

static inline void
follow_record (struct rt_frame *frame, struct position *at, uintptr_t record,
	       uintptr_t cfa)
{
  frame->fp_slot = record;
  at->sp = cfa + MACHINE_SP_AT;
  at->pc = machine_return_address (word_at (record + WORD));
  at->fp = word_at (record);
  frame[1].pc = at->pc;
  frame[1].sp = at->sp;
  frame[1].fp = at->fp;
  rt_frame_set_pc_slot (frame + 1, record + WORD);
}

/* The same as step_by_row for most rows, of frames on the thread's own stack;
   false for others.  Where a frame record may be anywhere in the frame, this is
   the usual step.  */

static inline bool
step_to_record (const struct bounds *in, struct rt_frame *frame,
		struct position *at)
{
  const struct rt_cfi_row *const row
    = MACHINE_HAS_FRAME_RECORDS ? rt_cfi_record_row (at->pc) : NULL;
  if (row == NULL || in->readable != 0)
    return false;
  const uintptr_t from = row->cfa_kind == RT_CFA_FROM_SP ? at->sp : at->fp;
  const uintptr_t cfa = from + (uintptr_t) (intptr_t) row->cfa_offset;
  const uintptr_t record = cfa + (uintptr_t) (intptr_t) row->fp_offset;
  if (record < at->sp || record >= in->limit - WORD || record % WORD != 0)
    return false;
  follow_record (frame, at, record, cfa);
  return true;
}

/* Go from *FRAME, which is AT, to its caller, and store that after it.  If
   there is none, or it cannot be found, return false and set *END.  */

static inline bool
step (struct bounds *in, struct rt_frame *frame, struct position *at,
      enum rt_walk_end *end)
{
  if (__builtin_expect (is_ordinary (in, at), 1))
    {
      const uintptr_t record = at->fp + MACHINE_RECORD_AT;
      follow_record (frame, at, record, record + MACHINE_CFA_AT);
      *end = RT_WALK_OUTERMOST;
    }
  else if (!MACHINE_HAS_STANDARD_FRAMES && step_to_record (in, frame, at))
    *end = RT_WALK_OUTERMOST;
  else if (step_by_table (in, frame, end))
    *at = (struct position){ frame[1].pc, frame[1].sp, frame[1].fp };
  else
    return false;
  return at->pc != 0;
}

/* If the contents of the frames from LEVEL outwards are no longer on the stack,
   return the number of frames outside the first difference, else 0.  */

static unsigned
frames_beyond_change (const struct rt_walk *walk, unsigned level)
{
  for (; level > 0; level--)
    {
      const struct rt_frame *const inner = &walk->frames[level];
      const struct rt_frame *const outer = inner - 1;
      if (machine_return_address (word_at (rt_frame_pc_slot (outer)))
	    != outer->pc
	  || (inner->fp_slot != 0 && word_at (inner->fp_slot) != outer->fp))
	break;
    }
  return level;
}

/* A new walk has reached AT.  If that is a frame of the previous walk, WALK,
   whose outer frames are unchanged, return the number of frames that can be
   reused, else 0.  *LEVEL counts the frames of WALK that may still be reached.
   Those inside a change cannot, so WALK is compared with the stack once.  */

static inline unsigned
join_walk (const struct rt_walk *walk, const struct position *at,
	   unsigned *level)
{
  while (*level > 0 && walk->frames[*level - 1].sp < at->sp)
    --*level;
  if (*level == 0)
    return 0;
  const struct rt_frame *const known = &walk->frames[*level - 1];
  if (known->sp != at->sp || known->pc != at->pc || known->fp != at->fp)
    return 0;
  const unsigned beyond = frames_beyond_change (walk, *level - 1);
  if (beyond == 0)
    return *level;
  *level = beyond;
  return 0;
}

/* Append the DEPTH fresh frames to the first COMMON frames of the last
   walk.  */

static void
extend_walk (struct rt_walker *walker, unsigned common, unsigned depth)
{
  struct rt_frame *to = walker->walk.frames + common;
  for (unsigned i = depth; i-- > 0;)
    *to++ = walker->fresh[i];
  walker->walk.depth = common + depth;
}

/* Walk from WALKER->fresh[0], which is on the thread's own stack if OWN, for at
   most LIMIT frames, into WALKER->walk.  The previous walk, if it was cut, is
   reused if that makes WANTED frames in total.  Return the number of frames
   reused.  */

static unsigned
take_walk (struct rt_walker *walker, struct bounds *in, bool own,
	   unsigned limit, unsigned wanted)
{
  struct rt_walk *const walk = &walker->walk;
  struct rt_frame *const fresh = walker->fresh;
  struct position at = { fresh->pc, fresh->sp, fresh->fp };
  unsigned level = own && walk->is_own ? walk->depth : 0;
  unsigned depth = 0, common = 0;
  enum rt_walk_end end;
  do
    {
      if (walk->is_cut && level + depth < wanted)
	level = 0;
      common = join_walk (walk, &at, &level);
      end = common > 0 ? walk->end : RT_WALK_TRUNCATED;
      if (common > 0 || depth == limit)
	break;
      depth++;
    }
  while (step (in, fresh + depth - 1, &at, &end));
  /* Another function may have been called from there.  */
  if (!MACHINE_HAS_FIXED_RA && common > 0)
    rt_frame_set_pc_slot (&walk->frames[common - 1],
			  rt_frame_pc_slot (fresh + depth));
  if (common + depth > RT_MAX_DEPTH)
    {
      const unsigned drop = common + depth - RT_MAX_DEPTH;
      common -= drop;
      own_memmove (walk->frames, walk->frames + drop,
		   common * sizeof walk->frames[0]);
      extend_walk (walker, common, depth);
      common = 0;
      end = RT_WALK_TRUNCATED;
    }
  else
    extend_walk (walker, common, depth);
  walk->is_cut = end == RT_WALK_TRUNCATED;
  walk->is_own = own;
  walk->end = (uint8_t) end;
  return common;
}

unsigned
rt_unwind (struct rt_walker *walker, const void *start, unsigned max_depth)
{
  struct rt_walk *const walk = &walker->walk;
  const uintptr_t frame = (uintptr_t) start;
  const bool own = is_on_own_stack (walker, frame);
  struct rt_frame *const first = walker->fresh;
  first->pc = machine_return_address (word_at (frame + WORD));
  first->sp = machine_cfa (frame) + MACHINE_SP_AT;
  first->fp = word_at (frame);
  rt_frame_set_pc_slot (first, 0);
  struct bounds in
    = { .limit = own ? walker->stack_high : UINTPTR_MAX - 2 * WORD,
	.readable = own ? 0 : page_of (frame + WORD),
	.walker = walker };
  /* A complete walk is worthwhile, as most of it is found again.  If there is
     none, in a very deep recursion, walk no further than needed.  */
  const bool was_cut = walk->is_cut;
  unsigned common
    = take_walk (walker, &in, own, own && !was_cut ? RT_MAX_DEPTH : max_depth,
		 max_depth);
  /* Folded, a complete walk may be short enough.  */
  const bool is_kept = rt_options.folds_recursion && !walk->is_cut;
  const uint32_t base
    = walk->depth > max_depth && !is_kept ? walk->depth - max_depth : 0;
  if (base != walk->base)
    common = 0;
  walk->base = base;
  return common;
}
