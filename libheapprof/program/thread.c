/* Threads: their structures, and the work they defer while inside the library.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "thread.h"
#include "arena.h"
#include "debug-log.h"
#include "init.h"
#include "invariant.h"
#include "lock.h"
#include "sys.h"
#include <pthread.h>

__thread struct rt_local rt_local;

static struct rt_lock lock;
static struct rt_thread *unused, *all;
static uint16_t count;		    /* structures created */
static struct rt_thread **numbered; /* these, by number, if there is memory */
static pthread_key_t key;
static bool has_key;
static struct rt_thread_hooks hooks;

/* Create a structure; NULL if memory is exhausted.  */

static struct rt_thread *
create_structure (void)
{
  struct rt_thread *const thread = sys_map (sizeof *thread);
  if (thread == NULL)
    return NULL;
  if (numbered == NULL)
    numbered = sys_map ((UINT16_MAX + 1) * sizeof *numbered);
  thread->mibs.number = ++count;
  if (numbered != NULL)
    __atomic_store_n (&numbered[count], thread, __ATOMIC_RELEASE);
  thread->next = all;
  __atomic_store_n (&all, thread, __ATOMIC_RELEASE);
  return thread;
}

struct rt_thread *
rt_thread_numbered (uint32_t number)
{
  return numbered == NULL
	   ? NULL
	   : __atomic_load_n (&numbered[number], __ATOMIC_ACQUIRE);
}

static struct rt_thread *
take_structure (void)
{
  rt_lock (&lock);
  struct rt_thread *thread = unused;
  if (thread != NULL)
    unused = thread->next_unused;
  else if (count < UINT16_MAX)
    thread = create_structure ();
  if (thread != NULL)
    thread->local = &rt_local;
  rt_unlock (&lock);
  return thread;
}

static void
give_structure (struct rt_thread *thread)
{
  rt_walker_forget (&thread->walker);
  rt_lock (&lock);
  thread->local = NULL;
  thread->next_unused = unused;
  unused = thread;
  rt_unlock (&lock);
}

/* Called by the C library when a thread ends.  Other destructors may run later
   and allocate; then the thread gets a structure again, and this is called
   again.  */

static void
end_thread (void *data)
{
  struct rt_thread *const thread = data;
  if (rt_enter () == thread)
    {
      RT_CHECK (rt_arena_is_valid (&thread->caches));
      RT_DEBUG (1, "thread ends");
      rt_local.thread = NULL;
      rt_arena_flush (&thread->caches);
      hooks.end (thread);
      give_structure (thread);
    }
  rt_leave ();
}

void
rt_thread_start (const struct rt_thread_hooks *given)
{
  hooks = *given;
  has_key = pthread_key_create (&key, end_thread) == 0;
}

struct rt_thread *
rt_enter_slowly (void)
{
  rt_init ();
  struct rt_thread *const thread = take_structure ();
  rt_local.thread = thread;
  if (thread != NULL)
    hooks.start (thread);
  RT_DEBUG (1, "thread starts%s", thread != NULL ? "" : ": no memory for it");
  /* This may allocate, which then counts as inside the library.  */
  if (thread != NULL && has_key)
    pthread_setspecific (key, thread);
  return thread;
}

void
rt_defer_release (struct rt_block *block)
{
  struct rt_block *head
    = __atomic_load_n (&rt_local.deferred, __ATOMIC_RELAXED);
  do
    *rt_block_link (block) = head;
  while (!__atomic_compare_exchange_n (&rt_local.deferred, &head, block, false,
				       __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  __atomic_fetch_or (&rt_local.wanted, RT_WANT_RELEASE, __ATOMIC_RELAXED);
}

/* Do the deferred work.  Without a structure for the thread, its blocks stay
   deferred.  */

static void
do_deferred (void)
{
  struct rt_thread *const thread = rt_local.thread;
  if (thread != NULL)
    __atomic_fetch_and (&rt_local.wanted, (uint8_t) ~RT_WANT_RELEASE,
			__ATOMIC_RELAXED);
  while (thread != NULL && rt_local.deferred != NULL)
    {
      struct rt_block *block
	= __atomic_exchange_n (&rt_local.deferred, NULL, __ATOMIC_RELAXED);
      while (block != NULL)
	{
	  struct rt_block *const next = *rt_block_link (block);
	  hooks.release (thread, block);
	  block = next;
	}
    }
  const unsigned wanted
    = __atomic_fetch_and (&rt_local.wanted, RT_WANT_RELEASE, __ATOMIC_RELAXED)
      & ~(unsigned) RT_WANT_RELEASE;
  if (wanted != 0)
    hooks.do_wanted (wanted);
}

static bool
has_deferred (void)
{
  return (rt_local.wanted & ~(unsigned) RT_WANT_RELEASE) != 0
	 || (rt_local.wanted != 0 && rt_local.thread != NULL);
}

void
rt_leave_slowly (void)
{
  while (rt_local.depth == 0 && has_deferred ())
    {
      rt_local.depth++;
      __atomic_signal_fence (__ATOMIC_SEQ_CST);
      rt_note_stack ();
      do_deferred ();
      rt_forget_stack ();
      __atomic_signal_fence (__ATOMIC_SEQ_CST);
      rt_local.depth--;
      __atomic_signal_fence (__ATOMIC_SEQ_CST);
    }
}

/* True if another thread is inside the library.  A thread that did not end
   normally may have left its structure behind.  */

static bool
others_are_inside (void)
{
  bool inside = false;
  rt_lock (&lock);
  for (const struct rt_thread *thread = all; thread != NULL && !inside;
       thread = thread->next)
    {
      const struct rt_local *const local = thread->local;
      inside = local != NULL && local != &rt_local && sys_is_readable (local)
	       && __atomic_load_n (&local->depth, __ATOMIC_ACQUIRE) != 0
	       && !__atomic_load_n (&local->waits, __ATOMIC_ACQUIRE);
    }
  rt_unlock (&lock);
  return inside;
}

void
rt_thread_wait_for_others (void)
{
  const uint64_t start_ns = sys_steady_ns ();
  sys_barrier ();
  while (others_are_inside () && sys_steady_ns () - start_ns < 1000000000u)
    sys_yield ();
}

/* Structures are never freed, and new ones come first.  */

void
rt_thread_visit (void (*visit) (struct rt_thread *thread, void *data),
		 void *data)
{
  for (struct rt_thread *thread = __atomic_load_n (&all, __ATOMIC_ACQUIRE);
       thread != NULL; thread = thread->next)
    visit (thread, data);
}

void
rt_thread_reset_locks (void)
{
  for (struct rt_thread *thread = all; thread != NULL; thread = thread->next)
    if (thread->local != &rt_local)
      thread->local = NULL;
  rt_reset_lock (&lock);
}

void
rt_thread_forget_unused_mibs (void)
{
  for (struct rt_thread *thread = all; thread != NULL; thread = thread->next)
    {
      thread->mibs.mibs.next = thread->mibs.mibs.end;
      thread->mibs.briefs.next = thread->mibs.briefs.end;
    }
}
