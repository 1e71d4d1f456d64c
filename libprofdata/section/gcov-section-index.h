/* GCC's own counters in the heapprof section: the index, which finds one
   function without reading the rest (doc/profdata-extension.md).
   SPDX-License-Identifier: GPL-3.0-or-later

     padding    zeros up to a multiple of 8
     strings    u64 each: its place
     units      u64 each: its place
     functions  16 bytes each: u32 name, u32 unit from 0 on, u64 its place;
		sorted by name, those without by ident, then by place
     tail       u32 greatest runs, u32 greatest sum of counters, u64 strings,
		u64 units, u64 functions

   Places are offsets in bytes in the section's part for GCC, which ends with
   the tail.  */

#ifndef HEAPPROF_GCOV_SECTION_INDEX_H
#define HEAPPROF_GCOV_SECTION_INDEX_H

#include "byte-reader.h"
#include "byte-writer.h"
#include "gcov-profile.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GCOV_SECTION_INDEX_TAIL_BYTES 32
#define GCOV_SECTION_INDEX_FUNCTION_BYTES 16

struct gcov_section_entry
{
  uint32_t name; /* number of a string, 0: none */
  uint32_t unit;
  uint64_t place;
  uint32_t ident; /* not stored */
};

/* An index being built.  All zeros is an empty one.  */
struct gcov_section_index
{
  uint64_t *strings; /* malloced, as are the others */
  size_t string_count;
  size_t string_capacity;
  uint64_t *units;
  size_t unit_count;
  size_t unit_capacity;
  struct gcov_section_entry *functions;
  size_t function_count;
  size_t function_capacity;
  uint32_t runs;
  uint32_t sum_max;
  bool failed; /* memory was exhausted */
};

/* Add the next string; the next unit; the next function of the last unit, by
   the number of its name and its ident; each at PLACE.  */
void gcov_section_index_add_string (struct gcov_section_index *index,
				    uint64_t place);
void gcov_section_index_add_unit (struct gcov_section_index *index,
				  const struct gcov_unit *unit, uint64_t place);
void gcov_section_index_add_function (struct gcov_section_index *index,
				      uint64_t name, uint32_t ident,
				      uint64_t place);

/* Append INDEX to WRITER, where it starts at PLACE.  Return false if memory was
   exhausted.  */
bool gcov_section_index_write (struct gcov_section_index *index,
			       struct byte_writer *writer, uint64_t place);
void gcov_section_index_free (struct gcov_section_index *index);

/* An index in a file.  */
struct gcov_section_view
{
  size_t base; /* file offset, as are the others */
  size_t strings;
  size_t units;
  size_t functions;
  uint64_t string_count;
  uint64_t unit_count;
  uint64_t function_count;
  uint32_t runs;
  uint32_t sum_max;
};

/* Read the tail at the end of BLOCK, the complete part for GCC, and check that
   there is room for the rest.  Return false if BLOCK failed.  */
bool gcov_section_view_open (struct gcov_section_view *view,
			     struct byte_reader *block);

/* Return string NUMBER, from 1 to their count: *SIZE bytes, in the file.  NULL
   if BLOCK failed.  Does not change the position of BLOCK.  */
const char *gcov_section_view_string (const struct gcov_section_view *view,
				      struct byte_reader *block,
				      uint64_t number, uint64_t *size);

/* Return the number of the string TEXT; 0 if there is none or BLOCK failed.  */
uint64_t gcov_section_view_find_string (const struct gcov_section_view *view,
					struct byte_reader *block,
					const char *text);

/* Return the place of unit NUMBER; return function NUMBER.  NUMBER must be less
   than their counts.  */
uint64_t gcov_section_view_unit (const struct gcov_section_view *view,
				 const struct byte_reader *block,
				 uint64_t number);
struct gcov_section_entry
gcov_section_view_function (const struct gcov_section_view *view,
			    const struct byte_reader *block, uint64_t number);

#endif /* HEAPPROF_GCOV_SECTION_INDEX_H */
