/* The heapprof section: which contexts' blocks are used together
   (heap-affinities.h).
   SPDX-License-Identifier: GPL-3.0-or-later

     affinities	 number; each: first context, second context - first, lines

   All numbers are ULEB128; contexts are numbered as in their block, and the
   list ascends.  */

#ifndef HEAPPROF_HEAPPROF_AFFINITIES_H
#define HEAPPROF_HEAPPROF_AFFINITIES_H

#include "heapprof-details.h"
#include <stdbool.h>

/* Return true if PROFILE has any.  */
bool heapprof_affinities_are_there (const struct heap_profile *profile);

/* Append the block for PROFILE to WRITER.  */
void heapprof_affinities_write (struct byte_writer *writer,
				const struct heap_profile *profile,
				const struct canonical_order *order);

/* Read the block into PROFILE.  */
void heapprof_affinities_read (struct byte_reader *reader,
			       struct heap_profile *profile,
			       const struct heapprof_details_maps *maps);

#endif /* HEAPPROF_HEAPPROF_AFFINITIES_H */
