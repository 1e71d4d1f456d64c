/* Parts of LLVM's MemProf section that all its readers need: header, frames,
   MIBs.
   SPDX-License-Identifier: GPL-3.0-or-later

     version   frames                  stacks
     0, 1      table by frame id       frame ids in the record
     2         table by frame id       table of frame ids by stack id
     3, 4      array after the schema  array of frame numbers

     record    u64 number of allocations, each: stack, MIB; u64 number of call
	       sites, each: stack, in version 4 also u64 number of callees,
	       their GUIDs
     frame     u64 GUID, u32 line offset, u32 column, u8 1 if inlined
     MIB       the fields of the schema, in its order

   Version 0 starts with an offset, which is greater than any version
   number.  */

#ifndef HEAPPROF_MEMPROF_SECTION_H
#define HEAPPROF_MEMPROF_SECTION_H

#include "byte-reader.h"
#include "heap-profile.h"
#include "memory-info.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct memprof_section
{
  uint32_t version;
  uint64_t record_table;   /* file offset, as are the others */
  uint64_t frame_table;	   /* versions 0 to 2 */
  uint64_t stack_table;	   /* version 2 */
  uint64_t stack_array;	   /* versions 3 and 4 */
  uint64_t record_payload; /* versions 3 and 4 */
  uint64_t data;	   /* version 4: static data, 0 if none */
  uint8_t schema[MEMORY_INFO_TAG_END];
  size_t schema_count;
  size_t info_bytes;	/* size of a MIB */
  size_t frame_array;	/* versions 3 and 4; after the schema */
  size_t frame_count;	/* versions 3 and 4; as many as fit */
  size_t element_count; /* versions 3 and 4, of the array of stacks */
};

/* Read and check the header of the section at OFFSET of the file of READER.
   Return false if READER failed.  */
bool memprof_section_read_header (struct memprof_section *section,
				  struct byte_reader *reader, uint64_t offset);

/* Read the frame at READER's position into *FRAME.  Return false if READER
   failed.  */
bool memprof_section_read_frame (struct byte_reader *reader,
				 struct heap_frame *frame);

/* Read the MIB at READER's position into *INFO; fields missing in the schema
   are set to 0.  */
void memprof_section_read_info (const struct memprof_section *section,
				struct byte_reader *reader,
				struct memory_info *info);

/* Return the least size of a stack in a record.  */
static inline size_t
memprof_section_stack_bytes (const struct memprof_section *section)
{
  return section->version < 3 ? 8 : 4;
}

#endif /* HEAPPROF_MEMPROF_SECTION_H */
