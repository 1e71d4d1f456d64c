/* Whether and how the process of a raw profile ended.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_RUN_STATE_H
#define HEAPPROF_RUN_STATE_H

#include "heapprof/raw-format.h"

enum run_state
{
  RUN_COMPLETE, /* the profile is complete */
  RUN_KILLED,	/* the process ended before completing it */
  RUN_RUNNING,
  RUN_UNKNOWN /* not complete; the process was on another machine or in a
		 container, or the profile does not identify it */
};

/* Return the state of the process that wrote the raw profile PATH, which has
   HEADER and names PROGRAM.  */
enum run_state run_state_of (const struct heapprof_raw_header *header,
			     const char *path, const char *program);

#endif /* HEAPPROF_RUN_STATE_H */
