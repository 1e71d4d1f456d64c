/* Instructions that only some processors have, on x86-64.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_VECTORS_H
#define HEAPPROF_VECTORS_H

#include <stdbool.h>

/* Mark functions that use vectors of 32 bytes.  */
#define MACHINE_WIDE_VECTORS __attribute__ ((target ("avx2")))

static inline bool
machine_has_wide_vectors (void)
{
  return __builtin_cpu_supports ("avx2");
}

/* Mark functions that shift and count bits a lot.  A processor with the first
   two of these also has the other two.  */
#define MACHINE_QUICK_BITS __attribute__ ((target ("avx2,bmi2,bmi,lzcnt")))

static inline bool
machine_has_quick_bits (void)
{
  __builtin_cpu_init ();
  return __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("bmi2");
}

#endif /* HEAPPROF_VECTORS_H */
