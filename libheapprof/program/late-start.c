/* Start of the library in an attached program.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   In place of init.c: the library is started by a call, and has its options
   from there.  */

#include "at-fork.h"
#include "clock.h"
#include "dump.h"
#include "gate.h"
#include "init.h"
#include "interval.h"
#include "invariant.h"
#include "lock.h"
#include "mark.h"
#include "observe.h"
#include "thread.h"

static struct rt_lock lock;
static bool is_started;

/* The library has no block for a release in a signal handler to be deferred:
   the handler leaves the record in the table.  */

static void
release (struct rt_thread *thread, struct rt_block *block)
{
  rt_profile_release (thread, block);
}

/* No signals are handled, so that only another process can want something.  */

static void
do_wanted (unsigned wanted)
{
  if ((wanted & RT_WANT_REQUESTED) != 0)
    rt_mark_requested ();
  if ((wanted & RT_WANT_INTERVAL) != 0)
    {
      rt_dump_in_turn ();
      rt_interval_end ();
    }
}

static const struct rt_thread_hooks hooks
  = { rt_profile_thread_start, rt_profile_thread_end, release, do_wanted };

static bool
is_ready (void)
{
  return true;
}

void
rt_init (void)
{
  if (__atomic_load_n (&is_started, __ATOMIC_ACQUIRE))
    return;
  rt_lock (&lock);
  if (!is_started)
    {
      rt_check_start (rt_gate_abandon);
      rt_clock_start ();
      rt_gate_start (is_ready);
      rt_at_fork_start ();
      rt_thread_start (&hooks);
      rt_thread_heap_begin ();
    }
  __atomic_store_n (&is_started, true, __ATOMIC_RELEASE);
  rt_unlock (&lock);
}
