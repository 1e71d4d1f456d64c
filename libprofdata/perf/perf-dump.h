/* Samples as printed by `perf report -D'.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PERF_DUMP_H
#define HEAPPROF_PERF_DUMP_H

#include "perf-events.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* Return true if any line of the N bytes at DATA has a record of such a text,
     with its size.  */
  bool perf_dump_is_possible (const void *data, size_t n);

  /* Pass the events in the SIZE bytes at DATA, the file PATH, to HANDLER.
     Samples only have the process, the instruction, the period and the data
     address.  Return false and set *ERR if there is no event, or HANDLER stops
     the reading.  */
  bool perf_dump_read (const char *path, const void *data, size_t size,
		       const struct perf_handler *handler,
		       struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_PERF_DUMP_H */
