/* Searching for lost blocks: live ones to which the program has no pointer.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "leak-check.h"
#include "bytes.h"
#include "debug-log.h"
#include "epoch.h"
#include "gate.h"
#include "leaks.h"
#include "lock.h"
#include "log.h"
#include "options.h"
#include "mib-table.h"
#include "reach.h"
#include "roots.h"
#include "span.h"
#include "stop.h"
#include "sys-process.h"
#include "sys.h"
#include "thread.h"
#include <errno.h>

/* With more threads there is no search.  */
#define THREADS_MAX 4096u

_Static_assert(RT_CFI_REGISTERS <= RT_REGISTERS_MAX,
	       "a program's registers do not fit");

static struct rt_lock lock;

/* What the helper shares with the program: a record for each context that lost
   blocks, in their order.  There is room for all contexts, but pages that are
   not used take no memory.  */
struct result
{
  uint32_t is_complete;
  uint32_t count;
  struct heapprof_raw_leak records[];
};

static size_t
result_bytes (uint32_t contexts)
{
  return sizeof (struct result) + contexts * sizeof (struct heapprof_raw_leak);
}

struct search
{
  struct result *result;
  uint32_t contexts;
  uint32_t epoch;
  struct heapprof_raw_leak *sums; /* by context; the helper's own */
};

/* In the helper: count BLOCK in DATA, the search.  */

static void
count_block (const struct rt_block *block, bool is_indirect, void *data)
{
  const struct search *const search = data;
  if (block->mib == 0 || !rt_block_is_of (block, search->epoch))
    return;
  const uint32_t context = rt_mib_context (block->mib);
  if (context >= search->contexts)
    return;
  struct heapprof_raw_leak *const sum = &search->sums[context];
  if (!is_indirect)
    {
      sum->lost_count++;
      sum->lost_bytes += rt_block_size (block);
    }
  else
    {
      sum->indirect_count++;
      sum->indirect_bytes += rt_block_size (block);
    }
}

/* In the helper: hand over what SEARCH found.  */

static void
hand_over (const struct search *search)
{
  struct result *const result = search->result;
  for (uint32_t i = 0; i < search->contexts; i++)
    if ((search->sums[i].lost_count | search->sums[i].indirect_count) != 0)
      {
	result->records[result->count] = search->sums[i];
	result->records[result->count++].context = i;
      }
  __atomic_store_n (&result->is_complete, 1, __ATOMIC_RELEASE);
}

/* In the helper: do SEARCH.  */

static _Noreturn void
run (struct search *search, const struct rt_threads *threads, pid_t parent)
{
  sys_become_helper (parent);
  search->sums = sys_map (search->contexts * sizeof *search->sums);
  if (search->sums != NULL && rt_reach_begin ()
      && rt_roots_visit (threads->of, threads->count))
    {
      rt_reach_end (count_block, search);
      hand_over (search);
    }
  sys_exit (0);
}

/* Create the helper.  THREADS has room for all threads, and the calling one is
   in it.  */

static pid_t
fork_helper (struct rt_threads *threads)
{
  rt_lock (&rt_span_lock);
  const pid_t helper
    = rt_stop_is_needed () ? rt_stop_and_fork (threads) : sys_fork_helper ();
  /* The helper has no other threads, and takes no locks.  */
  if (helper != 0)
    rt_unlock (&rt_span_lock);
  return helper;
}

/* Return the calling thread.  FRAME is the start of the program's part of the
   stack if that is not known.  */

static struct rt_stopped
own_state (uintptr_t frame)
{
  const struct rt_program_stack *const stack = rt_local.program_stack;
  struct rt_stopped own = { .pointer = rt_thread_pointer () };
  if (stack == NULL)
    {
      own.stack = rt_local.stack != 0 ? rt_local.stack : frame;
      return own;
    }
  own.stack = stack->start;
  own.register_count = stack->count;
  own_memcpy (own.registers, stack->registers,
	      stack->count * sizeof stack->registers[0]);
  return own;
}

/* Search with a helper.  Return 0 or a negative errno.  Not inline: if the
   start of the program's part of the stack is not known, it is this function's
   frame.  */

static __attribute__ ((noinline)) int
search_apart (struct search *search, struct rt_threads *threads)
{
  /* Store all registers that calls preserve in this frame.  */
  __builtin_unwind_init ();
  threads->of[threads->count++]
    = own_state ((uintptr_t) __builtin_frame_address (0)
		 + MACHINE_SAVED_REGISTERS);
  const pid_t parent = sys_pid ();
  const uint64_t signals = sys_swap_signals (UINT64_MAX);
  const pid_t helper = fork_helper (threads);
  if (helper == 0)
    run (search, threads, parent);
  const int status = helper < 0 ? helper : sys_wait_for_helper (helper);
  sys_swap_signals (signals);
  return status < 0 ? status : search->result->is_complete != 0 ? 0 : -EFAULT;
}

/* Search in CONTEXTS contexts, with memory for the RESULT.  */

static int
search_and_store (struct result *result, uint32_t contexts)
{
  struct search search
    = { .result = result, .contexts = contexts, .epoch = rt_epoch };
  const size_t bytes = THREADS_MAX * sizeof (struct rt_stopped);
  struct rt_threads threads = { .room = THREADS_MAX, .of = sys_map (bytes) };
  if (threads.of == NULL)
    return -ENOMEM;
  const uint64_t now_ns = rt_raw_now_ns ();
  const int error = search_apart (&search, &threads);
  sys_unmap (threads.of, bytes);
  return error != 0						   ? error
	 : rt_leaks_store (result->records, result->count, now_ns) ? 0
								   : -ENOSPC;
}

static uint64_t
blocks_in (const struct result *result)
{
  uint64_t blocks = 0;
  for (uint32_t i = 0; i < result->count; i++)
    blocks += (uint64_t) result->records[i].lost_count
	      + result->records[i].indirect_count;
  return blocks;
}

/* Return the number of lost blocks, or a negative errno.  */

static int64_t
check (void)
{
  const uint32_t contexts = rt_record_count (RT_CONTEXTS);
  struct result *const result = sys_map_shared (result_bytes (contexts));
  if (result == NULL)
    return -ENOMEM;
  const int error = search_and_store (result, contexts);
  const int64_t blocks = error != 0 ? error : (int64_t) blocks_in (result);
  sys_unmap (result, result_bytes (contexts));
  return blocks;
}

/* If a search fails, the profile does not say that nothing is lost; so there is
   a message only if the search was ASKED_FOR, or with verbose=1.  Where memory
   or disk space is short, there are other messages.  */

static int64_t
check_and_report (bool asked_for)
{
  static bool said;
  rt_lock_waiting (&lock);
  const int64_t blocks = check ();
  RT_DEBUG (1, "search for lost blocks: %e", blocks < 0 ? (int) blocks : 0);
  if (blocks < 0)
    rt_leaks_refuse ();
  if (blocks < 0 && blocks != -ENOMEM && blocks != -ENOSPC
      && (asked_for || rt_options.verbose > 0))
    rt_log_once (&said, "lost blocks cannot be found: %e", (int) blocks);
  rt_unlock (&lock);
  return blocks < 0 ? -1 : blocks;
}

int64_t
rt_leak_check (void)
{
  return check_and_report (false);
}

uint64_t
rt_leak_check_at_end (void)
{
  const uint64_t start_ns = rt_raw_now_ns ();
  rt_leak_check ();
  return rt_stop_is_needed () ? rt_raw_now_ns () : start_ns;
}

int64_t
rt_find_leaks (void)
{
  return rt_gate_is_open () || rt_gate_open (true) ? check_and_report (true)
						   : -1;
}

void
rt_leak_check_reset_locks (void)
{
  rt_reset_lock (&lock);
}
