/* The records of a raw profile, decoded and checked; used by raw-profile.c.
   SPDX-License-Identifier: GPL-3.0-or-later

   raw-decode.c copies the records out of the file into the reader's byte
   order, or raw-unpack.c does if they are packed; raw-check.c checks what they
   say of one another.  Nothing is left to check when both are done.  */

#ifndef HEAPPROF_RAW_TABLES_H
#define HEAPPROF_RAW_TABLES_H

#include "byte-reader.h"
#include "heapprof/raw-format.h"
#include "profile-error.h"
#include "record-table.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A MIB of a packed file, but for what it observed.  */
struct raw_packed_mib
{
  uint64_t alloc_bytes;
  uint32_t alloc_count;
  uint32_t context;
  bool is_observed; /* or there is nothing else */
};

struct raw_tables
{
  struct heapprof_raw_header header;
  struct heapprof_raw_context *contexts;
  struct heapprof_raw_mib *mibs;
  struct heapprof_raw_segment *segments;
  struct heapprof_raw_live *live;
  struct heapprof_raw_wide *wide;
  struct heapprof_raw_histogram *histograms;
  char *strings;
  uint64_t context_count;
  uint64_t mib_count;
  uint64_t segment_count;
  uint64_t live_count;
  uint64_t wide_count;
  uint64_t histogram_count;
  /* Of a packed file, instead of MIBS and WIDE.  */
  struct raw_packed_mib *packed_mibs;
  struct record_table infos; /* by MIB: struct memory_info, as if its context
				had no other */

  uint64_t mib_capacity; /* of the arrays, while they are unpacked */
  uint64_t live_capacity;
  uint64_t histogram_capacity;
  bool is_packed; /* raw_tables_decode_rest has something to do */
  uint64_t string_bytes;
  uint32_t *live_of_mib; /* number of its live record plus 1, or 0 */

  /* The MIBs that count, by context: a list, 0 at its end.  */
  uint32_t *first_mib; /* of each context */
  uint32_t *next_mib;  /* after each MIB */
};

/* Decode the file that READER stands at the start of.  All of *TABLES is
   malloced, also if that fails.  */
bool raw_tables_decode (struct raw_tables *tables, struct byte_reader *reader);

/* The same in two parts: of a packed file, the second one decodes the MIBs and
   what follows them; no context of it says which one it has.  */
bool raw_tables_decode_start (struct raw_tables *tables,
			      struct byte_reader *reader);
bool raw_tables_decode_rest (struct raw_tables *tables,
			     struct byte_reader *reader);

/* raw-unpack.c: the same for a packed file, of which READER has read the first
   16 bytes into the header of *TABLES, which is all zero but for that.  */
bool raw_tables_unpack_start (struct raw_tables *tables,
			      struct byte_reader *reader);
bool raw_tables_unpack_rest (struct raw_tables *tables,
			     struct byte_reader *reader);

/* Check every index and offset in *TABLES; fill live_of_mib and the lists of
   MIBs; empty the MIBs of contexts that a running process had not yet counted
   when its file was read.  */
bool raw_tables_check (struct raw_tables *tables, struct byte_reader *reader);

/* Check the name of the program and the segments alone.  */
bool raw_tables_check_segments (const struct raw_tables *tables,
				struct byte_reader *reader);

void raw_tables_free (struct raw_tables *tables);

/* "context", "MIB", ... for the records of KIND.  */
const char *raw_kind_name (uint32_t kind);

/* File offset of the record INDEX of KIND; PROFILE_ERROR_NO_OFFSET in a packed
   file.  */
uint64_t raw_tables_offset (const struct raw_tables *tables, uint32_t kind,
			    uint64_t index);

#endif /* HEAPPROF_RAW_TABLES_H */
