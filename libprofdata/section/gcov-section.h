/* GCC's own counters in the heapprof section (doc/profdata-extension.md).
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
     counters  uleb 2 * number + 1 if they follow: uleb each; each zero is
	       followed by the number of further zeros
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

/* Check that gcov_section_read accepts the section written for PROFILE: for a
   section of a given size it limits the number of zeros, positions without
   function and repeated strings.  Return false and set *ERR, without a path, if
   it does not or memory is exhausted.  */
bool gcov_section_check (const struct gcov_profile *profile,
			 struct profile_error *err);

/* Append PROFILE to WRITER; equal profiles give equal bytes.  Return false if
   memory is exhausted.  */
bool gcov_section_write (struct byte_writer *writer,
			 const struct gcov_profile *profile);

/* Read the rest of READER, a written section, into PROFILE, which must be
   empty.  Return false if READER failed.  */
bool gcov_section_read (struct byte_reader *reader,
			struct gcov_profile *profile);

/* The same up to the index, where READER is positioned afterwards.  INDEX,
   which must be empty, is set to the expected index; free it with
   gcov_section_index_free whether or not READER failed.  */
bool gcov_section_read_units (struct byte_reader *reader,
			      struct gcov_profile *profile,
			      struct gcov_section_index *index);

#endif /* HEAPPROF_GCOV_SECTION_H */
