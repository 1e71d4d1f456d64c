/* Writing indexed profiles to files or to standard output.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_INDEXED_OUTPUT_H
#define HEAPPROF_INDEXED_OUTPUT_H

#include "indexed-profile.h"
#include <stdbool.h>

/* Write PROFILE to OUTPUT, `-' for standard output, as an indexed profile.
   Return false and set *ERR on failure.  */
bool indexed_output_write (const char *output, const struct profile *profile,
			   const struct indexed_profile_options *options,
			   struct profile_error *err);

#endif /* HEAPPROF_INDEXED_OUTPUT_H */
