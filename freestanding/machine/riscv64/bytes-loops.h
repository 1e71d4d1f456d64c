/* Loops over memory on RISC-V, for bytes.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_BYTES_LOOPS_H
#define HEAPPROF_BYTES_LOOPS_H

/* Some processors leave unaligned words to the firmware.  */
#define WORDS_MAY_BE_UNALIGNED 0

#include "bytes-words.h"

#endif /* HEAPPROF_BYTES_LOOPS_H */
