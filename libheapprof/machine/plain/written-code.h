/* Code written at run time: none where sample.c's takes as many instructions.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_WRITTEN_CODE_H
#define HEAPPROF_WRITTEN_CODE_H

#define MACHINE_WRITES_CODE 0

#endif /* HEAPPROF_WRITTEN_CODE_H */
