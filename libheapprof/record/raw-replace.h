/* The packed profile in the place of the running file.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_RAW_REPLACE_H
#define HEAPPROF_RAW_REPLACE_H

#include "heapprof/raw-format.h"
#include <stdbool.h>
#include <stdint.h>

/* Have WRITE, which is given DATA, write a packed profile to a new file, and
   give that the place of the running one, open as RUNNING.  Return 0; or a
   negative errno, and nothing has changed.  */
int rt_raw_replace_by (int (*write) (int fd, void *data), void *data,
		       int running);

/* How many blocks were live before they were folded in, by MIB: COUNT records,
   in the order of the MIBs.  */
struct rt_balances
{
  struct heapprof_raw_live *records;
  uint32_t count;
};

/* Write the running file's records, which are not changed any more, to a
   packed file that takes the place of the running one, open as RUNNING.
   END_NS is the end of the profile.  Return 0; or a negative errno, and nothing
   has changed; -EFBIG also if packing would take too long.  */
int rt_raw_replace (int running, uint64_t end_ns,
		    const struct rt_balances *balances);

#endif /* HEAPPROF_RAW_REPLACE_H */
