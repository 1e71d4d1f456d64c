/* Sets of signals, without C library functions that a program may replace.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_SIGNAL_SET_H
#define HEAPPROF_SIGNAL_SET_H

#include "bytes.h"
#include <signal.h>
#include <stdint.h>

/* The C library's sigaction, under a name that no program may define; the usual
   name is ours, or the program's.  */
int __sigaction (int number, const struct sigaction *action,
		 struct sigaction *previous);

/* The kernel's set is the first word of the C library's set.  */

static inline uint64_t
signal_bit (int number)
{
  return (uint64_t) 1 << (number - 1);
}

static inline uint64_t
signal_set_get (const sigset_t *set)
{
  uint64_t bits;
  own_memcpy (&bits, set, sizeof bits);
  return bits;
}

/* Set SET to BITS.  */

static inline void
signal_set_put (sigset_t *set, uint64_t bits)
{
  own_memset (set, 0, sizeof *set);
  own_memcpy (set, &bits, sizeof bits);
}

#endif /* HEAPPROF_SIGNAL_SET_H */
