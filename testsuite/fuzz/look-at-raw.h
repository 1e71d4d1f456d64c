/* Reading a damaged raw profile, for replays.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_LOOK_AT_RAW_H
#define HEAPPROF_LOOK_AT_RAW_H

#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

/* Read the SIZE bytes at DATA and use all that the library hands out: `read'
   of struct mutate_target.  */
bool look_at_raw (const unsigned char *data, size_t size,
		  struct profile_error *err);

#endif /* HEAPPROF_LOOK_AT_RAW_H */
