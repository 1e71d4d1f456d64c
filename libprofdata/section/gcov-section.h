/* gcc's own counters in the heapprof section (doc/profdata-extension.md).
   SPDX-License-Identifier: GPL-3.0-or-later

     strings   uleb number, then each: uleb length, bytes; sorted; string 0 is
	       none and not stored
     units     uleb number, then each, sorted by key:
	       uleb path, u8 flags, u32 version, u32 stamp, u32 checksum; with a
	       summary uleb runs, uleb sum of greatest counters; uleb number of
	       positions; uleb number of functions, which follow
     function  uleb distance to the position before, u8 flags, uleb name,
	       uleb file, u32 ident if stored, u32 checksum of name and line,
	       u32 checksum of the flow graph, uleb kinds: bit I for kind I;
	       then the vectors
     counters  uleb 2 * number + 1 if they follow: uleb each, but for a zero,
	       which is followed by how many more there are
     sites     uleb number, then each: total, uleb number of values, then each:
	       value, count; signed, as zigzag
     index     gcov-section-index.h  */

#ifndef HEAPPROF_GCOV_SECTION_H
#define HEAPPROF_GCOV_SECTION_H

#include "byte-reader.h"
#include "byte-writer.h"
#include "gcov-profile.h"
#include "gcov-section-index.h"
#include <stdbool.h>

/* Check that gcov_section_read takes what is written of PROFILE: it believes a
   section of some size no more zeros, positions without function and repeated
   strings than it may stand for.  False and *ERR, without a path, if it does
   not, or memory cannot be had.  */
bool gcov_section_check (const struct gcov_profile *profile,
			 struct profile_error *err);

/* Append PROFILE to WRITER; equal profiles give equal bytes.  False if memory
   cannot be had.  */
bool gcov_section_write (struct byte_writer *writer,
			 const struct gcov_profile *profile);

/* Read all that READER has left, which was written so, into PROFILE, which is
   empty.  False if READER failed.  */
bool gcov_section_read (struct byte_reader *reader,
			struct gcov_profile *profile);

/* The same up to the index, at which READER then stands; INDEX, which is empty,
   becomes what the index has to be, for gcov_section_index_free to free whether
   or not READER failed.  */
bool gcov_section_read_units (struct byte_reader *reader,
			      struct gcov_profile *profile,
			      struct gcov_section_index *index);

#endif /* HEAPPROF_GCOV_SECTION_H */
