/* Write what was read, read the output, and write it again.
   SPDX-License-Identifier: GPL-3.0-or-later

   The second output must be the same bytes.  The functions fail only if memory
   runs out: then they return false and fill in *ERR.  */

#ifndef HEAPPROF_WRITE_AGAIN_H
#define HEAPPROF_WRITE_AGAIN_H

#include "profile-error.h"
#include "profile.h"
#include <stdbool.h>

/* Write PROFILE as an indexed file.  CHOICE chooses the versions.  */
bool write_indexed_again (const struct profile *profile, unsigned int choice,
			  struct profile_error *err);

/* Write COUNTERS or HEAP as text.  If NULL, do nothing.  */
bool write_text_again (const struct counter_profile *counters,
		       struct profile_error *err);
bool write_yaml_again (const struct heap_profile *heap,
		       struct profile_error *err);

#endif /* HEAPPROF_WRITE_AGAIN_H */
