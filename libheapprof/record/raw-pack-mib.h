/* Writing the MIBs of the packed raw profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_RAW_PACK_MIB_H
#define HEAPPROF_RAW_PACK_MIB_H

#include "raw-pack.h"

/* Write the MIBs of SOURCE and their end mark.  */
void rt_pack_mibs (const struct rt_pack_source *source);

#endif /* HEAPPROF_RAW_PACK_MIB_H */
