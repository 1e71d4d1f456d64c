/* The gate: whether observations may be recorded now.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   States: the profile has not started; it is being recorded; this process is a
   child whose own profile has not started; it is over, or impossible.  */

#include "gate.h"
#include "affinity.h"
#include "context.h"
#include "epoch.h"
#include "heap-size.h"
#include "interval.h"
#include "lock.h"
#include "options.h"
#include "raw-file.h"
#include "sampling.h"
#include "segment.h"
#include "sys.h"
#include "thread.h"
#include "watch.h"

enum state
{
  NOT_BEGUN,
  RECORDING,
  CHILD,
  OVER
};

/* Word 0 is the gate; word 1 is set in the process that `state' describes.  A
   child finds both zero; a vfork child does not, as it shares its parent's
   memory and adds to its profile.  */
static uint32_t no_page[2] = { 0, 1 };
uint32_t *rt_gate = no_page;

static enum state state;
static struct rt_lock lock;
static pid_t pid; /* of the process that `state' describes */
static bool (*is_ready) (void);

/* Number of records of each table when this child was forked: its parent keeps
   adding to the shared mapping.  */
static uint32_t counts_at_fork[RT_TABLES];

/* The next profile is of the same process as the one before.  */
static bool begins_again;

static void
open_gate (void)
{
  state = RECORDING;
  __atomic_store_n (rt_gate, 1, __ATOMIC_RELEASE);
}

/* Called when this process first notices that it is a child.  */

void
rt_gate_become_child (void)
{
  __atomic_store_n (rt_gate, 0, __ATOMIC_RELEASE);
  pid = sys_pid ();
  rt_gate[1] = 1;
  rt_sample_become_child ();
  rt_watch_become_child ();
  rt_epoch_begin ();
  rt_heap_size_forget (true);
  rt_thread_forget_unused_mibs ();
  if (rt_options.process != 0)
    rt_options.enabled = false;
  if (state != RECORDING)
    return;
  rt_affinity_reset ();
  for (unsigned i = 0; i < RT_TABLES; i++)
    counts_at_fork[i] = rt_record_count (i);
  state = CHILD;
}

/* A profile after the first one of a process begins like that of a child: with
   the contexts and modules that are known.  */

void
rt_gate_begin_again (void)
{
  rt_lock_waiting (&lock);
  if (state == OVER && rt_raw_header != NULL)
    {
      rt_epoch_begin ();
      rt_heap_size_forget (true);
      rt_raw_resume ();
      for (unsigned i = 0; i < RT_TABLES; i++)
	counts_at_fork[i] = rt_record_count (i);
      begins_again = true;
      state = CHILD;
    }
  else if (state == OVER)
    state = NOT_BEGUN;
  else
    begins_again = state == CHILD;
  rt_unlock (&lock);
}

/* Start the profile of this process.  A child already knows its parent's
   modules.  */

static bool
begin (void)
{
  const bool is_child = state == CHILD;
  if (is_child ? !rt_raw_create_for_child (counts_at_fork)
	       : !rt_context_start () || !rt_raw_create ())
    return false;
  if (begins_again)
    rt_raw_begin_now ();
  begins_again = false;
  /* Not when the parent's is due, which may be while it was being written.  */
  if (is_child)
    {
      rt_mib_become_child (counts_at_fork[RT_MIBS]);
      rt_interval_end ();
    }
  open_gate ();
  return true;
}

bool
rt_gate_open (bool for_allocation)
{
  if (!is_ready () || !rt_options.enabled
      || __atomic_load_n (&state, __ATOMIC_ACQUIRE) == OVER)
    return false;
  bool is_new = false;
  rt_lock_waiting (&lock);
  if (rt_gate[1] == 0)
    rt_gate_become_child ();
  if (for_allocation && rt_options.enabled
      && (state == NOT_BEGUN || state == CHILD))
    {
      is_new = state == NOT_BEGUN;
      if (!begin ())
	state = OVER;
    }
  const bool open = state == RECORDING;
  rt_unlock (&lock);
  if (is_new && open)
    rt_segment_scan ();
  return open;
}

void
rt_gate_close (void)
{
  rt_lock (&lock);
  state = OVER;
  __atomic_store_n (rt_gate, 0, __ATOMIC_RELEASE);
  rt_unlock (&lock);
}

void
rt_gate_abandon (void)
{
  __atomic_store_n (&state, OVER, __ATOMIC_RELEASE);
  __atomic_store_n (rt_gate, 0, __ATOMIC_RELEASE);
}

bool
rt_gate_is_mine (void)
{
  return rt_gate[1] != 0 && pid == sys_pid ();
}

bool
rt_gate_pause (void)
{
  rt_lock_waiting (&lock);
  if (state == RECORDING && rt_gate_is_open ())
    {
      __atomic_store_n (rt_gate, 0, __ATOMIC_RELEASE);
      rt_thread_wait_for_others ();
      return true;
    }
  rt_unlock (&lock);
  return false;
}

void
rt_gate_resume (bool open)
{
  if (open)
    open_gate ();
  else
    state = OVER;
  rt_unlock (&lock);
}

void
rt_gate_lock (void)
{
  rt_lock_waiting (&lock);
}

void
rt_gate_unlock (void)
{
  rt_unlock (&lock);
}

void
rt_gate_reset_lock (void)
{
  rt_reset_lock (&lock);
}

void
rt_gate_start (bool (*ready) (void))
{
  is_ready = ready;
  pid = sys_pid ();
  uint32_t *const page = sys_map (SYS_PAGE_BYTES);
  if (page != NULL)
    {
      sys_wipe_on_fork (page, SYS_PAGE_BYTES);
      page[1] = 1;
      rt_gate = page;
    }
}
