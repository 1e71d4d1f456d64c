/* Writing the packed form of the raw profile (heapprof/raw-packed.h).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_RAW_PACK_H
#define HEAPPROF_RAW_PACK_H

#include "raw-file.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A MIB to be written.  */
struct rt_pack_mib
{
  struct heapprof_raw_mib record;
  struct heapprof_raw_wide wide; /* means nothing if the record has none */
  uint32_t live_count;		 /* what the live record has, or 0 */
  uint64_t live_bytes;
};

/* What is to be written.  Contexts, segments and strings come from the
   tables.  */
struct rt_pack_source
{
  const struct heapprof_raw_header *header; /* with its final state and
					       times */
  uint32_t context_count;
  uint32_t segment_count;
  uint32_t mib_count;
  void *data;
  /* Fill *MIB, whose live count and bytes are 0, with the one numbered INDEX;
     called once for each from 1 on.  False if it says nothing.  */
  bool (*get_mib) (void *data, uint32_t index, struct rt_pack_mib *mib);
  /* Write the histograms to the packed output, but not what ends them; NULL:
     there are none.  */
  void (*put_histograms) (void *data, uint32_t context_count);
};

/* Write SOURCE to FD, an empty file.  Return 0 or a negative errno.  One call
   at a time: the lock of dumps is held.  No memory but some mapped for the
   time of the call.  */
int rt_pack (const struct rt_pack_source *source, int fd);

#endif /* HEAPPROF_RAW_PACK_H */
