/* GCC's own counters of an older version of a program fitted to a newer one.
   SPDX-License-Identifier: GPL-3.0-or-later

   GCC drops the counters of a function whose flow graph changed, and does not
   find those of a function with another name.  Here functions are found again
   by name, in the same unit or another one, or in a unit by how similar their
   blocks are.  The counts of blocks and arcs that are still there are kept, and
   the others are those that follow, or are likely, from them.  Values at single
   operations are kept only for functions whose flow graph is as before, since
   notes do not tell where such operations are; targets of indirect calls also
   up to the first call that is another one.

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

  /* A unit of the newer version.  */
  struct gcov_fit_after
  {
    const char *path; /* of its data file */
    const struct gcov_notes *notes;
    size_t before; /* index of the same unit; GCOV_FIT_NEW: there is none */
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
