/* The source files of the functions in a heap profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_HEAP_LOOKUP_FILES_H
#define HEAPPROF_HEAP_LOOKUP_FILES_H

#include "byte-reader.h"
#include "heap-lookup-moved.h"
#include "heap-lookup.h"
#include "heap-profile.h"
#include <stdint.h>

/* Return how many components PATH1 and PATH2 have in common at their ends;
   INT_MAX if all components of one of them are.  */
int heap_lookup_files_common (const char *path1, const char *path2);

/* Return how well PATH, where the function starts in START_LINE, matches PLACE:
   0 if it is a different function.  Files with the same name in folders with
   different names are different, unless the function starts in the same line of
   both: sources may be moved.  But if PATH still exists and the place is not
   that of heap_lookup_is_moved, they are different.  BLOCK is NULL, or has
   PATH; *LAST is for heap_lookup_is_moved.  */
int heap_lookup_files_fitness (const struct heap_lookup_place *place,
			       const char *path, uint32_t start_line,
			       const struct heapprof_places_block *block,
			       struct heap_lookup_moved *last);

/* Like heap_lookup_find_place, for READER of the block of heapprof-places.h,
   with *LAST for heap_lookup_is_moved.  */
enum heap_lookup_where
heap_lookup_files_find (const struct byte_reader *reader,
			const struct heap_lookup_place *place,
			struct heap_lookup_moved *last);

/* Return the frames of the profile in the file of READER, to be freed with
   heap_profile_free.  NULL if they cannot be read or memory is exhausted.  */
struct heap_profile *heap_lookup_files_read (const struct byte_reader *reader);

/* Like heap_lookup_find_place, for these frames.  */
enum heap_lookup_where
heap_lookup_files_find_frame (const struct heap_profile *profile,
			      const struct heap_lookup_place *place);

#endif /* HEAPPROF_HEAP_LOOKUP_FILES_H */
