/* Which blocks are used together in an attached program: that is not recorded.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The functions of affinity.h without access counters, which would say it.  */

#include "affinity.h"
#include "shadow-window.h"

/* And those of affinity.h and shadow-window.h: counters that do not exist
   cannot say which blocks are used together.  */

bool rt_window_is_open;
uint64_t rt_affinity_due_ns = UINT64_MAX;

void
rt_affinity_step (void)
{}

void
rt_affinity_close (void)
{}

void
rt_affinity_see_release (const struct rt_block *block)
{
  (void) block;
}

void
rt_affinity_stop (void)
{}

void
rt_affinity_forget (void)
{}

void
rt_affinity_reset (void)
{}

bool
rt_affinity_is_recorded (void)
{
  return false;
}

void
rt_affinity_pack (uint32_t contexts)
{
  (void) contexts;
}
