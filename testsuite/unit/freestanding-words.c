/* Unit tests of the run-time libraries' memory functions by words, which are
   for other processors than this one: the tests of freestanding-bytes.c.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdbool.h>

/* These loops instead of this machine's.  */
#define HEAPPROF_BYTES_LOOPS_H
#define BARRIER() __asm__ volatile("" ::: "memory")
#define WORDS_MAY_BE_UNALIGNED words_may_be_unaligned
#define UNALIGNED_IS_TESTED

static bool words_may_be_unaligned;

#include "../../freestanding/bytes-words.h"
#include "freestanding-bytes.c"
