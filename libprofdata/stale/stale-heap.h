/* Heap profiles of an older version of a program, fitted to a newer one.
   SPDX-License-Identifier: GPL-3.0-or-later

   The frames of all contexts say which functions call which where; these calls
   are matched as those of a sample profile are (stale-samples.h).  In the shape
   of the newer version, columns are in place of discriminators, and calls of
   unknown functions have a name.  */

#ifndef HEAPPROF_STALE_HEAP_H
#define HEAPPROF_STALE_HEAP_H

#include "heap-profile.h"
#include "profile-error.h"
#include "sample-profile.h"
#include "stale-samples.h"

#ifdef __cplusplus
extern "C"
{
#endif

  /* The name of the function that a call in a shape has if it is unknown.  */
#define STALE_UNKNOWN_CALLEE "?"

  /* Where a function of the newer version is defined.  */
  struct stale_source
  {
    const char *path;	 /* NULL if unknown */
    uint32_t start_line; /* 0 if unknown */
  };

  /* Return PROFILE fitted to SHAPE, to which names are added.  SOURCES has
     COUNT entries, by number of the name in SHAPE.  Functions of modules with
     less than half of their functions in SHAPE are left alone.  Fill *REPORT,
     which the caller releases in any case; its counts are bytes: those whose
     contexts have no frame in a function that SHAPE lacks, or at a location
     without code there.  NULL and *ERR, without a path, if memory is
     exhausted.  */
  struct heap_profile *stale_heap_fit (const struct heap_profile *profile,
				       struct sample_profile *shape,
				       const struct stale_source *sources,
				       uint32_t count,
				       struct stale_samples_report *report,
				       struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_STALE_HEAP_H */
