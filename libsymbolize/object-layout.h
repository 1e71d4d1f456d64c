/* Where the parts of an object file are loaded, and what its symbols are.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_OBJECT_LAYOUT_H
#define HEAPPROF_OBJECT_LAYOUT_H

#include "object-file.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct object_segment
{
  uint64_t file_offset;
  uint64_t file_bytes;
  uint64_t address; /* p_vaddr */
  uint64_t bytes;   /* in memory */
  bool is_code;
};

/* All zeros has no segments.  */
struct object_layout
{
  struct object_segment *segments;
  size_t count;
};

/* Fill LAYOUT with the segments of FILE that are loaded.  False if memory is
   exhausted.  */
bool object_layout_read (struct object_layout *layout,
			 struct object_file *file);
void object_layout_release (struct object_layout *layout);

/* A mapping begins at START and has FILE_OFFSET there; IS_CODE says whether it
   can be executed.  Put what its addresses are greater by than those of the
   file into *BIAS.  False if no segment is there.  */
bool object_layout_bias (const struct object_layout *layout,
			 uint64_t file_offset, bool is_code, uint64_t start,
			 uint64_t *bias);

/* May the mapping have BIAS?  Segments may share a page of the file, and then
   it may have more than one; but all mappings of one load have the same.  */
bool object_layout_has_bias (const struct object_layout *layout,
			     uint64_t file_offset, uint64_t start,
			     uint64_t bias);

/* Is ADDRESS, of the file, in any segment?  */
bool object_layout_holds (const struct object_layout *layout, uint64_t address);

/* Call VISIT with CLOSURE for every symbol of FILE that has a name and is
   defined in it: its name, valid until FILE is closed, its address, its size,
   and whether it is of code.  It ends when VISIT returns false, and returns
   that.  */
bool object_visit_symbols (struct object_file *file,
			   bool (*visit) (void *closure, const char *name,
					  uint64_t address, uint64_t bytes,
					  bool is_code),
			   void *closure);

#endif /* HEAPPROF_OBJECT_LAYOUT_H */
