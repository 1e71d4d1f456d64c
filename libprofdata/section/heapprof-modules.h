/* The heapprof section: modules that are not fully symbolized (heap-modules.h).
   SPDX-License-Identifier: GPL-3.0-or-later

     modules  number; each: name, build ID (strings), problem, cause (string)

   All numbers are ULEB128; strings are numbered as in their block, and the list
   ascends.  */

#ifndef HEAPPROF_HEAPPROF_MODULES_H
#define HEAPPROF_HEAPPROF_MODULES_H

#include "heapprof-details.h"
#include <stdbool.h>

/* Return true if PROFILE has any.  */
bool heapprof_modules_are_there (const struct heap_profile *profile);

/* Append the block for PROFILE to WRITER.  */
void heapprof_modules_write (struct byte_writer *writer,
			     const struct heap_profile *profile,
			     const struct canonical_order *order);

/* Read the block into PROFILE.  */
void heapprof_modules_read (struct byte_reader *reader,
			    struct heap_profile *profile,
			    const struct heapprof_details_maps *maps);

#endif /* HEAPPROF_HEAPPROF_MODULES_H */
