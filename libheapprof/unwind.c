/* The calling context: walking the stack.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   For each return address the unwind tables say where the caller's frame is
   (unwind-cfi.h); in instrumented code that is always the frame pointer.  Code
   without tables is taken to have frame pointers.  Whatever tables or stack
   say, a word is read only if it is further out on the same stack, aligned and
   mapped.

   Where a thread's own stack ends is known: the main thread's at
   __libc_stack_end, others' at the thread's descriptor.  How far down it is
   mapped is found out page by page, each once.  Other stacks, of coroutines
   and signal handlers, may go away at any time, so that nothing can be
   remembered about them: there each page is asked for in each walk.  */

#include "unwind.h"
#include "sys.h"
#include "unwind-cfi.h"
#include <pthread.h>

#define WORD sizeof (uintptr_t)

/* On a stack that is not the thread's own, a larger step is no frame but the
   way to another stack.  */
#define FOREIGN_FRAME_MAX (256u * 1024)

/* A stack does not grow further than this between two allocations; if it does,
   or if FRAME is on a coroutine's stack, the walk is slower, not wrong.  */
#define STACK_STEP_MAX (16u * 1024 * 1024)

/* Set by the C library: the start of the main thread's stack.  */
extern void *__libc_stack_end;

/* The frame that a walk has come to: the state of its function at the call
   that returns to PC.  */
struct cursor
{
  uintptr_t pc;
  uintptr_t sp;
  uintptr_t fp;
  uintptr_t limit;		/* no word at or above this is read */
  uintptr_t readable;		/* 0 on the thread's own stack, else the page
				   last found readable */
  const struct rt_thread *thread;
};

static uintptr_t
page_of (uintptr_t address)
{
  return address & -(uintptr_t) SYS_PAGE_BYTES;
}

/* Is every page from LOW up to HIGH readable?  If not, *GAP is the first that
   is not.  */

static bool
pages_are_readable (uintptr_t low, uintptr_t high, uintptr_t *gap)
{
  for (*gap = page_of (low); *gap < high; *gap += SYS_PAGE_BYTES)
    if (!sys_is_readable ((const void *) *gap))
      return false;
  return true;
}

/* Find out where the thread's own stack ends.  */

static void
find_own_stack (struct rt_thread *thread)
{
  const bool is_main = sys_thread_id () == sys_pid ();
  const uintptr_t high = is_main ? (uintptr_t) __libc_stack_end
			 : (uintptr_t) pthread_self ();
  thread->stack_high = high & -WORD;
  thread->stack_low = thread->stack_high;
}

/* Is FRAME on THREAD's own stack?  Extends what is known of it.  */

static bool
is_on_own_stack (struct rt_thread *thread, uintptr_t frame)
{
  if (frame >= thread->stack_low && frame < thread->stack_high)
    return true;
  if (frame >= thread->other_low && frame < thread->other_high)
    return false;
  if (thread->stack_high == 0)
    find_own_stack (thread);
  uintptr_t gap = page_of (frame) + SYS_PAGE_BYTES;
  if (frame < thread->stack_low
      && thread->stack_low - frame < STACK_STEP_MAX
      && pages_are_readable (frame, thread->stack_low, &gap))
    {
      thread->stack_low = page_of (frame);
      return true;
    }
  thread->other_low = page_of (frame);
  thread->other_high = gap;
  return false;
}

/* May the word at ADDRESS be read as part of the current frame, or of its
   caller's?  */

static bool
may_read (struct cursor *at, uintptr_t address)
{
  if (address < at->sp || address >= at->limit || address % WORD != 0)
    return false;
  if (at->readable == 0 || page_of (address) == at->readable)
    return true;
  if (address - at->sp > FOREIGN_FRAME_MAX
      || (address >= at->thread->stack_low
	  && address < at->thread->stack_high)
      || !sys_is_readable ((const void *) address))
    return false;
  at->readable = page_of (address);
  return true;
}

static uintptr_t
word_at (uintptr_t address)
{
  return *(const uintptr_t *) address;
}

/* Go to the caller of a function whose frame pointer points to the caller's,
   with the return address above.  */

static bool
step_by_frame_pointer (struct cursor *at)
{
  const uintptr_t frame = at->fp;
  if (!may_read (at, frame) || !may_read (at, frame + WORD))
    return false;
  at->fp = word_at (frame);
  at->pc = word_at (frame + WORD);
  at->sp = frame + 2 * WORD;
  return true;
}

/* Go to the caller as ROW says.  */

static bool
step_by_row (struct cursor *at, const struct rt_cfi_row *row)
{
  uintptr_t cfa = (row->cfa_kind == RT_CFA_FROM_SP ? at->sp : at->fp)
		  + (uintptr_t) (intptr_t) row->cfa_offset;
  if (row->cfa_kind == RT_CFA_AT_FP)
    {
      if (!may_read (at, cfa))
	return false;
      cfa = word_at (cfa);
    }
  if (!may_read (at, cfa - WORD))
    return false;
  if (row->fp_kind != RT_FP_SAME)
    {
      const uintptr_t saved
	= (row->fp_kind == RT_FP_AT_CFA ? cfa : at->fp)
	  + (uintptr_t) (intptr_t) row->fp_offset;
      if (!may_read (at, saved))
	return false;
      at->fp = word_at (saved);
    }
  at->pc = word_at (cfa - WORD);
  at->sp = cfa;
  return true;
}

/* Go to the caller.  If that is impossible, return false and set *END.  */

static bool
step (struct cursor *at, enum rt_walk_end *end)
{
  const struct rt_cfi_row *const row = rt_cfi_find_row (at->pc);
  bool done;
  if (__builtin_expect (row->cfa_kind == RT_CFA_STANDARD, 1))
    done = step_by_frame_pointer (at);
  else if (row->cfa_kind == RT_CFA_OUTERMOST
	   || (row->cfa_kind == RT_CFA_UNKNOWN && at->fp == 0))
    {
      *end = RT_WALK_OUTERMOST;
      return false;
    }
  else if (row->cfa_kind == RT_CFA_UNKNOWN)
    done = at->fp % (2 * WORD) == 0 && step_by_frame_pointer (at);
  else
    done = step_by_row (at, row);
  *end = done ? RT_WALK_OUTERMOST : RT_WALK_STOPPED;
  return done && at->pc != 0;
}

unsigned
rt_unwind (struct rt_thread *thread, const void *start, unsigned max_depth,
	   enum rt_walk_end *end)
{
  const uintptr_t frame = (uintptr_t) start;
  const bool own = is_on_own_stack (thread, frame);
  struct cursor at = {
    .pc = word_at (frame + WORD), .sp = frame + 2 * WORD,
    .fp = word_at (frame), .thread = thread,
    .limit = own ? thread->stack_high : UINTPTR_MAX - 2 * WORD,
    .readable = own ? 0 : page_of (frame + WORD)
  };
  unsigned depth = 0;
  do
    {
      if (depth == max_depth)
	{
	  *end = RT_WALK_TRUNCATED;
	  return depth;
	}
      thread->walk[depth++] = at.pc;
    }
  while (step (&at, end));
  return depth;
}
