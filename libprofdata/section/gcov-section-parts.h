/* gcc's own counters in the heapprof section: reading its parts.
   SPDX-License-Identifier: GPL-3.0-or-later

   All of the section is read part after part; a lookup goes to one of them.  */

#ifndef HEAPPROF_GCOV_SECTION_PARTS_H
#define HEAPPROF_GCOV_SECTION_PARTS_H

#include "byte-reader.h"
#include "gcov-profile.h"
#include "gcov-section-index.h"

/* A reader copies at most so many bytes of the strings of a section of SIZE
   bytes, however often they are referred to.  */
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
  uint64_t positions_left; /* the same; most take no room either */
  uint64_t text_left;	   /* bytes of strings that may be copied */
};

/* Make READER ready to read BYTES, a section of SIZE bytes or a place in
   one.  */
void gcov_section_reader_init (struct gcov_section_reader *reader,
			       struct byte_reader *bytes, size_t size);

/* Memory for N elements of SIZE bytes, zeros; READER fails if it cannot be
   had.  */
void *gcov_section_allocate (struct gcov_section_reader *reader, size_t n,
			     size_t size);

/* Read the next function into FUNCTION, empty, but for its position: *DISTANCE
   is that from the one before; *NAME is the number of its name.  False if the
   reader failed.  */
bool gcov_section_read_function (struct gcov_section_reader *reader,
				 struct gcov_function *function,
				 uint32_t *distance, uint64_t *name);

/* Does the compiler of UNIT know all kinds of counters of FUNCTION, which is at
   START of BYTES?  False if not; then BYTES failed.  */
bool gcov_section_check_kinds (struct byte_reader *bytes, size_t start,
			       const struct gcov_unit *unit,
			       const struct gcov_function *function);

/* Read the next function, which has no name, up to its ident.  The same.  */
bool gcov_section_read_ident (struct gcov_section_reader *reader,
			      uint32_t *ident);

/* Read the next unit into UNIT, empty, up to its functions.  The same.  */
bool gcov_section_read_unit (struct gcov_section_reader *reader,
			     struct gcov_unit *unit);

#endif /* HEAPPROF_GCOV_SECTION_PARTS_H */
