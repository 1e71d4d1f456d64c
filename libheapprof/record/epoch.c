/* The epoch: identifies the observations that belong to the profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "epoch.h"

uint32_t rt_epoch = 1;

uint32_t
rt_epoch_begin (void)
{
  /* No MIB has epoch 0.  */
  const uint32_t step = rt_epoch_of_mibs (rt_epoch + 1) == 0 ? 2 : 1;
  return __atomic_add_fetch (&rt_epoch, step, __ATOMIC_ACQ_REL);
}
