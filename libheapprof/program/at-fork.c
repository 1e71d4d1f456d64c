/* Fork handlers that keep all data consistent in the child.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The child has only the forking thread, so all locks are taken before the
   fork: the data they guard is then consistent in the child.  This is
   impossible if a signal handler that interrupted the library forks, as the
   library may hold them.  */

#include "at-fork.h"
#include "arena.h"
#include "debug-log.h"
#include "dump.h"
#include "ending.h"
#include "fork.h"
#include "gate.h"
#include "heap-size.h"
#include "histogram.h"
#include "leak-check.h"
#include "mark.h"
#include "python.h"
#include "raw-file.h"
#include "resident.h"
#include "sampling.h"
#include "segment.h"
#include "shadow-sink.h"
#include "thread.h"
#include "unwind-cfi.h"
#include "watch.h"

static void
before_fork (void)
{
  rt_shadow_sink_fork ();
  rt_sample_before_fork ();
  rt_local.forks_inside = rt_is_inside ();
  if (rt_local.forks_inside)
    return;
  rt_enter ();
  rt_watch_lock ();
  rt_segment_before_fork ();
  rt_gate_lock ();
  rt_heap_size_begin ();
  rt_arena_lock_all ();
  rt_lock (&rt_raw_lock);
}

static void
after_fork_in_parent (void)
{
  if (rt_local.forks_inside)
    return;
  rt_unlock (&rt_raw_lock);
  rt_arena_unlock_all ();
  rt_heap_size_end ();
  rt_gate_unlock ();
  rt_segment_after_fork (false);
  rt_watch_unlock ();
  RT_DEBUG (1, "fork: in the parent");
  rt_leave ();
}

static void
after_fork_in_child (void)
{
  rt_gate_become_child ();
  rt_arena_reset_locks ();
  rt_thread_reset_locks ();
  rt_dump_reset_locks ();
  rt_mark_reset_locks ();
  rt_leak_check_reset_locks ();
  rt_histogram_reset ();
  rt_cfi_reset_locks ();
  rt_python_reset_locks ();
  rt_reset_lock (&rt_raw_lock);
  rt_resident_reset_lock ();
  rt_gate_reset_lock ();
  rt_segment_after_fork (true);
  RT_DEBUG (1, "fork: in the child of %d", (int) sys_parent_pid ());
  rt_ending_forget ();
  if (!rt_local.forks_inside)
    rt_leave ();
}

void
rt_at_fork_start (void)
{
  at_fork (before_fork, after_fork_in_parent, after_fork_in_child);
}
