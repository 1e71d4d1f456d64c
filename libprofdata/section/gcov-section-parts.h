/* GCC's own counters in the heapprof section: reading single parts.
   SPDX-License-Identifier: GPL-3.0-or-later

   Reading the complete section reads part after part; a lookup reads just
   one.  */

#ifndef HEAPPROF_GCOV_SECTION_PARTS_H
#define HEAPPROF_GCOV_SECTION_PARTS_H

#include "byte-reader.h"
#include "gcov-profile.h"
#include "gcov-section-index.h"

/* A reader copies at most this many bytes of strings from a section of SIZE
   bytes, however often they are used.  */
#define GCOV_SECTION_MOST_TEXT(size) ((UINT64_C (1) << 20) + 64 * (size))

struct gcov_section_string
{
  const char *text; /* in the section, not terminated */
  uint64_t size;
};

struct gcov_section_reader
{
  struct byte_reader *bytes;
  struct gcov_section_string *strings; /* malloced; NULL: VIEW finds them */
  uint64_t string_count;
  const struct gcov_section_view *view;
  uint64_t counters_left;  /* that may still be read */
  uint64_t positions_left; /* likewise; most take no room either */
  uint64_t text_left;	   /* bytes of strings that may still be copied */
};

/* Prepare READER for reading BYTES, a section of SIZE bytes or a place in
   one.  */
void gcov_section_reader_init (struct gcov_section_reader *reader,
			       struct byte_reader *bytes, size_t size);

/* Return zeroed memory for N elements of SIZE bytes; READER fails if memory is
   exhausted.  */
void *gcov_section_allocate (struct gcov_section_reader *reader, size_t n,
			     size_t size);

/* Read the next function into FUNCTION, which must be empty, except its
   position: *DISTANCE is the distance from the previous function; *NAME is the
   number of its name.  Return false if the reader failed.  */
bool gcov_section_read_function (struct gcov_section_reader *reader,
				 struct gcov_function *function,
				 uint32_t *distance, uint64_t *name);

/* Check that the compiler of UNIT knows all kinds of counters of FUNCTION,
   which is at START of BYTES.  If not, BYTES fails; return false.  */
bool gcov_section_check_kinds (struct byte_reader *bytes, size_t start,
			       const struct gcov_unit *unit,
			       const struct gcov_function *function);

/* Read the next function, which has no name, up to its ident.  Return false if
   the reader failed.  */
bool gcov_section_read_ident (struct gcov_section_reader *reader,
			      uint32_t *ident);

/* Read the next unit into UNIT, which must be empty, up to its functions.
   Return false if the reader failed.  */
bool gcov_section_read_unit (struct gcov_section_reader *reader,
			     struct gcov_unit *unit);

#endif /* HEAPPROF_GCOV_SECTION_PARTS_H */
