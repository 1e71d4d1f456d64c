/* Load addresses and symbols of an object file.
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

/* Fill LAYOUT with the segments of FILE that are loaded.  Return false if
   memory is exhausted.  */
bool object_layout_read (struct object_layout *layout,
			 struct object_file *file);
void object_layout_release (struct object_layout *layout);

/* For a mapping of FILE_OFFSET at START, executable if IS_CODE, set *BIAS to
   the difference between its addresses and those of the file.  Return false if
   no segment is there.  */
bool object_layout_bias (const struct object_layout *layout,
			 uint64_t file_offset, bool is_code, uint64_t start,
			 uint64_t *bias);

/* Return true if the mapping may have BIAS.  If segments share a page of the
   file, it may have several; but all mappings of one load have the same.  */
bool object_layout_has_bias (const struct object_layout *layout,
			     uint64_t file_offset, uint64_t start,
			     uint64_t bias);

/* Return true if ADDRESS, of the file, is in any segment.  */
bool object_layout_holds (const struct object_layout *layout, uint64_t address);

/* Call VISIT with CLOSURE for every symbol of FILE that has a name and is
   defined in it: its name, valid until FILE is closed, its address, its size,
   and whether it is code.  Stop and return false when VISIT returns false.  */
bool object_visit_symbols (struct object_file *file,
			   bool (*visit) (void *closure, const char *name,
					  uint64_t address, uint64_t bytes,
					  bool is_code),
			   void *closure);

#endif /* HEAPPROF_OBJECT_LAYOUT_H */
