/* The heapprof section: lost blocks (memory-info.h).
   SPDX-License-Identifier: GPL-3.0-or-later

     leaks	 runs in which they were looked for
		 number of contexts; each: context - that of the one before,
		 blocks lost, bytes lost, blocks lost indirectly, bytes lost
		 indirectly

   All numbers are ULEB128; contexts are numbered as in their block, and
   ascend.  */

#ifndef HEAPPROF_HEAPPROF_LEAKS_H
#define HEAPPROF_HEAPPROF_LEAKS_H

#include "heapprof-details.h"
#include <stdbool.h>

/* Return true if PROFILE has a run in which they were looked for.  */
bool heapprof_leaks_are_there (const struct heap_profile *profile);

/* Append the block for PROFILE to WRITER.  */
void heapprof_leaks_write (struct byte_writer *writer,
			   const struct heap_profile *profile,
			   const struct canonical_order *order);

/* Read the block into PROFILE.  */
void heapprof_leaks_read (struct byte_reader *reader,
			  struct heap_profile *profile,
			  const struct heapprof_details_maps *maps);

#endif /* HEAPPROF_HEAPPROF_LEAKS_H */
