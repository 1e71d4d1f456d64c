/* gcc's data files fitted to a changed program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_FIT_COUNTERS_H
#define HEAPPROF_FIT_COUNTERS_H

#include "gcov-tree.h"
#include "profile-inputs.h"
#include <stdbool.h>
#include <stddef.h>

struct counters_fitting
{
  const struct profile_inputs *inputs; /* of the older version */
  char *const *new_notes; /* files and directories of the newer version */
  size_t new_notes_count;
  struct gcov_tree tree; /* of the fitted data files */
};

/* Read the counters, write those that fit the newer version, and print how much
   was found again.  On failure print errors and return false.  */
bool counters_fit (const struct counters_fitting *fitting);

#endif /* HEAPPROF_FIT_COUNTERS_H */
