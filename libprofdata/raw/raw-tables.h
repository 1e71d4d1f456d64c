/* The records of a raw profile, decoded and checked; used by raw-profile.c.
   SPDX-License-Identifier: GPL-3.0-or-later

   raw-decode.c, or raw-unpack.c for packed files, converts the records to host
   byte order; raw-check.c checks the references between them.  No check is left
   after both.  */

#ifndef HEAPPROF_RAW_TABLES_H
#define HEAPPROF_RAW_TABLES_H

#include "byte-reader.h"
#include "heapprof/raw-format.h"
#include "heapprof/raw-mib.h"
#include "info-table.h"
#include "profile-error.h"
#include "raw-mib-info.h"
#include "raw-profile.h"
#include "raw-progress.h"
#include "record-table.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A MIB of a packed file, without its observations.  */
struct raw_packed_mib
{
  uint64_t alloc_bytes;
  uint64_t peak_bytes;
  uint64_t temporary_count;
  uint64_t lifetime_bytes;
  uint16_t first_bytes; /* as coded */
  uint32_t peak_count;
  uint32_t live_count; /* as in its live record */
  uint32_t alloc_count;
  uint32_t context;
  uint32_t info;    /* number of its observations; 0: none are needed */
  bool is_observed; /* has observations */
};

struct raw_tables
{
  struct heapprof_raw_header header;
  struct heapprof_raw_context *contexts;
  struct heapprof_raw_mib *mibs; /* those of the file, then the brief ones */
  struct heapprof_raw_brief *briefs;
  struct heapprof_raw_origin *origins; /* one for each of them */
  struct heapprof_raw_segment *segments;
  struct heapprof_raw_live *live;
  struct heapprof_raw_wide *wide;
  struct heapprof_raw_histogram *histograms;
  struct heapprof_raw_affinity *affinities;
  struct heapprof_raw_leak *leaks;
  struct heapprof_raw_interpreted *interpreted;
  struct heapprof_raw_moment *moments; /* by MIB, fewer if MIBs have none */
  struct heapprof_raw_timeline *timelines;
  char *strings;
  uint64_t context_count;
  uint64_t mib_count;
  uint64_t own_mib_count; /* of the file; not in a packed one */
  uint64_t brief_count;
  uint64_t segment_count;
  uint64_t live_count;
  uint64_t wide_count;
  uint64_t histogram_count;
  uint64_t affinity_count;
  uint64_t leak_count;
  uint64_t interpreted_count;
  uint64_t moment_count;
  uint64_t timeline_count;

  /* What the last search for lost blocks found: these of the records.  */
  bool has_leaks;
  uint64_t first_leak;
  uint64_t found_leaks;

  /* The timeline, with the current interval.  */
  bool has_timeline;
  unsigned int shift;
  uint64_t time_ns; /* of its end */
  uint32_t sample_count;
  struct heapprof_raw_sample *samples;

  /* Marks; of a mapped file, converted by raw_times_convert.  */
  struct heapprof_raw_mark *mapped_marks;
  struct heapprof_raw_live *mapped_marked;
  uint64_t mapped_mark_count;
  uint64_t mapped_marked_count;
  struct raw_mark *marks;
  struct raw_marked *marked;
  uint64_t mark_count;
  uint64_t marked_count;

  /* Threads; of a mapped file, converted by raw_threads_convert.  */
  struct heapprof_raw_thread *mapped_threads;
  uint64_t mapped_thread_count;
  struct raw_thread *threads;
  uint64_t thread_count;

  /* The file of a process that is running or was killed: more is live than at
     the last peak it recorded, so this is the peak.  */
  bool is_peak_now;
  uint64_t peak_bytes;	    /* at the peak, summed over MIBs modulo 2^64 */
  uint64_t allocated_bytes; /* summed over MIBs; 0: lifetimes are unknown */
  /* Of the MIBs of a packed file: the greatest sum of lifetimes.  */
  uint64_t most_lifetime_ns;
  /* In a packed file, replaces MIBS and WIDE.  */
  struct raw_packed_mib *packed_mibs;
  struct info_table infos; /* of MIBs, as if each context had just one */
  bool may_be_brief;	   /* they may have the short form */

  struct raw_progress progress; /* while they are unpacked */

  uint64_t mib_capacity; /* of the arrays, while they are unpacked */
  uint64_t live_capacity;
  uint64_t histogram_capacity;
  uint64_t affinity_capacity;
  uint64_t leak_capacity;
  uint64_t thread_capacity;
  bool is_packed; /* raw_tables_decode_rest has work to do */
  uint64_t string_bytes;
  uint32_t *live_of_mib; /* number of its live record plus 1, or 0 */

  /* The non-empty MIBs of a context: a list that ends with 0.  */
  uint32_t *first_mib; /* of each context */
  uint32_t *next_mib;  /* after each MIB */
};

/* Decode the file at whose start READER is.  All of *TABLES is malloced, also
   on failure.  */
bool raw_tables_decode (struct raw_tables *tables, struct byte_reader *reader);

/* The same in two parts.  In a packed file, the second part decodes the MIBs
   and everything after them; its contexts do not refer to MIBs.  */
bool raw_tables_decode_start (struct raw_tables *tables,
			      struct byte_reader *reader);
bool raw_tables_decode_rest (struct raw_tables *tables,
			     struct byte_reader *reader);

/* raw-unpack.c: the same for a packed file.  READER has read the first 16 bytes
   into the header of *TABLES, which is zero otherwise.  */
bool raw_tables_unpack_start (struct raw_tables *tables,
			      struct byte_reader *reader);
bool raw_tables_unpack_rest (struct raw_tables *tables,
			     struct byte_reader *reader);

/* raw-briefs.c: Set the brief MIBs and the origins of *TABLES, which has a
   number of the former, to those that BRIEFS of version 6 stand for.  */
bool raw_briefs_renew (struct raw_tables *tables,
		       const struct heapprof_raw_brief_6 *briefs,
		       struct byte_reader *reader);

/* raw-briefs.c: Turn the brief MIBs of a mapped file into others.  */
bool raw_briefs_convert (struct raw_tables *tables, struct byte_reader *reader);

/* raw-times.c: Check the timeline and the marks of a mapped file, convert them,
   and find the peak.  raw_tables_check must have succeeded.  */
bool raw_times_convert (struct raw_tables *tables, struct byte_reader *reader);

/* raw-threads.c: Convert the threads of a mapped file; after
   raw_times_convert.  */
bool raw_threads_convert (struct raw_tables *tables,
			  struct byte_reader *reader);

/* Set *COUNT and *BYTES to what was allocated but not released in MIB number
   INDEX of a mapped file at the peak.  */
void raw_tables_peak (const struct raw_tables *tables, uint64_t index,
		      uint32_t *count, uint64_t *bytes);

/* Return the length of the run.  */
static inline struct raw_length
raw_tables_length (const struct raw_tables *tables)
{
  const uint64_t end_ns = tables->header.end_time_ns;
  return (struct raw_length){ .ns = end_ns != 0 ? end_ns : tables->time_ns,
			      .bytes = tables->allocated_bytes };
}

/* Return true if the string at OFFSET ends in the extent in which it
   starts.  */
bool raw_tables_string_is_whole (const struct raw_tables *tables,
				 uint64_t offset);

/* Return true if the MIB numbered INDEX of a mapped file has any content.  */
bool raw_tables_mib_counts (const struct raw_tables *tables, uint64_t index);

/* Check every index and offset in *TABLES; fill live_of_mib and the lists of
   MIBs; clear the MIBs of contexts that a running process had not yet counted
   when its file was read.  */
bool raw_tables_check (struct raw_tables *tables, struct byte_reader *reader);

/* Check only the name of the program and the segments.  */
bool raw_tables_check_segments (const struct raw_tables *tables,
				struct byte_reader *reader);

void raw_tables_free (struct raw_tables *tables);

/* Return "context", "MIB", ... for records of KIND.  */
const char *raw_kind_name (uint32_t kind);

/* Read the bits of *VARIANCES by READ.  */
static inline void
raw_read_variances (struct heapprof_raw_variances *variances,
		    uint64_t (*read) (struct byte_reader *, const char *),
		    struct byte_reader *reader)
{
  double *const each[]
    = { &variances->count, &variances->bytes, &variances->accesses };
  for (int i = 0; i < 3; i++)
    {
      uint64_t bits = read (reader, "a variance");
      memcpy (each[i], &bits, sizeof bits);
    }
}

/* Return the file offset of record INDEX of KIND; PROFILE_ERROR_NO_OFFSET in a
   packed file.  */
uint64_t raw_tables_offset (const struct raw_tables *tables, uint32_t kind,
			    uint64_t index);

/* Return the observations of MIB number INDEX of a mapped file, including those
   in its wide record, if it has one.  */
static inline struct heapprof_raw_observations
raw_tables_observations (const struct raw_tables *tables, uint64_t index)
{
  const struct heapprof_raw_mib *mib = &tables->mibs[index];
  return heapprof_raw_mib_observations (mib, mib->wide == 0
					       ? NULL
					       : &tables->wide[mib->wide]
						    .observations);
}

#endif /* HEAPPROF_RAW_TABLES_H */
