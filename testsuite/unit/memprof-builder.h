/* Make indexed profiles in all MemProf versions, and decode, independently of
   our reader, the version that we write.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MEMPROF_BUILDER_H
#define HEAPPROF_MEMPROF_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The GUIDs of the functions in the file: `leaf' is inlined into `make', which
   is called by `lane' and by `main'; `lane' is called by `main'.  */
#define MEMPROF_BUILDER_LEAF UINT64_C (0x1111111111111111)
#define MEMPROF_BUILDER_MAKE UINT64_C (0x3645519cc68426db)
#define MEMPROF_BUILDER_LANE UINT64_C (0x31c0a45a91299f27)
#define MEMPROF_BUILDER_MAIN UINT64_C (0xdb956436e78dd5fa)

/* Return the value of the field TAG in the MIB of context 0 (leaf, make, lane,
   main) or 1 (make, main).  */
uint64_t memprof_builder_field (unsigned int tag, unsigned int context);

/* Make a file of FILE_VERSION, 8 to 13, and MEMPROF_VERSION, 0 to 4, with those
   two contexts and all 27 fields.  If RECURSIVE, the function `make' takes the
   place of `leaf', inlined into itself.  Malloced, *SIZE bytes.  */
unsigned char *memprof_build (unsigned int file_version,
			      unsigned int memprof_version, bool recursive,
			      size_t *size);

/* Make a file of versions 12 and 3 with a call stack array of ELEMENTS
   elements, at most 2000, and half as many stacks, which overlap as in no
   writer's output: stack I starts at element I and is about half as long as the
   array.  Malloced, *SIZE bytes.  */
unsigned char *memprof_overlapping (unsigned int elements, size_t *size);

/* Return the records in the SIZE bytes at DATA, of file version 12 and MemProf
   version 3, as text: sorted lines, one for each allocation and call site.
   Malloced.  The decoder trusts the file.  */
char *memprof_text (const unsigned char *data, size_t size);

/* Sort the lines of TEXT in place.  */
void sort_lines (char *text);

#endif /* HEAPPROF_MEMPROF_BUILDER_H */
