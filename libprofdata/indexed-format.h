/* Numbers of LLVM's indexed profile format, shared by its writer and reader.
   SPDX-License-Identifier: GPL-3.0-or-later

   A file is: header, summary, hash table of functions with counters, MemProf
   section, binary IDs, names of vtables; all numbers little-endian, nothing
   aligned unless said.  doc/profdata-extension.md tells what follows.  */

#ifndef HEAPPROF_INDEXED_FORMAT_H
#define HEAPPROF_INDEXED_FORMAT_H

#define INDEXED_MAGIC "\xfflprofi\x81"
#define INDEXED_MAGIC_BYTES 8

/* The version is in the low half of the word after the magic, flags in the
   high half.  */
#define INDEXED_VERSION_WRITTEN 12
#define INDEXED_VERSION_LEAST 8	/* the first with a MemProf section */
#define INDEXED_VERSION_GREATEST 13
#define INDEXED_FLAG_MEMPROF (UINT64_C (1) << 62)

/* Versions from which on the header has another offset.  */
#define INDEXED_VERSION_BINARY_IDS 9
#define INDEXED_VERSION_TEMPORAL 10
#define INDEXED_VERSION_VTABLES 12

/* Offsets in the header of version 12.  */
#define INDEXED_OFFSET_FUNCTIONS 32
#define INDEXED_OFFSET_MEMPROF 40
#define INDEXED_OFFSET_BINARY_IDS 48
#define INDEXED_OFFSET_VTABLES 64

#define INDEXED_HASH_MD5 0
#define INDEXED_SUMMARY_FIELDS 6

#define MEMPROF_VERSION_WRITTEN 3
#define MEMPROF_VERSION_GREATEST 4
#define MEMPROF_FRAME_BYTES 17

#endif /* HEAPPROF_INDEXED_FORMAT_H */
