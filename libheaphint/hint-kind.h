/* Kinds and pools of memory, and the hints that select them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_HINT_KIND_H
#define HEAPPROF_HINT_KIND_H

#include "heapprof/heaphint.h"
#include <stdbool.h>
#include <stdint.h>

/* For variables, so that the compiler does not look up their addresses.  */
#define HINT_PRIVATE __attribute__ ((visibility ("hidden")))

enum hint_kind
{
  HINT_COLD,
  HINT_HOT,
  HINT_KINDS
};

/* A pool is a group of a kind.  */
#define HINT_POOLS (HINT_KINDS * HEAPPROF_HINT_GROUPS)
#define HINT_NO_POOL HINT_POOLS /* the program's malloc */

static inline unsigned
hint_pool (unsigned group, enum hint_kind kind)
{
  return group * HINT_KINDS + kind;
}

static inline enum hint_kind
hint_pool_kind (unsigned pool)
{
  return (enum hint_kind) (pool % HINT_KINDS);
}

/* A hint of a pool, without its lowest bits, is the number of the pool.  */
_Static_assert(HEAPPROF_HINT_GROUP_SHIFT == 8 && HINT_KINDS == 2
		 && HEAPPROF_HINT_NOT_COLD == 1 << 7 && HINT_COLD == 0,
	       "a pool's number is its group and the highest bit of the rest");

/* Return the pool that HINT selects.  Compilers use values well inside the
   ranges: 1 cold, 128 not cold, 222 ambiguous, 254 hot.  */
static inline unsigned
hint_pool_of (int hint)
{
  const unsigned pool = (unsigned) hint >> 7;
  const unsigned temperature = (unsigned) hint & 0xff;
  if (__builtin_expect (pool >= HINT_POOLS, false)
      || temperature - HEAPPROF_HINT_NOT_COLD
	   <= HEAPPROF_HINT_AMBIGUOUS - HEAPPROF_HINT_NOT_COLD)
    return HINT_NO_POOL;
  return pool;
}

/* True if HINT may select a pool of hot blocks; it never selects one of cold
   ones.  */
static inline bool
hint_may_be_hot (int hint)
{
  return (uint8_t) hint > HEAPPROF_HINT_AMBIGUOUS;
}

#endif /* HEAPPROF_HINT_KIND_H */
