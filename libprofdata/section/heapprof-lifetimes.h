/* The heapprof section: lifetimes in bytes (memory-info.h).
   SPDX-License-Identifier: GPL-3.0-or-later

     lifetimes	 runs in which they are known, bytes that these allocated
		 number of contexts; each: context - that of the one before,
		 sum of the lifetimes of its blocks, bytes allocated before the
		 first one plus 1

   All numbers are ULEB128; contexts are numbered as in their block, and
   ascend.  */

#ifndef HEAPPROF_HEAPPROF_LIFETIMES_H
#define HEAPPROF_HEAPPROF_LIFETIMES_H

#include "heapprof-details.h"
#include <stdbool.h>

/* Return true if PROFILE has a run in which they are known.  */
bool heapprof_lifetimes_are_there (const struct heap_profile *profile);

/* Append the block for PROFILE to WRITER.  */
void heapprof_lifetimes_write (struct byte_writer *writer,
			       const struct heap_profile *profile,
			       const struct canonical_order *order);

/* Read the block into PROFILE.  */
void heapprof_lifetimes_read (struct byte_reader *reader,
			      struct heap_profile *profile,
			      const struct heapprof_details_maps *maps);

#endif /* HEAPPROF_HEAPPROF_LIFETIMES_H */
