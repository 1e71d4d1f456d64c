/* Heap records of functions as text, read in both ways: from the profile, or
   looked up in the file.
   SPDX-License-Identifier: GPL-3.0-or-later

   The text has a line for each allocation and call site, as in memprof_text,
   followed by an arrow and the callees, if there are any.  The lines are
   sorted.  The caller frees the text.  */

#ifndef HEAPPROF_HEAP_RECORD_TEXT_H
#define HEAPPROF_HEAP_RECORD_TEXT_H

#include "heap-lookup.h"
#include "heap-profile.h"
#include <stddef.h>
#include <stdint.h>

/* Return the GUIDs of the functions that have records in PROFILE, *COUNT of
   them.  Malloced.  */
uint64_t *heap_record_guids (const struct heap_profile *profile, size_t *count);

/* Return all records of PROFILE.  MIBs have the fields of SCHEMA, a bit set as
   in heap_lookup_schema.  */
char *heap_record_text (const struct heap_profile *profile, uint32_t schema);

/* Return the records that LOOKUP finds for the N functions at GUIDS.  Return
   NULL and set *ERR on failure, or if a function is not found.  */
char *heap_lookup_text (struct heap_lookup *lookup, const uint64_t *guids,
			size_t n, struct profile_error *err);

#endif /* HEAPPROF_HEAP_RECORD_TEXT_H */
