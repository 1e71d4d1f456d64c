/* The heapprof section: heap size over time, peaks and marks (heap-moments.h).
   SPDX-License-Identifier: GPL-3.0-or-later

     totals     runs whose peaks are known by context, bytes at these peaks
     contexts   number; each with blocks live at peaks or temporary ones:
		context - the previous one, blocks and bytes at the peaks,
		temporary blocks
     timelines  number; each: peak's bytes and time, end, log2 of an interval,
		number of intervals; each: end, max, mean; number of marks;
		each: time, bytes, label
     marks      number, by label; each: label, how many, earliest time, number
		of contexts; each: context - the previous one, blocks, bytes

   All numbers are ULEB128; a label is a length and as many bytes; contexts are
   numbered as in their block.  */

#ifndef HEAPPROF_HEAPPROF_MOMENTS_H
#define HEAPPROF_HEAPPROF_MOMENTS_H

#include "heapprof-details.h"
#include <stdbool.h>

/* Return true if PROFILE has any.  */
bool heapprof_moments_are_there (const struct heap_profile *profile);

/* Append the block for PROFILE to WRITER.  */
void heapprof_moments_write (struct byte_writer *writer,
			     const struct heap_profile *profile,
			     const struct canonical_order *order);

/* Read the block into PROFILE.  */
void heapprof_moments_read (struct byte_reader *reader,
			    struct heap_profile *profile,
			    const struct heapprof_details_maps *maps);

#endif /* HEAPPROF_HEAPPROF_MOMENTS_H */
