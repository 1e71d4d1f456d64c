/* Data in perf.data that the processor has written by itself.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PERF_AUX_H
#define HEAPPROF_PERF_AUX_H

#include "byte-reader.h"
#include "perf-events.h"
#include "perf-threads.h"
#include <stdbool.h>
#include <stdint.h>

/* How times of the machine's timer become those of the recording.  */
struct perf_clock
{
  bool is_known;
  bool is_short; /* the timer has less than 64 bits */
  uint64_t shift;
  uint64_t factor;
  uint64_t zero;
  uint64_t cycles; /* of the timer at some time, if it is short */
  uint64_t mask;   /* its bits */
};

/* State while records are read; all zeros at first.  */
struct perf_aux
{
  uint32_t kind; /* of enum perf_aux_kind */
  struct perf_clock clock;
  struct perf_threads threads;
};

void perf_aux_release (struct perf_aux *aux);

/* Read the body of a record of TYPE: what kind of data there will be, the
   clock, or a thread.  Return false if READER failed.  */
bool perf_aux_prepare (struct perf_aux *aux, uint32_t type,
		       struct byte_reader *reader);

/* Pass the samples in DATA, which follows the record HEADER, to HANDLER, which
   has a function for them.  If not HAS_TIMES, their order is ORDER.  Return
   false if HEADER or DATA failed.  */
bool perf_aux_handle (struct perf_aux *aux, struct byte_reader *header,
		      struct byte_reader *data,
		      const struct perf_handler *handler, bool has_times,
		      uint64_t order);

#endif /* HEAPPROF_PERF_AUX_H */
