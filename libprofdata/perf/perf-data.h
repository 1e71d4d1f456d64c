/* perf.data: the file that `perf record' writes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PERF_DATA_H
#define HEAPPROF_PERF_DATA_H

#include "perf-events.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* Return true if the N bytes at DATA start like such a file.  */
  bool perf_data_has_magic (const void *data, size_t n);

  /* Pass the events in the SIZE bytes at DATA, the file PATH or piped output of
     perf, to HANDLER.  Return false and set *ERR if it is invalid or HANDLER
     stops the reading.  */
  bool perf_data_read (const char *path, const void *data, size_t size,
		       const struct perf_handler *handler,
		       struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_PERF_DATA_H */
