/* The compressed sections of a separate debug file, uncompressed as far as they
   are read.
   SPDX-License-Identifier: GPL-3.0-or-later

   libdw uncompresses all sections when it opens a file: for the C library of a
   distribution 10 MB, of which the functions that call main need 40 KB.  So it
   is given a copy in memory, in which these sections have their full size but
   only zeros, until they are asked for here.  Sections that heapprof has no use
   for are left out.  */

#ifndef HEAPPROF_DEBUG_CONTENT_H
#define HEAPPROF_DEBUG_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct debug_content;

/* Sections that are uncompressed in part.  */
enum debug_part
{
  DEBUG_PART_INFO,
  DEBUG_PART_ABBREVIATIONS,
  DEBUG_PART_LINES,
  DEBUG_PART_ARANGES,
  DEBUG_PART_OTHERS /* and those after it, for debug_content_open alone */
};

/* Return the descriptor of a copy of the debug file DESCRIPTOR, and set
   *CONTENT to what fills it; both are the caller's.  Return -1 if libdw has to
   read the file itself: little of it is compressed, or not as expected.  */
int debug_content_open (int descriptor, struct debug_content **content);
void debug_content_close (struct debug_content *content);

/* Set *BYTES to the first END bytes of PART, valid until CONTENT is closed.
   Return false if it has not that many, or they are damaged.  */
bool debug_content_reach (struct debug_content *content, enum debug_part part,
			  uint64_t end, const uint8_t **bytes);

/* Return the size of PART; 0 if there is none.  */
size_t debug_content_bytes (const struct debug_content *content,
			    enum debug_part part);

/* Uncompress all the rest.  Return false if it is damaged.  */
bool debug_content_complete (struct debug_content *content);

#endif /* HEAPPROF_DEBUG_CONTENT_H */
