/* Records of lost blocks in the raw file.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Each search appends its records, one for each context that lost blocks, and
   then refers to them in the header: until then, those of the last search
   count.  */

#ifndef HEAPPROF_LEAKS_H
#define HEAPPROF_LEAKS_H

#include "raw-file.h"

/* Store the COUNT RECORDS, in the order of their contexts, found at NS
   nanoseconds after the start of profiling.  Return false if there is no space.
 */
bool rt_leaks_store (const struct heapprof_raw_leak *records, uint32_t count,
		     uint64_t ns);

/* A search was not possible; what is known stays.  */
void rt_leaks_refuse (void);

/* Nothing is known any more.  */
void rt_leaks_forget (void);

/* True if the file has the result of a search.  */
bool rt_leaks_are_known (void);

#endif /* HEAPPROF_LEAKS_H */
