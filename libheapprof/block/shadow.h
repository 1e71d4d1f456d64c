/* Access counters: one for each 64 bytes of the address space (abi.h).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   If the address space is not limited, all counters are one mapping of 16 TiB
   on x86-64, an eighth of the address space on other machines, of which only
   touched pages exist.  Otherwise a free range of addresses is
   chosen and pieces of 1 MiB are mapped by a SIGSEGV handler when a counter in
   them is first touched.  If no more pieces can be mapped, the oldest one is
   unmapped: counts are lost, the program continues.  */

#ifndef HEAPPROF_SHADOW_H
#define HEAPPROF_SHADOW_H

#include "address-space.h"
#include "heapprof/abi.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All of the program's memory has counters.  */
#if MACHINE_HAS_FIXED_ADDRESS_BITS
#define RT_SHADOW_BYTES ((uint64_t) 1 << (MACHINE_ADDRESS_BITS - 3))
#else
/* Set when the counters are mapped.  */
extern uint64_t rt_shadow_bytes __attribute__ ((visibility ("hidden")));
#define RT_SHADOW_BYTES rt_shadow_bytes
#endif

/* The start of the counters.  Internal name, read on the fast path; the public
   ones have the same value.  */
extern uintptr_t rt_shadow_base __attribute__ ((visibility ("hidden")));

/* The start of the second range, for windows (shadow-window.h); 0 until it is
   mapped.  And the range of addresses that were newly mapped for the program's
   blocks.  */
extern uintptr_t rt_shadow_second __attribute__ ((visibility ("hidden")));
extern uintptr_t rt_shadow_lowest __attribute__ ((visibility ("hidden")));
extern uintptr_t rt_shadow_highest __attribute__ ((visibility ("hidden")));

static inline uintptr_t
rt_shadow_second_counter (uintptr_t address)
{
  return rt_shadow_second
	 + (address >> HEAPPROF_GRANULE_SHIFT) * HEAPPROF_COUNTER_BYTES;
}

/* Clear the counters of the second range for memory from START up to END.  */
void rt_shadow_discard_second (uintptr_t start, uintptr_t end);

/* Map the counters.  Never fails: see above.  */
void rt_shadow_start (void);

/* Make compiled code use them.  The public names may belong to another copy of
   the library.  */
void rt_shadow_publish (void);

struct rt_shadow_sum
{
  uint64_t accesses;
  uint64_t granules;	      /* touched by the block */
  uint64_t accessed_granules; /* with a nonzero counter */
};

/* Add up the counters of the SIZE bytes at DATA; a block of 0 bytes has the
   granule that it starts in.  */
struct rt_shadow_sum rt_shadow_sum (const void *data, size_t size);

/* Blocks with at most this many counters are handled inline.  */
extern size_t rt_shadow_few __attribute__ ((visibility ("hidden")));

struct rt_shadow_sum rt_shadow_take_many (const void *data, size_t size);

/* Do the same and clear them.  */
static inline struct rt_shadow_sum
rt_shadow_take (const void *data, size_t size)
{
  const uintptr_t first = (uintptr_t) data >> HEAPPROF_GRANULE_SHIFT;
  const uintptr_t last
    = ((uintptr_t) data + (size > 0 ? size - 1 : 0)) >> HEAPPROF_GRANULE_SHIFT;
  uint64_t *counter = (uint64_t *) rt_shadow_base + first;
  uint64_t *const end = (uint64_t *) rt_shadow_base + last;
  uint64_t accesses = 0, accessed = 0;
  if (__builtin_expect (last - first >= rt_shadow_few, 0))
    return rt_shadow_take_many (data, size);
  do
    if (*counter != 0)
      {
	accesses += *counter;
	accessed++;
	*counter = 0;
      }
  while (counter++ != end);
  return (struct rt_shadow_sum){ .accesses = accesses,
				 .granules = last - first + 1,
				 .accessed_granules = accessed };
}

/* True if all of them are 0.  With --enable-checking.  */
bool rt_shadow_is_clear (const void *data, size_t size);

/* Clear all counters of whole granules in a range and give their memory back.
   For newly mapped memory: earlier users of its addresses may have left
   counts.  */
void rt_shadow_discard (const void *data, size_t size);

/* Use huge pages for all counters of the memory from START up to END.  */
void rt_shadow_use_huge_pages (uintptr_t start, uintptr_t end);

/* Called with the same arguments, for counters of another kind; or NULL.  */
extern void (*rt_shadow_discard_also) (const void *data, size_t size)
  __attribute__ ((visibility ("hidden")));

/* Count one access.  */
static inline void
rt_shadow_count (const void *address)
{
  uint64_t *const counters = (uint64_t *) rt_shadow_base;
  counters[(uintptr_t) address >> HEAPPROF_GRANULE_SHIFT]++;
}

#endif /* HEAPPROF_SHADOW_H */
