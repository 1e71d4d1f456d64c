/* gcc's data files (.gcda): the reader and the writer.
   SPDX-License-Identifier: GPL-3.0-or-later

     file      header, summary?, functions, u32 0
     summary   tag, length, u32 runs, u32 sum of their greatest arc counters
     function  tag, length, u32 ident, u32 checksum of name and line,
	       u32 checksum of the flow graph; then a record of counters for
	       each kind; or, of length 0, a position whose code is elsewhere
     counters  tag, length, the counters.  Are all 0, the length is negated and
	       they are left out.  Sites: each a total, a number, and that many
	       pairs of value and count; never left out.

   A freestanding program streams the same, each file behind a header of its
   own: magic `gcfn', version, name.  */

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

/* So many values of a site are written, those with the greatest counts; gcc's
   run-time library has no room for more.  */
#define GCOV_DATA_MOST_TARGETS 32

/* A reader refuses more than so many counters for a file of SIZE bytes, so that
   a small file cannot make others large: vectors of zeros take no room.  */
#define GCOV_DATA_MOST_COUNTERS(size) ((UINT64_C (1) << 20) + 64 * (size))

  /* Do the N bytes at DATA start as a data file, or a stream of them?  */
  bool gcov_data_has_magic (const void *data, size_t n);

  /* Add the SIZE bytes at DATA, a data file or a stream, to PROFILE.  PATH
     names them in errors.  The unit of a data file has the path UNIT_PATH,
     those of a stream have their own.  False and *ERR if it is refused; PROFILE
     may then have some of it.  */
  bool gcov_data_parse (struct gcov_profile *profile, const char *path,
			const char *unit_path, const void *data, size_t size,
			struct profile_error *err);

  /* Append the data file of UNIT to WRITER, byte for byte what was read if
     nothing was added.  False and *ERR, without a path, if a file cannot hold
     UNIT or memory cannot be had.  */
  bool gcov_data_serialize (struct byte_writer *writer,
			    const struct gcov_unit *unit,
			    struct profile_error *err);

  /* Would the data file of UNIT, which has SIZE bytes, be read?  False and
   *ERR, without a path, if it stands for too many counters.  */
  bool gcov_data_check (const struct gcov_unit *unit, uint64_t size,
			struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_GCOV_DATA_H */
