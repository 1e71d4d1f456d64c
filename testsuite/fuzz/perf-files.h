/* Make valid perf recordings, to be damaged.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PERF_FILES_H
#define HEAPPROF_PERF_FILES_H

#include "perf-builder.h"

/* A recording: for perf_build; as printed by `perf script'; as printed by `perf
   report -D'.  */
extern const char perf_file_description[];
extern const char perf_file_script[];
extern const char perf_file_dump[];

/* Of operations recorded by Arm's SPE, which are not in compressed records.  */
extern const char perf_file_operations[];

#endif /* HEAPPROF_PERF_FILES_H */
