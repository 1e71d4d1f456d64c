/* The identity of this process.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_IDENTITY_H
#define HEAPPROF_IDENTITY_H

#include "heapprof/raw-format.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Identifies a process permanently, as its PID may be reused.  Zeros are
   unknown.  */
struct rt_identity
{
  uint64_t pid;
  uint64_t start_ticks;	  /* its start, in clock ticks since boot */
  uint64_t pid_namespace; /* the namespace of PID */
  uint64_t boot[2];	  /* the machine's boot ID */
};

/* Fill ID with BYTES bytes that are unique to this run.  */
void rt_make_run_id (uint8_t *id, size_t bytes);

/* Identify this process; exec does not change its identity.  */
void rt_identify (struct rt_identity *identity);

/* True if the process that now has PID is not the one that started at
   START_TICKS.  */
bool rt_process_is_other (uint64_t pid, uint64_t start_ticks);

/* True if the process of IDENTITY wrote HEADER.  */
bool rt_identity_is_of (const struct rt_identity *identity,
			const struct heapprof_raw_header *header);

#endif /* HEAPPROF_IDENTITY_H */
