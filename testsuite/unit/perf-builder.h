/* Make perf.data from a description.
   SPDX-License-Identifier: GPL-3.0-or-later

   A description is lines of words; numbers have any form that strtoull accepts:

     map PID TIME START BYTES OFFSET PROTECTION PATH [BUILD-ID]
     fork PID TIME PARENT
     exec PID TIME
     branches PID TIME IP BRANCH...        a branch stack, newest first
     counted PID TIME IP ADDRESS BRANCH... the same with the index of the newest
					   and counts of events, and with the
					   address where data was stored
     load PID TIME IP ADDRESS              a data access
     store PID TIME IP ADDRESS
     tick PID TIME IP CALLER...            a timer sample
     stack PID TIME IP CALLER... BRANCH... the same as tick and branches
     spe PID TIME IP KIND ADDRESS          an operation recorded by Arm's SPE;
					   PID 0: of no known process; KIND:
					   load, store, branch, other, or wrong,
					   a load that did not happen.  Not in
					   PERF_LAYOUT_COMPRESSED
     aux BYTE...                           the same, with any bytes
     ibs PID TIME IP KIND ADDRESS          an operation recorded by AMD's IBS.
					   KIND: load, store, branch, other,
					   missed, a branch that was not taken,
					   or invalid, without instruction
     limit CALLERS                         that the recording keeps at most; 0:
					   as many as usual
     ibs-data PID TIME IP KIND ADDRESS     the same without raw data, with the
					   address, as newer kernels can do

   PROTECTION is the sum of 1, 2 and 4; BUILD-ID is in hexadecimal.  BRANCH is
   FROM/TO, or FROM/TO/FLAGS with the flags of struct perf_branch_entry; without
   them it was predicted.  */

#ifndef HEAPPROF_PERF_BUILDER_H
#define HEAPPROF_PERF_BUILDER_H

#include <stddef.h>

enum perf_layout
{
  PERF_LAYOUT_FILE,
  PERF_LAYOUT_STREAM, /* as written to a pipe */
  PERF_LAYOUT_COMPRESSED,
  PERF_LAYOUT_BIG_ENDIAN,
  PERF_LAYOUT_OPEN /* recording was interrupted */
};

#define PERF_LAYOUTS 5

/* Return the recording of DESCRIPTION in LAYOUT, malloced, *SIZE bytes.  Return
   NULL if this build cannot write LAYOUT; abort if DESCRIPTION is invalid.  */
unsigned char *perf_build (const char *description, enum perf_layout layout,
			   size_t *size);

#endif /* HEAPPROF_PERF_BUILDER_H */
