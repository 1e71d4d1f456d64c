/* Writing the packed form of the raw profile (heapprof/raw-packed.h).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_RAW_PACK_H
#define HEAPPROF_RAW_PACK_H

#include "raw-file.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A MIB to write.  */
struct rt_pack_mib
{
  struct heapprof_raw_mib record;
  struct heapprof_raw_wide wide; /* invalid if the record has none */
  struct heapprof_raw_moment moment;
  uint32_t live_count; /* fields of the live record, or 0 */
  uint64_t live_bytes;
};

/* The data to write.  Contexts, segments and strings come from the tables.  */
struct rt_pack_source
{
  const struct heapprof_raw_header *header; /* with its final state and
					       times */
  uint32_t context_count;
  uint32_t segment_count;
  uint32_t mib_count;
  void *data;
  /* Called when a context has been read, NULL if that is not needed.  */
  void (*leave_context) (uint32_t node);
  /* Fill in *MIB, whose live count and bytes are 0, with the one at PLACE;
     called once for each from 1 on.  Return false if it is empty.  */
  bool (*get_mib) (void *data, uint32_t place, struct rt_pack_mib *mib);
  /* Write the histograms to the packed output, without their end mark; NULL if
     there are none.  */
  void (*put_histograms) (void *data, uint32_t context_count);
  /* The same for affinities.  */
  void (*put_affinities) (uint32_t context_count);
  const struct heapprof_raw_timeline *timeline; /* NULL: none, nor marks */
  uint32_t mark_count;
  uint32_t thread_count;
  bool has_leaks; /* the header says which */
};

/* Write SOURCE to FD, an empty file.  Return 0 or a negative errno.  Only one
   call at a time: the dump lock is held.  Uses no memory except some mapped
   during the call.  */
int rt_pack (const struct rt_pack_source *source, int fd);

#endif /* HEAPPROF_RAW_PACK_H */
