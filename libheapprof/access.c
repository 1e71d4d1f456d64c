/* Functions that instrumented code calls to count accesses, ours and those of
   clang's -fmemory-profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Any code may call these at any time: they touch counters and nothing
   else.  */

#include "abi-symbols.h"
#include "shadow.h"
#include <string.h>

void
__heapprof_access_range (const void *data, size_t size)
{
  rt_shadow_count_range (data, size);
}

void
__heapprof_access_stride (const void *first, ptrdiff_t step, size_t count,
			  size_t weight)
{
  uint64_t *const counters = (uint64_t *) rt_shadow_base;
  uintptr_t address = (uintptr_t) first;
  for (; count > 0; count--, address += (uintptr_t) step)
    counters[address >> HEAPPROF_GRANULE_SHIFT] += weight;
}

/* MemProf's names.  Its histogram forms count as the plain ones do: the raw
   profile has no histograms.  */

RT_PUBLIC void __memprof_init (void);
RT_PUBLIC void __memprof_version_mismatch_check_v1 (void);
RT_PUBLIC void __memprof_load (uintptr_t address);
RT_PUBLIC void __memprof_store (uintptr_t address);
RT_PUBLIC void __memprof_hist_load (uintptr_t address);
RT_PUBLIC void __memprof_hist_store (uintptr_t address);
RT_PUBLIC void *__memprof_memcpy (void *to, const void *from, size_t size);
RT_PUBLIC void *__memprof_memmove (void *to, const void *from, size_t size);
RT_PUBLIC void *__memprof_memset (void *to, int value, size_t size);
RT_PUBLIC void __memprof_record_access (const volatile void *data);
RT_PUBLIC void __memprof_record_access_range (const volatile void *data,
					      size_t size);

void
__memprof_init (void)
{
  __heapprof_init_v1 ();
}

void
__memprof_version_mismatch_check_v1 (void)
{
}

void
__memprof_load (uintptr_t address)
{
  rt_shadow_count ((const void *) address);
}

void
__memprof_store (uintptr_t address)
{
  rt_shadow_count ((const void *) address);
}

void
__memprof_hist_load (uintptr_t address)
{
  rt_shadow_count ((const void *) address);
}

void
__memprof_hist_store (uintptr_t address)
{
  rt_shadow_count ((const void *) address);
}

void *
__memprof_memcpy (void *to, const void *from, size_t size)
{
  rt_shadow_count_range (from, size);
  rt_shadow_count_range (to, size);
  return memcpy (to, from, size);
}

void *
__memprof_memmove (void *to, const void *from, size_t size)
{
  rt_shadow_count_range (from, size);
  rt_shadow_count_range (to, size);
  return memmove (to, from, size);
}

void *
__memprof_memset (void *to, int value, size_t size)
{
  rt_shadow_count_range (to, size);
  return memset (to, value, size);
}

void
__memprof_record_access (const volatile void *data)
{
  rt_shadow_count ((const void *) (uintptr_t) data);
}

void
__memprof_record_access_range (const volatile void *data, size_t size)
{
  rt_shadow_count_range ((const void *) (uintptr_t) data, size);
}
