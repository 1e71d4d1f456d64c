/* Raw profiles: unpacking, shared by its two parts.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_RAW_UNPACK_H
#define HEAPPROF_RAW_UNPACK_H

#include "heapprof/raw-packed.h"
#include "raw-tables.h"

/* Read a number that is stored as a difference from BASE.  */
static inline uint64_t
raw_unpack_signed (struct byte_reader *reader, uint64_t base, const char *what)
{
  return base + heapprof_packed_unzigzag (byte_reader_uleb128 (reader, what));
}

/* raw-unpack-mib.c: read the MIBs, with their wide and live records, and their
   end mark.  The contexts of *TABLES are complete.  */
bool raw_unpack_mibs (struct raw_tables *tables, struct byte_reader *reader);

/* The same for the histograms that may follow.  */
bool raw_unpack_histograms (struct raw_tables *tables,
			    struct byte_reader *reader);

/* raw-unpack-times.c: the same for the timeline and the marks.  */
bool raw_unpack_times (struct raw_tables *tables, struct byte_reader *reader);

/* The same for the affinities that may follow.  */
bool raw_unpack_affinities (struct raw_tables *tables,
			    struct byte_reader *reader);

/* The same for the leaks that may follow.  */
bool raw_unpack_leaks (struct raw_tables *tables, struct byte_reader *reader);

/* raw-threads.c: the same for the threads that may follow.  */
bool raw_unpack_threads (struct raw_tables *tables, struct byte_reader *reader);

#endif /* HEAPPROF_RAW_UNPACK_H */
