/* Accesses to static data, in LLVM's MemProf section of version 4.
   SPDX-License-Identifier: GPL-3.0-or-later

     strings   u64 number, u64 number of cold symbols, u64 bytes that follow,
	       without the zeros up to a multiple of 8 at the end; runs of names
	       joined by byte 1, each: ULEB128 bytes plain, ULEB128 bytes stored
	       if deflated or 0, the bytes.  The cold symbols come last, and
	       also occur among the strings before.
     literals  u64 number, u64 hash of each cold one
     objects   u64 number; each: u64 string or hash, u8 1 if it is a hash, u64
	       accesses, u64 number of locations; each: u64 string, u32 line  */

#ifndef HEAPPROF_MEMPROF_DATA_H
#define HEAPPROF_MEMPROF_DATA_H

#include "byte-reader.h"
#include "byte-writer.h"
#include "heap-profile.h"
#include <stdbool.h>
#include <stdint.h>

/* Read the static data at READER's position into the details of PROFILE.
   Return false if READER failed.  */
bool memprof_data_read (struct byte_reader *reader,
			struct heap_profile *profile);

/* Append the static data of PROFILE.  WRITER fails if memory is exhausted.  */
void memprof_data_write (struct byte_writer *writer,
			 const struct heap_profile *profile);

/* Return the numbers of the objects sorted by symbol, then those by hash,
   malloced; NULL if memory is exhausted.  */
uint32_t *memprof_data_order (const struct heap_profile *profile);

/* Return the locations of ACCESS sorted by file and line, malloced; NULL if
   memory is exhausted.  */
struct heap_data_location *
memprof_data_locations (const struct heap_profile *profile,
			const struct heap_data_access *access);

#endif /* HEAPPROF_MEMPROF_DATA_H */
