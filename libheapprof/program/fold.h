/* Folding an observation into a MIB of a thread, whatever it takes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A MIB may have to grow, or need a wide record.  If there is no space for
   that, the block is counted at the root.  What only adds to sums does not come
   here (mib-familiar.h).  */

#ifndef HEAPPROF_FOLD_H
#define HEAPPROF_FOLD_H

#include "mib.h"
#include "thread.h"
#include <stdint.h>

/* Fold OBSERVATION, in EPOCH, with ESTIMATE if it is a sample, into the MIB
   that INDEX leads to, or THREAD's own for the same context; add END_BYTES to
   lifetimes.  Return the number of this MIB.  THREAD is the calling one.  */
uint32_t rt_fold_observation (struct rt_thread *thread, uint32_t index,
			      uint32_t epoch,
			      const struct rt_observation *observation,
			      const struct rt_estimate *estimate,
			      uint64_t end_bytes);

#endif /* HEAPPROF_FOLD_H */
