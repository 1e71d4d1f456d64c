/* GCC's own counters of an older version of a program fitted to a newer one.
   SPDX-License-Identifier: GPL-3.0-or-later

   GCC drops the counters of a function whose flow graph changed, and does not
   find those of a function with another name.  Here functions are found again
   by name, in the same unit or another one, or in a unit by how similar their
   blocks are.  The counts of blocks and arcs that are still there are kept, and
   the others are those that follow, or are likely, from them.  Notes do not
   tell where the operations are whose values are counted.  If it is known how
   many the newer version has, values are kept as fit-values.h says, targets of
   indirect calls, if their number differs, up to the first call that is another
   one.  If not, a function whose flow graph changed has no values, nor the time
   of its first run: see make_vectors.

   Notes of both versions are needed, made by -ftest-coverage.  */

#ifndef HEAPPROF_GCOV_FIT_H
#define HEAPPROF_GCOV_FIT_H

#include "gcov-notes.h"
#include "gcov-profile.h"
#include "profile-error.h"
#include "stale-samples.h"
#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* A unit that was counted.  */
  struct gcov_fit_before
  {
    const struct gcov_unit *unit;
    const struct gcov_notes *notes; /* of the same compilation; NULL: missing */
  };

#define GCOV_FIT_NEW SIZE_MAX

  /* How many counters, or sites, of each kind a function has.  */
  struct gcov_value_counts
  {
    uint32_t ident;
    uint32_t lineno_checksum;
    uint32_t cfg_checksum;
    uint32_t counters[GCOV_KINDS];
  };

  /* Compare by the three numbers, for qsort.  */
  int gcov_value_counts_compare (const void *element1, const void *element2);

  /* A unit of the newer version.  */
  struct gcov_fit_after
  {
    const char *path; /* of its data file */
    const struct gcov_notes *notes;
    size_t before; /* index of the same unit; GCOV_FIT_NEW: there is none */
    const struct gcov_value_counts *counts; /* of its functions, sorted; NULL:
					       unknown */
    size_t count_count;
  };

  /* Return the counters of BEFORE, of which there are N, at least 1, as those
     of AFTER, of which there are M.  Fill *REPORT, which the caller releases in
     any case: its counts are those of blocks, and same are those that GCC
     itself would find.  NULL and *ERR, without a path, if memory is exhausted.
   */
  struct gcov_profile *gcov_fit (const struct gcov_fit_before *before, size_t n,
				 const struct gcov_fit_after *after, size_t m,
				 struct stale_samples_report *report,
				 struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_GCOV_FIT_H */
