/* The heapprof section: details besides calling contexts (heap-details.h).
   SPDX-License-Identifier: GPL-3.0-or-later

     histograms    number; each: context, number of counts, the counts
     call sites    number; each: context, u64 GUID of the function, number of
		   callees, u64 GUIDs of these
     static data   number; each: symbol (string; 0: a literal, whose u64 hash
		   follows), u8 flags, accesses, number of locations; each: file
		   (string), line
     types         number; each: u64 number, name (string), kind, size,
		   alignment, start, number of members; each: offset, size,
		   alignment, kind, name (string), type (string)

   All numbers without a fixed size are ULEB128; contexts and strings are
   numbered as in their blocks, and all lists ascend.  */

#ifndef HEAPPROF_HEAPPROF_DETAILS_H
#define HEAPPROF_HEAPPROF_DETAILS_H

#include "byte-reader.h"
#include "byte-writer.h"
#include "canonical-order.h"
#include "heap-profile.h"
#include <stdbool.h>
#include <stdint.h>

/* Flags of static data.  */
#define HEAPPROF_DETAILS_SAMPLED 1
#define HEAPPROF_DETAILS_COLD 2

/* Return true if PROFILE has any details.  */
bool heapprof_details_are_there (const struct heap_profile *profile);

/* Append the block for PROFILE to WRITER.  */
void heapprof_details_write (struct byte_writer *writer,
			     const struct heap_profile *profile,
			     const struct canonical_order *order);

/* Ids in the profile, indexed by number in the file.  */
struct heapprof_details_maps
{
  const uint32_t *strings;
  uint32_t string_count;
  const uint32_t *contexts;
  uint32_t context_count;
};

/* Read the number of a string of WHAT.  Return its id.  */
uint32_t heapprof_details_read_string (struct byte_reader *reader,
				       const struct heapprof_details_maps *maps,
				       const char *what);

/* Read the block into PROFILE.  */
void heapprof_details_read (struct byte_reader *reader,
			    struct heap_profile *profile,
			    const struct heapprof_details_maps *maps);

#endif /* HEAPPROF_HEAPPROF_DETAILS_H */
