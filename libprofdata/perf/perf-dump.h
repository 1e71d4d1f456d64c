/* Samples as `perf report -D' prints them.
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

  /* Has any line of the N bytes at DATA a record as such a text has it, with
     its size?  */
  bool perf_dump_is_possible (const void *data, size_t n);

  /* Give the events of the SIZE bytes at DATA, the file PATH, to HANDLER.  Of
     samples, only the process, the instruction, the period and the address of
     the data are taken.  False and *ERR if there is no event, or HANDLER wants
     no more.  */
  bool perf_dump_read (const char *path, const void *data, size_t size,
		       const struct perf_handler *handler,
		       struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_PERF_DUMP_H */
