/* The calling context: walking the stack by frame pointers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A frame is two words on the stack, the caller's frame pointer and the return
   address.  Code without frame pointers leaves anything in the register, so
   a frame is believed only if it is further out on the same stack, aligned,
   and readable.

   Where a thread's own stack ends is known: the main thread's at
   __libc_stack_end, others' at the thread's descriptor.  How far down it is
   mapped is found out page by page, each once.  Other stacks, of coroutines
   and signal handlers, may go away at any time, so that nothing can be
   remembered about them: there each page is asked for in each walk.  */

#include "unwind.h"
#include "sys.h"
#include <pthread.h>

#define FRAME_BYTES (2 * sizeof (uintptr_t))

/* A larger step is no frame but the way to another stack.  */
#define FOREIGN_FRAME_MAX (256u * 1024)

/* A stack does not grow further than this between two allocations; if it does,
   or if FRAME is on a coroutine's stack, the walk is slower, not wrong.  */
#define STACK_STEP_MAX (16u * 1024 * 1024)

/* Set by the C library: the start of the main thread's stack.  */
extern void *__libc_stack_end;

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

/* Is FRAME on THREAD's own stack?  Extends what is known of it.  */

static bool
is_on_own_stack (struct rt_thread *thread, uintptr_t frame)
{
  if (frame >= thread->stack_low && frame < thread->stack_high)
    return true;
  if (frame >= thread->other_low && frame < thread->other_high)
    return false;
  if (thread->stack_high == 0)
    {
      const bool is_main = sys_thread_id () == sys_pid ();
      thread->stack_high = is_main ? (uintptr_t) __libc_stack_end
			   : (uintptr_t) pthread_self ();
      thread->stack_low = thread->stack_high;
    }
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

/* May the frame at NEXT, on a stack that is not the thread's own, be read
   after the one at FRAME?  *READABLE is the page last asked for.  */

static bool
may_follow (const struct rt_thread *thread, uintptr_t frame, uintptr_t next,
	    uintptr_t *readable)
{
  if (next - frame > FOREIGN_FRAME_MAX
      || (next >= thread->stack_low && next < thread->stack_high))
    return false;
  const uintptr_t last = next + FRAME_BYTES - 1;
  if (page_of (next) == *readable && page_of (last) == *readable)
    return true;
  if (!sys_is_readable ((const void *) next)
      || !sys_is_readable ((const void *) (next + sizeof (uintptr_t))))
    return false;
  *readable = page_of (last);
  return true;
}

unsigned
rt_unwind (struct rt_thread *thread, const void *start, unsigned max_depth,
	   enum rt_walk_end *end)
{
  uintptr_t frame = (uintptr_t) start;
  const bool own = is_on_own_stack (thread, frame);
  const uintptr_t limit = own ? thread->stack_high - FRAME_BYTES
			  : UINTPTR_MAX - FRAME_BYTES;
  uintptr_t readable = page_of (frame);
  unsigned depth = 0;
  for (;;)
    {
      const uintptr_t *const words = (const uintptr_t *) frame;
      if (words[1] == 0 && depth > 0)
	{
	  *end = RT_WALK_OUTERMOST;
	  return depth;
	}
      thread->walk[depth++] = words[1];
      const uintptr_t next = words[0];
      *end = next == 0 ? RT_WALK_OUTERMOST : RT_WALK_STOPPED;
      if (next <= frame || next > limit || next % FRAME_BYTES != 0
	  || (!own && !may_follow (thread, frame, next, &readable)))
	return depth;
      *end = RT_WALK_TRUNCATED;
      if (depth == max_depth)
	return depth;
      frame = next;
    }
}
