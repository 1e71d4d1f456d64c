/* Sample profiles of an older version of a program, fitted to a newer one.
   SPDX-License-Identifier: GPL-3.0-or-later

   The newer version is described by its shape: a profile whose functions have
   every location with code, and every call as a target or an inlined function,
   with any counts.  Locations of a function move as its calls did
   (function-align.h); functions that were renamed get their new names
   (function-renames.h); code that became a function of its own moves there
   (function-splits.h), and that of functions which are part of their callers
   now to these (function-merges.h).  Places that a line no longer tells apart
   are one (line-discriminators.h).  Counts are never changed, except that those
   of a function with several callers, which is part of all of them now, are
   divided in proportion to the calls; and the call of a new function is as
   frequent as the first code that moved there.  */

#ifndef HEAPPROF_STALE_SAMPLES_H
#define HEAPPROF_STALE_SAMPLES_H

#include "profile-error.h"
#include "sample-profile.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

  enum stale_move
  {
    STALE_RENAMED, /* from BEFORE to AFTER */
    STALE_SPLIT,   /* code of BEFORE is in the new function AFTER */
    STALE_MERGED   /* the code of BEFORE is in its caller AFTER */
  };

  /* A function whose code has another function's name now.  */
  struct stale_rename
  {
    enum stale_move kind;
    char *before; /* malloced */
    char *after;
  };

  struct stale_samples_report
  {
    uint64_t counts;  /* sum of all body samples */
    uint64_t same;    /* of those whose location has code in the newer version
			 at the same place of the same function */
    uint64_t matched; /* of those whose new location has code */
    uint64_t operations; /* whose values were counted, in changed functions */
    uint64_t kept;	 /* of them, those whose values are kept */
    uint32_t functions;	 /* functions, inlined ones included, each once */
    uint32_t changed;	 /* of them, those with locations that moved */
    uint32_t gone;	 /* of them, those without a counterpart */
    uint32_t renamed;	 /* renames of each kind */
    uint32_t split;
    uint32_t merged;
    struct stale_rename *renames; /* malloced */
    size_t rename_count;
  };

  /* Where every function of a profile is now.  */
  struct stale_fit;

  /* Places in the newer version.  */
  struct stale_place
  {
    uint32_t name; /* in the shape */
    struct sample_location location;
    bool has_code;
    bool is_called;  /* by the function that it was part of */
    bool is_inlined; /* there, in the newer version */
    uint32_t caller_name;
    struct sample_location call;
  };

  /* Fit PROFILE to SHAPE, to which names are added; both, and *REPORT, which is
     filled but for the counts, must outlive the result.  If all locations of
     PROFILE are calls, UNKNOWN is the name there of functions that are not
     known; otherwise SAMPLE_NO_NAME.  NULL if memory is exhausted.  Free it
     with stale_fit_free, which accepts NULL.  */
  struct stale_fit *stale_fit_new (const struct sample_profile *profile,
				   struct sample_profile *shape,
				   uint32_t unknown,
				   struct stale_samples_report *report);
  void stale_fit_free (struct stale_fit *fit);

  /* Find out where LOCATION of the function NAME of the profile is now.  Return
     false if the function is not in the newer version.  */
  bool stale_fit_find (const struct stale_fit *fit, uint32_t name,
		       struct sample_location location,
		       struct stale_place *place);

  /* Return true if the newer version has code at LOCATION of NAME, too.  */
  bool stale_fit_is_same (const struct stale_fit *fit, uint32_t name,
			  struct sample_location location);

  /* Return PROFILE fitted to SHAPE, to which names are added.  Fill *REPORT,
     which the caller releases in any case.  NULL and *ERR, without a path, if
     the samples are probe-based or memory is exhausted.  */
  struct sample_profile *
  stale_samples_fit (const struct sample_profile *profile,
		     struct sample_profile *shape,
		     struct stale_samples_report *report,
		     struct profile_error *err);
  void stale_samples_report_release (struct stale_samples_report *report);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_STALE_SAMPLES_H */
