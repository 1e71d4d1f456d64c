/* Watching samples by watchpoints of the processor.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "watch.h"
#include "arena.h"
#include "live-samples.h"
#include "lock.h"
#include "log.h"
#include "options.h"
#include "raw-file.h"
#include "sampling.h"
#include "shadow.h"
#include "sys.h"
#include "thread.h"
#include "watchpoint.h"

/* Watches of all threads together; others have none.  */
#define WATCHES 256

/* Each access that is counted interrupts the program, so a word is no longer
   watched after as many: the rest of the time is taken to be alike.  */
#define MOST_HITS 64

struct watch
{
  pid_t thread; /* 0: not used */
  struct rt_watchpoint point;
  struct rt_block *block; /* NULL: none */
  uintptr_t address;	  /* of the word */
  double stands_for;	  /* words */
  uint64_t start_ns;	  /* of the thread's CPU time */
};

bool rt_watch_is_on;

static struct watch watches[WATCHES];
static unsigned used; /* no watch from here on is */
static struct rt_lock lock;
static pid_t process;
static uint64_t random_state; /* for rounding */

/* Add NUMBER accesses to the word at ADDRESS, rounded at random.  */

static void
count (uintptr_t address, double number)
{
  const double share
    = (double) (rt_sample_random (&random_state) >> 11) * 0x1p-53;
  uint64_t *const counter
    = (uint64_t *) rt_shadow_base + (address >> HEAPPROF_GRANULE_SHIFT);
  *counter += (uint64_t) (number + share);
}

/* Return how often the word of WATCH would have been accessed until now if its
   thread, which is the calling one, had gone on like until HITS, the most,
   after COUNTED_NS.  */

static double
hits_of_all (const struct watch *watch, uint64_t hits, uint64_t counted_ns)
{
  const uint64_t ns = rt_thread_cpu_ns () - watch->start_ns;
  return counted_ns == 0 || counted_ns > ns
	   ? (double) hits
	   : (double) hits * (double) ns / (double) counted_ns;
}

/* Stop watching the block of WATCH, and add what was seen to its counters.  */

static void
finish (struct watch *watch)
{
  uint64_t hits = 0, counted_ns = 0;
  if (watch->block != NULL
      && rt_watchpoint_close (&watch->point, &hits, &counted_ns) && hits > 0)
    {
      /* Of other threads it is not known how long they ran.  */
      const bool is_own = watch->thread == sys_thread_id ();
      count (watch->address, watch->stands_for
			       * (hits >= MOST_HITS && is_own
				    ? hits_of_all (watch, hits, counted_ns)
				    : (double) hits));
    }
  watch->block = NULL;
}

/* Let WATCH be for a word of BLOCK; false if that is not possible.  */

static bool
begin (struct watch *watch, struct rt_block *block)
{
  if (block == NULL)
    return false;
  const uintptr_t data = (uintptr_t) rt_block_data (block);
  /* A vfork child may have released it.  */
  if (rt_arena_find ((const void *) data) != block || !rt_block_is_live (block))
    {
      rt_live_remove (block);
      return false;
    }
  const uint64_t words
    = (rt_block_size (block) + RT_WATCHED_BYTES - 1) / RT_WATCHED_BYTES;
  if (words == 0)
    return false;
  watch->address
    = data + rt_sample_random (&random_state) % words * RT_WATCHED_BYTES;
  watch->start_ns = rt_thread_cpu_ns ();
  if (rt_watchpoint_open (&watch->point, watch->address, MOST_HITS) != 0)
    return false;
  watch->block = block;
  watch->stands_for = (double) words * rt_live_count ();
  return true;
}

/* Return watch I of THREAD, a new one if it has fewer; NULL if there is no
   more.  */

static struct watch *
watch_of (pid_t thread, unsigned i)
{
  struct watch *unused = NULL;
  for (unsigned k = 0; k < used; k++)
    if (watches[k].thread == thread && i-- == 0)
      return &watches[k];
    else if (watches[k].thread == 0 && unused == NULL)
      unused = &watches[k];
  if (unused == NULL && used < WATCHES)
    unused = &watches[used++];
  if (unused != NULL)
    *unused = (struct watch){ .thread = thread, .point.fd = -1 };
  return unused;
}

/* Choose what THREAD, the calling one, watches until its next sample.  */

static void
choose (pid_t thread)
{
  struct watch *own[RT_WATCHES_MAX];
  unsigned count_own = 0, opened = 0;
  for (; count_own < rt_options.watches; count_own++)
    {
      own[count_own] = watch_of (thread, count_own);
      if (own[count_own] == NULL)
	break;
      finish (own[count_own]);
    }
  for (unsigned i = 0; i < count_own; i++)
    opened += begin (own[i], rt_live_choose ());
  for (unsigned i = 0; i < count_own; i++)
    own[i]->stands_for /= opened;
}

/* Enter the library and take the lock, unless the thread is inside already, or
   this is a vfork child.  */

static bool
enter (void)
{
  if (rt_is_inside ())
    return false;
  rt_enter ();
  if (sys_pid () == process)
    {
      rt_lock (&lock);
      return true;
    }
  rt_leave ();
  return false;
}

static void
leave (void)
{
  rt_unlock (&lock);
  rt_leave ();
}

void
rt_watch_add (void *data)
{
  if (!enter ())
    return;
  struct rt_block *const block = rt_arena_find (data);
  if (rt_watch_is_on && block != NULL && block->mib != 0 && rt_live_add (block))
    choose (sys_thread_id ());
  leave ();
}

static void
remove_block (const struct rt_block *block)
{
  for (unsigned i = 0; i < used; i++)
    if (watches[i].block == block)
      finish (&watches[i]);
  rt_live_remove (block);
}

void
rt_watch_remove (void *data)
{
  if (!enter ())
    return;
  const struct rt_block *const block = rt_arena_find (data);
  if (block != NULL)
    remove_block (block);
  leave ();
}

void
rt_watch_remove_late (const struct rt_block *block)
{
  if (!rt_watch_is_on)
    return;
  rt_lock (&lock);
  remove_block (block);
  rt_unlock (&lock);
}

void
rt_watch_thread_end (void)
{
  if (!rt_watch_is_on || sys_pid () != process)
    return;
  const pid_t thread = sys_thread_id ();
  rt_lock (&lock);
  for (unsigned i = 0; i < used; i++)
    if (watches[i].thread == thread)
      {
	finish (&watches[i]);
	watches[i].thread = 0;
      }
  rt_unlock (&lock);
}

void
rt_watch_stop (void)
{
  if (!rt_watch_is_on || sys_pid () != process)
    return;
  rt_lock (&lock);
  __atomic_store_n (&rt_watch_is_on, false, __ATOMIC_RELAXED);
  for (unsigned i = 0; i < used; i++)
    finish (&watches[i]);
  rt_unlock (&lock);
}

void
rt_watch_lock (void)
{
  rt_lock (&lock);
}

void
rt_watch_unlock (void)
{
  rt_unlock (&lock);
}

void
rt_watch_become_child (void)
{
  uint64_t hits, counted_ns;
  rt_reset_lock (&lock);
  process = sys_pid ();
  for (unsigned i = 0; i < used; i++)
    if (watches[i].block != NULL)
      rt_watchpoint_close (&watches[i].point, &hits, &counted_ns);
  used = 0;
  rt_live_start (sys_steady_ns ());
}

void
rt_watch_refuse (void)
{
  if (!rt_watch_is_on)
    return;
  rt_log ("watch=%u ignored: the program counts its accesses itself",
	  (uint64_t) rt_options.watches);
  rt_watch_stop ();
  rt_raw_note_watching (false);
}

/* Try one watchpoint, as many systems do not allow them.  */

void
rt_watch_start (void)
{
  static uint64_t word;
  struct rt_watchpoint point;
  uint64_t hits, counted_ns;
  if (rt_options.watches == 0 || !rt_options.enabled)
    return;
  const int error
    = rt_options.sample_bytes == 0
	? 0
	: rt_watchpoint_open (&point, (uintptr_t) &word, MOST_HITS);
  if (rt_options.sample_bytes == 0)
    rt_log ("watch=%u ignored without sample=", (uint64_t) rt_options.watches);
  else if (error != 0)
    rt_log ("watch=%u ignored: watchpoints: %e", (uint64_t) rt_options.watches,
	    error);
  if (rt_options.sample_bytes == 0 || error != 0)
    return;
  rt_watchpoint_close (&point, &hits, &counted_ns);
  process = sys_pid ();
  random_state = rt_options.seed != 0 ? rt_options.seed : sys_steady_ns ();
  rt_live_start (random_state + 1);
  rt_sample_watches = true;
  rt_raw_note_watching (true);
  __atomic_store_n (&rt_watch_is_on, true, __ATOMIC_RELEASE);
}
