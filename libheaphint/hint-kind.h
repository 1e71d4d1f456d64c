/* Kinds and pools of memory, and the hints that select them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_HINT_KIND_H
#define HEAPPROF_HINT_KIND_H

#include "heapprof/heaphint.h"
#include <stdbool.h>

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

/* Return the pool that HINT selects.  Compilers use values well inside the
   ranges: 1 cold, 128 not cold, 222 ambiguous, 254 hot.  */
static inline unsigned
hint_pool_of (int hint)
{
  const unsigned group = (unsigned) hint >> HEAPPROF_HINT_GROUP_SHIFT;
  const unsigned temperature = (unsigned) hint & 0xff;
  if (__builtin_expect (group >= HEAPPROF_HINT_GROUPS, false))
    return HINT_NO_POOL;
  if (temperature < HEAPPROF_HINT_NOT_COLD)
    return hint_pool (group, HINT_COLD);
  return temperature > HEAPPROF_HINT_AMBIGUOUS ? hint_pool (group, HINT_HOT)
					       : HINT_NO_POOL;
}

#endif /* HEAPPROF_HINT_KIND_H */
