/* The epoch: identifies the observations that belong to the profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "epoch.h"
#include "arena.h"

uint32_t rt_epoch = 1;

uint32_t
rt_epoch_begin (void)
{
  /* No MIB has epoch 0.  */
  const uint32_t step = rt_epoch_of_mibs (rt_epoch + 1) == 0 ? 2 : 1;
  /* So none is of an epoch that seems to be the present one in as many.  */
  if ((rt_epoch + step) % (RT_BLOCK_EPOCHS / 2) < step)
    rt_arena_retire (rt_epoch);
  return __atomic_add_fetch (&rt_epoch, step, __ATOMIC_ACQ_REL);
}
