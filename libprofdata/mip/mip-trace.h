/* Traces: the functions of a run in the order of their first calls.
   SPDX-License-Identifier: GPL-3.0-or-later

   A profile keeps at most MIP_MAX_TRACES traces: if there are more, a uniform
   sample.  The random numbers depend only on what was seen so far, so that the
   same inputs in the same order give the same file.  */

#ifndef HEAPPROF_MIP_TRACE_H
#define HEAPPROF_MIP_TRACE_H

#include "mip-profile.h"

struct mip_trace_step
{
  uint32_t order;
  uint32_t function;
};

/* All zeros is an empty one.  */
struct mip_trace_maker
{
  struct mip_trace_step *steps; /* malloced */
  size_t count;
  size_t capacity;
};

/* Add FUNCTION, which was called as number ORDER.  Return false if memory is
   exhausted.  */
bool mip_trace_maker_add (struct mip_trace_maker *maker, uint32_t order,
			  uint32_t function);

/* If MAKER is not empty, add its content to PROFILE as a trace of a run that
   ended at TIME_NS.  Return false if memory is exhausted.  */
bool mip_trace_maker_finish (struct mip_trace_maker *maker,
			     struct mip_profile *profile, uint64_t time_ns,
			     uint64_t weight);

void mip_trace_maker_release (struct mip_trace_maker *maker);

/* Remove trace data that no trace refers to.  */
bool mip_traces_compact (struct mip_profile *profile);

#endif /* HEAPPROF_MIP_TRACE_H */
