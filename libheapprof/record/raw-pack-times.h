/* Writing the timeline and the marks of the packed raw profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_RAW_PACK_TIMES_H
#define HEAPPROF_RAW_PACK_TIMES_H

#include "raw-pack.h"

void rt_pack_times (const struct rt_pack_source *source);

#endif /* HEAPPROF_RAW_PACK_TIMES_H */
