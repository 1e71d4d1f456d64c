/* Validity checks of all structures of the library, with --enable-checking.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "sound.h"

#if HEAPPROF_CHECKING > 0

#include "context.h"
#include "context-chain.h"
#include "gate.h"
#include "options.h"
#include "raw-file.h"
#include "segment.h"
#include "span.h"

/* Check the structures of a profile.  */

static void
check_profile (const struct rt_thread *thread)
{
  const struct rt_walker *const walker = &thread->walker;
  rt_lock (&rt_raw_lock);
  RT_CHECK (rt_raw_is_valid ());
  RT_CHECK (rt_context_is_valid ());
  RT_CHECK (rt_segment_is_valid ());
  RT_CHECK (rt_mib_table_is_valid (&thread->mibs));
  RT_CHECK (rt_memo_is_valid (&walker->memo));
  if (rt_options.folds_recursion)
    RT_CHECK (rt_chain_is_valid (&walker->chain));
  else
    RT_CHECK (rt_walk_is_valid (&walker->walk));
  rt_unlock (&rt_raw_lock);
}

void
rt_check_all (const struct rt_thread *thread)
{
  if (thread == NULL)
    return;
  RT_CHECK (rt_arena_is_valid (&thread->caches));
  RT_CHECK (rt_span_is_valid ());
  if (rt_gate_is_open ())
    check_profile (thread);
}

#endif
