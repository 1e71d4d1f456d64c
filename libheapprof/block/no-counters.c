/* Access counters of an attached program: it has none.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Only code that was compiled to count does, and a program that contains such
   code has the run-time library already.  So these are the functions of
   shadow.h and shadow-sink.h for counters that are always 0.  */

#include "shadow-sink.h"
#include "shadow.h"

struct rt_shadow_sum
rt_shadow_sum (const void *data, size_t size)
{
  (void) data;
  (void) size;
  /* As of a block that was not accessed.  */
  return (struct rt_shadow_sum){ .granules = 1 };
}

uintptr_t rt_shadow_base;
size_t rt_shadow_few;

struct rt_shadow_sum
rt_shadow_take_many (const void *data, size_t size)
{
  return rt_shadow_sum (data, size);
}

void
rt_shadow_sink_fork (void)
{}

uint64_t
rt_shadow_sink_sum (void)
{
  return 0;
}

#if HEAPPROF_CHECKING > 0

bool
rt_shadow_is_clear (const void *data, size_t size)
{
  (void) data;
  (void) size;
  return true;
}

#endif
