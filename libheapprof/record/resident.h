/* Option resident: how much of the file's records is in the process's memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A program with very many contexts uses most of them rarely.  With the option,
   pages of those that have not been used for a while are given back: the kernel
   has their contents, as those of the file, and brings them back when they are
   touched.  So this changes no record, and nothing is lost if the process is
   killed.

   It is done for contexts and brief MIBs, in chunks.  If these come back for
   few uses each, because the program uses its contexts in no order, more stay.
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

enum
{
  RT_RESIDENT_CONTEXTS,
  RT_RESIDENT_BRIEFS,
  RT_RESIDENT_TABLES
};

extern uint8_t rt_resident_states[RT_RESIDENT_TABLES][RT_RESIDENT_CHUNKS]
  __attribute__ ((visibility ("hidden")));

/* Uses by this thread.  */
extern __thread uint32_t rt_resident_uses
  __attribute__ ((visibility ("hidden"), tls_model ("initial-exec")));

void rt_resident_use_slowly (unsigned which, size_t chunk);

/* True with the option.  Otherwise the functions below need not be called.  */
static inline bool
rt_resident_is_limited (void)
{
  return __builtin_expect (rt_options.resident_bytes != 0, 0);
}

/* Record NUMBER of table WHICH, whose records have BYTES bytes, is about to be
   read or written.  */
static inline void
rt_resident_use (unsigned which, uint32_t number, size_t bytes)
{
  if (!rt_resident_is_limited ())
    return;
  const size_t chunk = number * bytes / RT_RESIDENT_CHUNK_BYTES;
  rt_resident_uses++;
  if (chunk < RT_RESIDENT_CHUNKS
      && __atomic_load_n (&rt_resident_states[which][chunk], __ATOMIC_RELAXED)
	   != RT_RESIDENT_USED)
    rt_resident_use_slowly (which, chunk);
}

static inline void
rt_resident_use_context (uint32_t node)
{
  rt_resident_use (RT_RESIDENT_CONTEXTS, node,
		   sizeof (struct heapprof_raw_context));
}

static inline void
rt_resident_use_brief (uint32_t index)
{
  rt_resident_use (RT_RESIDENT_BRIEFS, index & ~HEAPPROF_RAW_BRIEF,
		   sizeof (struct heapprof_raw_brief));
}

/* For fork, in the child.  */
void rt_resident_reset_lock (void);

#endif /* HEAPPROF_RESIDENT_H */
