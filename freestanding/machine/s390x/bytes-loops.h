/* Loops over memory on s390x, for bytes.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_BYTES_LOOPS_H
#define HEAPPROF_BYTES_LOOPS_H

#define WORDS_MAY_BE_UNALIGNED 1

#include "bytes-words.h"

#endif /* HEAPPROF_BYTES_LOOPS_H */
