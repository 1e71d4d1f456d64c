/* How much of the file's records is in the process's memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Pages of records that are not needed are given back: the kernel has their
   contents, as those of the file, and brings them back when they are touched.
   So this changes no record, and nothing is lost if the process is killed.

   Context records are seldom read, as the nodes in memory have all that
   allocations need (node.h): pages of them are given back once they are full.
   The origins of brief MIBs (brief.h) are used for their first blocks, and when
   a block was allocated before the last release: all of their pages are given
   back when that many more have been used.

   With the option resident, the same is done for brief MIBs that have not been
   used for a while, in chunks.  If these come back for few uses each, because
   the program uses its contexts in no order, more stay.
 */

#ifndef HEAPPROF_RESIDENT_H
#define HEAPPROF_RESIDENT_H

#include "raw-file.h"
#include <stdint.h>

/* Chunks are multiples of the page size.  Those beyond the first GiB of a table
   always stay.  */
#define RT_RESIDENT_CHUNK_BYTES ((size_t) 1 << 16)
#define RT_RESIDENT_CHUNKS 16384u

enum rt_resident_state
{
  RT_RESIDENT_NEW,  /* not used yet */
  RT_RESIDENT_IDLE, /* not used since it was last looked at */
  RT_RESIDENT_USED,
  RT_RESIDENT_AWAY
};

extern uint8_t rt_resident_states[RT_RESIDENT_CHUNKS]
  __attribute__ ((visibility ("hidden")));

/* Uses by this thread.  */
extern __thread uint32_t rt_resident_uses
  __attribute__ ((visibility ("hidden"), tls_model ("initial-exec")));

void rt_resident_use_slowly (size_t chunk);

/* True with the option.  Otherwise the next function need not be called.  */
static inline bool
rt_resident_is_limited (void)
{
  return __builtin_expect (rt_options.resident_bytes != 0, 0);
}

/* Brief MIB INDEX is about to be read or written.  */
static inline void
rt_resident_use_brief (uint32_t index)
{
  if (!rt_resident_is_limited ())
    return;
  const uint32_t number = index & ~HEAPPROF_RAW_BRIEF;
  const size_t chunk
    = number * sizeof (struct heapprof_raw_brief) / RT_RESIDENT_CHUNK_BYTES;
  rt_resident_uses++;
  if (chunk < RT_RESIDENT_CHUNKS
      && __atomic_load_n (&rt_resident_states[chunk], __ATOMIC_RELAXED)
	   != RT_RESIDENT_USED)
    rt_resident_use_slowly (chunk);
}

/* Context records in a chunk.  */
#define RT_RESIDENT_CONTEXTS                                                   \
  (RT_RESIDENT_CHUNK_BYTES / sizeof (struct heapprof_raw_context))

void rt_resident_leave_chunk (size_t end);

/* The record of context NODE, and all before it, will not be used soon.  */
static inline void
rt_resident_leave_behind (uint32_t node)
{
  if (__builtin_expect ((node + 1) % RT_RESIDENT_CONTEXTS == 0, 0))
    rt_resident_leave_chunk ((node + 1) / RT_RESIDENT_CONTEXTS);
}

/* Uses of origins, each for the first time or by the first block.  */
extern uint32_t rt_resident_origins __attribute__ ((visibility ("hidden")));
extern uint32_t rt_resident_next_origins
  __attribute__ ((visibility ("hidden")));

void rt_resident_leave_origins (void);

/* COUNT origins are used in that way.  */
static inline void
rt_resident_touch_origins (uint32_t count)
{
  const uint32_t uses
    = __atomic_load_n (&rt_resident_origins, __ATOMIC_RELAXED) + count;
  /* It does not matter if some uses by other threads are missed.  */
  __atomic_store_n (&rt_resident_origins, uses, __ATOMIC_RELAXED);
  if (__builtin_expect (uses >= __atomic_load_n (&rt_resident_next_origins,
						 __ATOMIC_RELAXED),
			0))
    rt_resident_leave_origins ();
}

/* Origins in a chunk.  */
#define RT_RESIDENT_ORIGINS                                                    \
  (RT_RESIDENT_CHUNK_BYTES / sizeof (struct heapprof_raw_origin))

void rt_resident_leave_origins_before (uint32_t number);

/* The origin of brief MIB INDEX, and those before it, will not be used soon. */
static inline void
rt_resident_leave_origin (uint32_t index)
{
  const uint32_t number = index & ~HEAPPROF_RAW_BRIEF;
  if (__builtin_expect ((number + 1) % RT_RESIDENT_ORIGINS == 0, 0))
    rt_resident_leave_origins_before (number);
}

/* For fork, in the child.  */
void rt_resident_reset_lock (void);

#endif /* HEAPPROF_RESIDENT_H */
