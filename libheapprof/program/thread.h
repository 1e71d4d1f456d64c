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

#include "block.h"
#include "clock.h"
#include "lock.h"
#include "path-memo.h"
#include "size-class.h"
#include <stdbool.h>
#include <stdint.h>

#define RT_MAX_DEPTH 1024

/* Free slots of one class: a list, a full batch besides or NULL, and a run of
   fresh slots that were never used and are zero.  */
struct rt_cache
{
  struct rt_block *free;
  uint32_t free_count;		/* <= batch */
  uint32_t batch;		/* slots of a full batch, 0: not known yet */
  struct rt_block *spare;
  char *run;
  char *run_end;
};

/* One frame of a calling context: the state of its function at the call that
   returns to PC.  */
struct rt_frame
{
  uintptr_t pc;
  uintptr_t sp;
  uintptr_t fp;
  uintptr_t fp_slot;		/* where the caller's frame pointer is saved;
				   0: it is FP.  The return address into the
				   caller is below the caller's SP */
  uint32_t node;		/* of the context tree */
};

/* The last context taken, outermost frame first.  The next one mostly shares
   its beginning, and that can be seen without walking: the same words must be
   in the same places of the stack.  */
struct rt_path
{
  uint32_t generation;		/* of the context table */
  uint32_t base;		/* outer frames before this one have no node:
				   the context is cut at max_depth */
  uint32_t depth;
  uint32_t known;		/* frames up to this one have their nodes */
  bool is_own;			/* on the thread's own stack */
  bool is_cut;			/* not walked to the outermost frame */
  uint8_t end;			/* enum rt_walk_end */
  struct rt_frame frames[RT_MAX_DEPTH];
};

/* With folded recursion: the nodes from below the root to where the last path
   leads, and their addresses.  */
struct rt_chain
{
  uint32_t depth;
  uint32_t nodes[RT_MAX_DEPTH];
  uintptr_t pcs[RT_MAX_DEPTH];
};

/* Where the MIBs of this thread are whose context leads to another thread's: a
   hash table by context, MIB 0 in unused entries.  */
struct rt_shard
{
  uint32_t node;
  uint32_t mib;
};

struct rt_shards
{
  uint32_t slots;		/* a power of two, or 0 */
  uint32_t used;
  struct rt_shard *entries;
};

struct rt_thread
{
  struct rt_thread *next_unused;
  struct rt_thread *next;	/* of all that were made */
  struct rt_local *local;	/* of the thread that has it; NULL: none */
  uint16_t number;		/* of this structure, from 1 */

  struct rt_clock clock;

  /* Records of MIBs that this thread has taken, but not used yet.  */
  uint32_t mib_next;
  uint32_t mib_end;
  struct rt_shards shards;

  /* Bytes of blocks that came less those that went, since they were added to
     what all threads know; from where on they are (heap-size.h).  */
  int64_t heap_change;
  int64_t heap_rise;
  int64_t heap_fall;

  /* [STACK_LOW, STACK_HIGH) is known to be this thread's stack; pages from
     OTHER_LOW up to OTHER_HIGH are known not to be (unwind.c).  */
  uintptr_t stack_low;
  uintptr_t stack_high;
  uintptr_t other_low;
  uintptr_t other_high;

  struct rt_cache cache[RT_CLASS_COUNT];
  struct rt_path path;
  struct rt_memo memo;
  struct rt_frame fresh[RT_MAX_DEPTH + 1]; /* being walked, innermost first */
  struct rt_chain chain;
};

/* Bits of rt_local.wanted: what is done when the call under way ends.  */
enum { RT_WANT_DUMP = 1, RT_WANT_END = 2 };

struct rt_local
{
  uint32_t depth;		/* calls into the library under way */
  bool waits;			/* for a lock, before it changes anything */
  uint8_t wanted;		/* by signals that came inside the library */
  bool forks_inside;		/* the fork under way was called inside it */
  struct rt_thread *thread;
  struct rt_block *deferred;	/* released inside the library */
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

/* Have threads give their caches back when they end.  Once, at start.  */
void rt_thread_start (void);

#endif /* HEAPPROF_THREAD_H */
