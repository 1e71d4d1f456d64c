/* Branch stacks as printed by `perf script -F ip,brstack --show-mmap-events'.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PERF_SCRIPT_H
#define HEAPPROF_PERF_SCRIPT_H

#include "perf-events.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* Pass the events in the SIZE bytes at DATA, the file PATH, to HANDLER.  The
     samples do not specify their process.  Return false and set *ERR if there
     is no sample, one is invalid, or HANDLER stops the reading.  */
  bool perf_script_read (const char *path, const void *data, size_t size,
			 const struct perf_handler *handler,
			 struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_PERF_SCRIPT_H */
