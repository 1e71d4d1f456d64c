/* Writing the lost blocks of the packed raw profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_RAW_PACK_LEAKS_H
#define HEAPPROF_RAW_PACK_LEAKS_H

#include "raw-file.h"

/* Write the result of the search that HEADER refers to, without contexts from
   CONTEXTS on.  */
void rt_pack_leaks (const struct heapprof_raw_header *header,
		    uint32_t contexts);

#endif /* HEAPPROF_RAW_PACK_LEAKS_H */
