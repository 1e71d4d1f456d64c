/* Kinds of memory, and the hints that select them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_HINT_KIND_H
#define HEAPPROF_HINT_KIND_H

#include "heapprof/heaphint.h"

enum hint_kind
{
  HINT_COLD,
  HINT_HOT,
  HINT_KINDS,
  HINT_PLAIN = HINT_KINDS /* the program's malloc */
};

/* Return the kind that HINT selects.  Compilers use values well inside the
   ranges: 1 cold, 128 not cold, 222 ambiguous, 254 hot.  */
static inline enum hint_kind
hint_kind_of (int hint)
{
  if (hint >= 0 && hint < HEAPPROF_HINT_NOT_COLD)
    return HINT_COLD;
  return hint > HEAPPROF_HINT_AMBIGUOUS && hint <= 255 ? HINT_HOT : HINT_PLAIN;
}

#endif /* HEAPPROF_HINT_KIND_H */
