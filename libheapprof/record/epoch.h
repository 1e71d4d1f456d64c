/* The epoch: what the profile is about.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   It changes when what was observed is forgotten, and in the child of a fork.
   Blocks of another epoch are not observed when they are released.  */

#ifndef HEAPPROF_EPOCH_H
#define HEAPPROF_EPOCH_H

#include "heapprof/raw-format.h"
#include <stdint.h>

/* Its lower 15 bits, which MIBs have, are never 0.  */
extern uint32_t rt_epoch __attribute__ ((visibility ("hidden")));

/* Begin the next epoch; return it.  */
uint32_t rt_epoch_begin (void);

/* The epoch as MIBs and the file's header have it.  */
static inline uint16_t
rt_epoch_of_mibs (uint32_t epoch)
{
  return epoch & HEAPPROF_RAW_EPOCH_MASK;
}

#endif /* HEAPPROF_EPOCH_H */
