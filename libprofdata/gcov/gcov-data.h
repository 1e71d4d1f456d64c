/* GCC's data files (.gcda): reader and writer.
   SPDX-License-Identifier: GPL-3.0-or-later

     file      header, summary?, functions, u32 0
     summary   tag, length, u32 runs, u32 sum of their greatest arc counters
     function  tag, length, u32 ident, u32 checksum of name and line,
	       u32 checksum of the flow graph; then a record of counters for
	       each kind; or, of length 0, a position whose code is elsewhere
     counters  tag, length, the counters.  If all are 0, the length is negated
	       and they are omitted.  Sites: each a total, a number, and that
	       many pairs of value and count; never omitted.

   A freestanding program streams the same, each file preceded by a header:
   magic `gcfn', version, name.  */

#ifndef HEAPPROF_GCOV_DATA_H
#define HEAPPROF_GCOV_DATA_H

#include "byte-writer.h"
#include "gcov-profile.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

/* Most values of a site that are written, those with the greatest counts; GCC's
   run-time library has no room for more.  */
#define GCOV_DATA_MOST_TARGETS 32

/* A reader accepts at most this many counters from a file of SIZE bytes, so
   that a small file cannot cause large ones: vectors of zeros take no room.  */
#define GCOV_DATA_MOST_COUNTERS(size) ((UINT64_C (1) << 20) + 64 * (size))

  /* Return true if the N bytes at DATA start like a data file, or a stream of
     them.  */
  bool gcov_data_has_magic (const void *data, size_t n);

  /* Add the SIZE bytes at DATA, a data file or a stream, to PROFILE.  PATH
     names them in errors.  The unit of a data file has the path UNIT_PATH;
     those of a stream have their own.  Return false and set *ERR on failure;
     PROFILE may then contain part of it.  */
  bool gcov_data_parse (struct gcov_profile *profile, const char *path,
			const char *unit_path, const void *data, size_t size,
			struct profile_error *err);

  /* Append the data file of UNIT to WRITER, byte for byte as it was read if
     nothing was added.  Return false and set *ERR, without a path, if a file
     cannot hold UNIT or memory is exhausted.  */
  bool gcov_data_serialize (struct byte_writer *writer,
			    const struct gcov_unit *unit,
			    struct profile_error *err);

  /* Check that the data file of UNIT, which has SIZE bytes, can be read.
     Return false and set *ERR, without a path, if it has too many counters.  */
  bool gcov_data_check (const struct gcov_unit *unit, uint64_t size,
			struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_GCOV_DATA_H */
