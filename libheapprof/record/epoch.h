/* The epoch: identifies the observations that belong to the profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   It changes when observations are discarded, and in the child of a fork.
   Releases of blocks of another epoch are not observed.  */

#ifndef HEAPPROF_EPOCH_H
#define HEAPPROF_EPOCH_H

#include "heapprof/raw-format.h"
#include <stdint.h>

/* Its lower 15 bits, which are stored in MIBs, are never 0.  */
extern uint32_t rt_epoch __attribute__ ((visibility ("hidden")));

/* Start the next epoch; return it.  */
uint32_t rt_epoch_begin (void);

/* Return EPOCH as stored in MIBs and the file's header.  */
static inline uint16_t
rt_epoch_of_mibs (uint32_t epoch)
{
  return epoch & HEAPPROF_RAW_EPOCH_MASK;
}

#endif /* HEAPPROF_EPOCH_H */
