/* Performance monitoring units of the recording machine.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PERF_UNITS_H
#define HEAPPROF_PERF_UNITS_H

#include "byte-reader.h"
#include <stdbool.h>
#include <stdint.h>

/* What is known about the units.  All zeros is nothing.  */
struct perf_units
{
  uint32_t ibs_op; /* type of events of AMD's "ibs_op", 0: there is none */
};

/* Read the names and types of all units from READER, which covers just these.
   Return false if READER failed.  */
bool perf_units_read (struct perf_units *units, struct byte_reader *reader);

#endif /* HEAPPROF_PERF_UNITS_H */
