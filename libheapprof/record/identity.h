/* Which process this is.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_IDENTITY_H
#define HEAPPROF_IDENTITY_H

#include "heapprof/raw-format.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which process one is, for ever: PID alone may be used again.  0 and zeros
   are not known.  */
struct rt_identity
{
  uint64_t pid;
  uint64_t start_ticks;	  /* when it started, since the machine did */
  uint64_t pid_namespace; /* that PID is a number in */
  uint64_t boot[2];	  /* of the machine, since it started */
};

/* Fill ID with BYTES bytes that no other run has.  */
void rt_make_run_id (uint8_t *id, size_t bytes);

/* This process: exec does not change it.  */
void rt_identify (struct rt_identity *identity);

/* Does the process that PID is now not have the START_TICKS of another one,
   that had this number before?  */
bool rt_process_is_other (uint64_t pid, uint64_t start_ticks);

/* Is HEADER one that the process of IDENTITY wrote?  */
bool rt_identity_is_of (const struct rt_identity *identity,
			const struct heapprof_raw_header *header);

#endif /* HEAPPROF_IDENTITY_H */
