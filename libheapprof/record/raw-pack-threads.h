/* Writing the threads of the packed raw profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_RAW_PACK_THREADS_H
#define HEAPPROF_RAW_PACK_THREADS_H

#include "raw-file.h"

/* Write the first COUNT records of threads of the file with HEADER, with their
   end mark.  */
void rt_pack_threads (const struct heapprof_raw_header *header, uint32_t count);

#endif /* HEAPPROF_RAW_PACK_THREADS_H */
