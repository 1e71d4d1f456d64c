/* What machine-level profiles need of the machine, on x86-64.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_MIP_MACHINE_H
#define HEAPPROF_MIP_MACHINE_H

/* The value of bytes of coverage before anything is reached, and the encoding
   of their chunks.  */
#define MIP_UNMARKED 128
#define MIP_COVERAGE_ENCODING HEAPPROF_MIP_REACHED_SETS

/* The most bytes of a page.  */
#define MIP_PAGE_BYTES 4096

/* Mark a C function called by a helper: it preserves all registers.  */
#define MIP_CALLED_BY_HELPER __attribute__ ((no_caller_saved_registers, used))

#endif /* HEAPPROF_MIP_MACHINE_H */
