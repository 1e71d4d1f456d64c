/* What the run-time library knows about each thread.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Thread-local storage itself is a few words of the initial-exec model, so
   that reaching it never allocates.  The rest is in struct rt_thread, made at
   the thread's first allocation and used again by later threads.

   Everything between rt_enter and rt_leave is `inside the library'.  A signal
   handler that interrupts a thread there finds DEPTH above 0: what it
   allocates is mapped separately and not profiled, what it releases is put on
   a list that the interrupted call takes care of when it leaves.  */

#ifndef HEAPPROF_THREAD_H
#define HEAPPROF_THREAD_H

#include "arena.h"
#include "clock.h"
#include "lock.h"
#include "mib-table.h"
#include "walker.h"
#include <stdbool.h>
#include <stdint.h>

struct rt_thread
{
  struct rt_thread *next_unused;
  struct rt_thread *next; /* of all that were made */
  struct rt_local *local; /* of the thread that has it; NULL: none */

  struct rt_clock clock;
  struct rt_mib_owner mibs;

  /* Bytes of blocks that came less those that went, since they were added to
     what all threads know; from where on they are (heap-size.h).  */
  int64_t heap_change;
  int64_t heap_rise;
  int64_t heap_fall;

  struct rt_caches caches;
  struct rt_walker walker;
};

/* Bits of rt_local.wanted: what is done when the call under way ends.  */
enum
{
  RT_WANT_DUMP = 1,
  RT_WANT_END = 2
};

struct rt_local
{
  uint32_t depth;    /* calls into the library under way */
  bool waits;	     /* for a lock, before it changes anything */
  uint8_t wanted;    /* by signals that came inside the library */
  bool forks_inside; /* the fork under way was called inside it */
  struct rt_thread *thread;
  struct rt_block *deferred; /* released inside the library */
};

extern __thread struct rt_local rt_local
  __attribute__ ((visibility ("hidden"), tls_model ("initial-exec")));

/* Begin a call into the library.  Return this thread's structure, or NULL if
   the thread is inside already or no structure could be made; rt_leave must
   follow in both cases.  */
struct rt_thread *rt_enter_slowly (void);
void rt_leave_slowly (void);

static inline struct rt_thread *
rt_enter (void)
{
  const bool nested = rt_local.depth++ != 0;
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
  if (__builtin_expect (nested, 0))
    return NULL;
  struct rt_thread *const thread = rt_local.thread;
  return __builtin_expect (thread != NULL, 1) ? thread : rt_enter_slowly ();
}

static inline void
rt_leave (void)
{
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
  rt_local.depth--;
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
  /* In this order: a signal comes before, and is seen here, or finds the thread
     outside.  */
  if (__builtin_expect (rt_local.deferred != NULL || rt_local.wanted != 0, 0))
    rt_leave_slowly ();
}

/* Is a call into the library under way in this thread?  */
static inline bool
rt_is_inside (void)
{
  return rt_local.depth != 0;
}

/* Put BLOCK on the list of blocks that the interrupted call releases.  */
void rt_defer_release (struct rt_block *block);

/* Take LOCK, which may be held for long; the caller has not begun to change
   records.  */
static inline void
rt_lock_waiting (struct rt_lock *lock)
{
  __atomic_store_n (&rt_local.waits, true, __ATOMIC_RELEASE);
  rt_lock (lock);
  __atomic_store_n (&rt_local.waits, false, __ATOMIC_RELEASE);
}

/* Wait until no other thread is inside the library but to wait; for a second at
   most.  */
void rt_thread_wait_for_others (void);

/* For the child of a fork.  */
void rt_thread_reset_locks (void);

/* What is done when a call into the library ends, inside it still.  */
struct rt_thread_hooks
{
  /* Release BLOCK, which was put off.  THREAD is the calling one.  */
  void (*release) (struct rt_thread *thread, struct rt_block *block);

  /* Do what signals wanted: bits of RT_WANT_....  */
  void (*do_wanted) (unsigned wanted);
};

/* Use HOOKS, and have threads give their caches back when they end.  Once, at
   start.  */
void rt_thread_start (const struct rt_thread_hooks *hooks);

#endif /* HEAPPROF_THREAD_H */
