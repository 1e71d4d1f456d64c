/* How the process of a raw profile ended, if it did.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef RUN_STATE_H
#define RUN_STATE_H

#include "heapprof/raw-format.h"

enum run_state
{
  RUN_COMPLETE, /* the profile is */
  RUN_KILLED,	/* the process ended otherwise */
  RUN_RUNNING,
  RUN_UNKNOWN /* not complete; the process was one of another
		 machine or container, or has no marks */
};

/* The state of the process that wrote the raw profile PATH, which has HEADER
   and names PROGRAM.  */
enum run_state run_state_of (const struct heapprof_raw_header *header,
			     const char *path, const char *program);

#endif /* RUN_STATE_H */
