/* Replacing the running file by a packed profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_RAW_REPLACE_H
#define HEAPPROF_RAW_REPLACE_H

#include "heapprof/raw-format.h"
#include <stdbool.h>
#include <stdint.h>

/* Let WRITE, called with DATA, write a packed profile to a new file, and
   replace the running file, open as RUNNING, by it.  Return 0; or a negative
   errno, with nothing changed.  */
int rt_raw_replace_by (int (*write) (int fd, void *data), void *data,
		       int running);

/* Number of blocks that were live before they were folded in, by MIB: COUNT
   records, in the order of the MIBs.  */
struct rt_balances
{
  struct heapprof_raw_live *records;
  uint32_t count;
};

/* Write the running file's records, which no longer change, to a packed file,
   and replace the running file, open as RUNNING, by it.  END_NS is the end of
   the profile.  Return 0; or a negative errno, with nothing changed; -EFBIG
   also if packing would take too long.  */
int rt_raw_replace (int running, uint64_t end_ns,
		    const struct rt_balances *balances);

#endif /* HEAPPROF_RAW_REPLACE_H */
