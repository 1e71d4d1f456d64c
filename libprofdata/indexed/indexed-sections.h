/* The small parts of an indexed profile after its tables.
   SPDX-License-Identifier: GPL-3.0-or-later

     binary IDs    u64 bytes that follow; each: u64 length, the bytes, zeros up
		   to a multiple of 8
     vtable names  u64 bytes that follow, without the zeros up to a multiple of
		   8 at the end; runs of names joined by byte 1, each: ULEB128
		   bytes plain, ULEB128 bytes stored if deflated or 0, the
		   bytes
     traces        u64 number, u64 number of traces they were sampled from;
		   each: u64 weight, u64 number of functions, their GUIDs

   Each reader reads the part at READER's position into PROFILE and returns
   false if READER failed.  Each writer appends its part; it fails if memory is
   exhausted.  */

#ifndef HEAPPROF_INDEXED_SECTIONS_H
#define HEAPPROF_INDEXED_SECTIONS_H

#include "byte-reader.h"
#include "byte-writer.h"
#include "counter-profile.h"
#include <stdbool.h>

bool indexed_binary_ids_read (struct byte_reader *reader,
			      struct counter_profile *profile);
void indexed_binary_ids_write (struct byte_writer *writer,
			       const struct counter_profile *profile);

bool indexed_vtables_read (struct byte_reader *reader,
			   struct counter_profile *profile);
void indexed_vtables_write (struct byte_writer *writer,
			    const struct counter_profile *profile);

bool indexed_traces_read (struct byte_reader *reader,
			  struct counter_profile *profile);
void indexed_traces_write (struct byte_writer *writer,
			   const struct counter_profile *profile);

#endif /* HEAPPROF_INDEXED_SECTIONS_H */
