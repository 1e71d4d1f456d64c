/* Constants of LLVM's indexed profile format, shared by writer and reader.
   SPDX-License-Identifier: GPL-3.0-or-later

   A file consists of header, summary, summary of context-sensitive counters,
   hash table of functions with counters, MemProf section, binary IDs, names of
   vtables, and temporal traces.  All numbers are little-endian and unaligned
   unless stated otherwise. doc/profdata-extension.md describes what
   follows.  */

#ifndef HEAPPROF_INDEXED_FORMAT_H
#define HEAPPROF_INDEXED_FORMAT_H

#define INDEXED_MAGIC "\xfflprofi\x81"
#define INDEXED_MAGIC_BYTES 8

/* The word after the magic has the version in its low half and flags in its
   high half.  */
#define INDEXED_VERSION_LEAST 8 /* first version with a MemProf section */
#define INDEXED_VERSION_GREATEST 13
#define INDEXED_VERSION_LEAST_WRITTEN 11
#define INDEXED_VERSION_DEFAULT 12

#define INDEXED_FLAG_LOOP_ENTRIES (UINT64_C (1) << 55)
#define INDEXED_FLAG_IR (UINT64_C (1) << 56)
#define INDEXED_FLAG_CONTEXT_SENSITIVE (UINT64_C (1) << 57)
#define INDEXED_FLAG_ENTRY_FIRST (UINT64_C (1) << 58)
#define INDEXED_FLAG_SINGLE_BYTE (UINT64_C (1) << 60)
#define INDEXED_FLAG_ENTRY_ONLY (UINT64_C (1) << 61)
#define INDEXED_FLAG_MEMPROF (UINT64_C (1) << 62)
#define INDEXED_FLAG_TEMPORAL (UINT64_C (1) << 63)

/* Versions that added an offset to the header; BITMAPS added the bitmaps of
   functions.  */
#define INDEXED_VERSION_BINARY_IDS 9
#define INDEXED_VERSION_TEMPORAL 10
#define INDEXED_VERSION_BITMAPS 11
#define INDEXED_VERSION_VTABLES 12

/* Offsets in the header.  */
#define INDEXED_OFFSET_UNUSED 16
#define INDEXED_OFFSET_HASH_TYPE 24
#define INDEXED_OFFSET_FUNCTIONS 32
#define INDEXED_OFFSET_MEMPROF 40
#define INDEXED_OFFSET_BINARY_IDS 48
#define INDEXED_OFFSET_TRACES 56
#define INDEXED_OFFSET_VTABLES 64

#define INDEXED_HASH_MD5 0
#define INDEXED_SUMMARY_FIELDS 6

/* Most values of a site, and most kinds of values, that a file can hold.  */
#define INDEXED_SITE_VALUES 255

#define MEMPROF_VERSION_WRITTEN 3
#define MEMPROF_VERSION_GREATEST 4
#define MEMPROF_FRAME_BYTES 17

#endif /* HEAPPROF_INDEXED_FORMAT_H */
