/* perf.data: the recording that `perf record' leaves behind.
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

  /* Do the N bytes at DATA start as such a file does?  */
  bool perf_data_has_magic (const void *data, size_t n);

  /* Give the events of the SIZE bytes at DATA, the file PATH, or what was piped
     out of perf, to HANDLER.  False and *ERR if it is damaged or HANDLER wants
     no more.  */
  bool perf_data_read (const char *path, const void *data, size_t size,
		       const struct perf_handler *handler,
		       struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_PERF_DATA_H */
