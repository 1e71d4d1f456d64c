/* How often each line was executed, exactly as gcov counts.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GCOV_LINES_H
#define HEAPPROF_GCOV_LINES_H

#include "gcov-notes.h"
#include "gcov-profile.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

  struct gcov_line
  {
    uint32_t line;
    int64_t count;
    bool has_unexecuted_block; /* gcov's asterisk */
    bool is_exceptional;       /* only exceptions lead there; if never
				  executed, gcov's equals signs */
  };

  struct gcov_source
  {
    const char *path; /* as in the notes, which own it */
    uint32_t line_count;
    struct gcov_line *lines; /* those that have code, ascending */
  };

  struct gcov_lines
  {
    uint32_t source_count;
    struct gcov_source *sources; /* by path */
    struct gcov_line *lines;	 /* of all sources */
  };

  /* Count the lines of the functions in NOTES, with the counters of UNIT; NULL
     stands for an object that never ran.  Functions that UNIT has not, or whose
     counters do not fit, count nothing, as does what the compiler made up.  The
     lines are to be released with gcov_lines_free, which takes NULL too, before
     NOTES.  NULL if memory cannot be had.  */
  struct gcov_lines *gcov_lines_count (const struct gcov_notes *notes,
				       const struct gcov_unit *unit);
  void gcov_lines_free (struct gcov_lines *lines);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_GCOV_LINES_H */
