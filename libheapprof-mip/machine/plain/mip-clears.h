/* What machines have in common whose probes store 0 to mark code as reached: a
   register that is 0 is always at hand.  They pass the slot in a register to
   helpers, which call functions written in C.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_MIP_CLEARS_H
#define HEAPPROF_MIP_CLEARS_H

/* The value of bytes of coverage before anything is reached, and the encoding
   of their chunks.  */
#define MIP_UNMARKED 255
#define MIP_COVERAGE_ENCODING HEAPPROF_MIP_REACHED_CLEARS

/* Mark a C function called by a helper.  */
#define MIP_CALLED_BY_HELPER __attribute__ ((used))

#endif /* HEAPPROF_MIP_CLEARS_H */
