/* The run-time library's data about each thread.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Thread-local storage itself is a few words of the initial-exec model, so that
   accessing it never allocates.  The rest is in struct rt_thread, created at
   the thread's first allocation and reused by later threads.

   Code between rt_enter and rt_leave is `inside the library'.  A signal handler
   that interrupts a thread there finds DEPTH above 0: its allocations are
   mapped separately and not profiled, and the blocks it releases are put on a
   list that the interrupted call processes when it leaves.  */

#ifndef HEAPPROF_THREAD_H
#define HEAPPROF_THREAD_H

#include "arena.h"
#include "clock.h"
#include "exit-frames.h"
#include "frame.h"
#include "lock.h"
#include "mib-familiar.h"
#include "mib-table.h"
#include "thread-heap.h"
#include "walker.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rt_thread
{
  struct rt_thread *next_unused;
  struct rt_thread *next; /* of all structures created */
  struct rt_local *local; /* of the thread that owns it; NULL: none */

  struct rt_clock clock;
  struct rt_mib_owner mibs;

  /* HEAP_PLACE minus HEAP_START: bytes allocated minus bytes released since
     they were last added to the sum of all threads.  They are added when the
     place is below 0 or above HEAP_SPAN (heap-size.h).  */
  uint64_t heap_place;
  uint64_t heap_start;
  uint64_t heap_span;
  struct rt_thread_heap heap;

  /* The block allocated last; NULL if it was released since.  */
  const struct rt_block *newest;

  struct rt_caches caches;
  struct rt_familiar familiars[RT_FAMILIARS];
  struct rt_walker walker;
};

/* Bits of rt_local.wanted: work to do when the current call ends.  */
enum
{
  RT_WANT_DUMP = 1,
  RT_WANT_END = 2,
  RT_WANT_MARK = 4,	 /* named after the signal */
  RT_WANT_REQUESTED = 8, /* named in the file's header */
  RT_WANT_INTERVAL = 16, /* a snapshot that is due */
  RT_WANT_RELEASE = 32	 /* the deferred blocks */
};

struct rt_local
{
  uint32_t depth;	 /* current nesting of calls into the library */
  bool waits;		 /* for a lock, before changing anything */
  uint8_t wanted;	 /* by signals that arrived inside the library */
  bool forks_inside;	 /* the current fork was called inside it */
  uint32_t ended_record; /* of this thread, if it seemed to have ended */
  struct rt_thread *thread;
  struct rt_block *deferred; /* released inside the library */
  uintptr_t stack; /* the start of the part of the stack that is not the
		      library's, in calls that noted it; 0 in others */
  const struct rt_program_stack *program_stack; /* the same above the frames of
						   exit; NULL in others */
};

extern __thread struct rt_local rt_local
  __attribute__ ((visibility ("hidden"), tls_model ("initial-exec")));

/* Start a call into the library.  Return this thread's structure, or NULL if
   the thread is already inside or no structure could be created; rt_leave must
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
  /* In this order, a signal either arrives before the check, and is seen here,
     or finds the thread outside.  */
  if (__builtin_expect (rt_local.wanted != 0, 0))
    rt_leave_slowly ();
}

/* In the function that the program called: note where its part of the stack
   starts, so that what the library's calls leave below is not taken for the
   program's.  Registers that calls preserve are stored there.  */
static inline __attribute__ ((always_inline)) void
rt_note_stack (void)
{
  __builtin_unwind_init ();
  rt_local.stack
    = (uintptr_t) __builtin_frame_address (0) + MACHINE_SAVED_REGISTERS;
}

/* Use STACK, which must stay until rt_forget_stack, instead.  */
static inline void
rt_note_program_stack (const struct rt_program_stack *stack)
{
  rt_local.program_stack = stack;
}

static inline void
rt_forget_stack (void)
{
  rt_local.stack = 0;
  rt_local.program_stack = NULL;
}

/* True if this thread is inside the library.  */
static inline bool
rt_is_inside (void)
{
  return rt_local.depth != 0;
}

/* Put BLOCK on the list of blocks that the interrupted call releases.  */
void rt_defer_release (struct rt_block *block);

/* Take LOCK, which may be held for long; the caller has not started to change
   records.  */
static inline void
rt_lock_waiting (struct rt_lock *lock)
{
  __atomic_store_n (&rt_local.waits, true, __ATOMIC_RELEASE);
  rt_lock (lock);
  __atomic_store_n (&rt_local.waits, false, __ATOMIC_RELEASE);
}

/* Wait until no other thread is inside the library, except to wait; at most one
   second.  */
void rt_thread_wait_for_others (void);

/* Call VISIT for the structure of each thread, ended ones included.  Its owner
   may change it meanwhile.  */
void rt_thread_visit (void (*visit) (struct rt_thread *thread, void *data),
		      void *data);

/* Return the structure whose MIBs have the owner NUMBER; NULL if there is
   none.  */
struct rt_thread *rt_thread_numbered (uint32_t number);

/* Reset locks in the child of a fork.  */
void rt_thread_reset_locks (void);

/* In the child of a fork: take no more MIBs from the chunks that threads have.
   The parent may assign these to contexts that both processes know, as long as
   they share the tables.  */
void rt_thread_forget_unused_mibs (void);

/* Functions called inside the library; the last two at the end of a call into
   it.  */
struct rt_thread_hooks
{
  /* The calling thread starts to use THREAD, which may be new, or ends to use
     it.  */
  void (*start) (struct rt_thread *thread);
  void (*end) (struct rt_thread *thread);

  /* Release BLOCK, whose release was deferred.  THREAD is the calling
     thread.  */
  void (*release) (struct rt_thread *thread, struct rt_block *block);

  /* Do the work that signals requested: bits of RT_WANT_....  */
  void (*do_wanted) (unsigned wanted);
};

/* Set HOOKS, and make threads give back their caches when they end.  Call once,
   at start.  */
void rt_thread_start (const struct rt_thread_hooks *hooks);

#endif /* HEAPPROF_THREAD_H */
