/* Functions that instrumented code calls to count accesses, for the plugin and
   for clang's -fmemory-profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Any code may call these at any time: they touch only counters.  */

#include "abi-symbols.h"
#include "bytes.h"
#include "shadow.h"
#include "vectors.h"

/* Four counters, of any alignment.  */
typedef uint64_t four_counters
  __attribute__ ((vector_size (32), aligned (8), may_alias));

/* Add WEIGHT to each of N counters.  */
static inline __attribute__ ((always_inline)) void
add_in_fours (uint64_t *counters, size_t n, uint64_t weight)
{
  const four_counters weights = { weight, weight, weight, weight };

  for (; n >= 8; n -= 8, counters += 8)
    {
      four_counters *const here = (four_counters *) counters;
      here[0] += weights;
      here[1] += weights;
    }
  for (; n > 0; n--)
    *counters++ += weight;
}

#ifdef MACHINE_WIDE_VECTORS
MACHINE_WIDE_VECTORS static void
add_with_wide_vectors (uint64_t *counters, size_t n, uint64_t weight)
{
  add_in_fours (counters, n, weight);
}
#endif

/* The main extra cost of long loops over small elements is here.  */
static void
add_to_each (uint64_t *counters, size_t n, uint64_t weight)
{
#ifdef MACHINE_WIDE_VECTORS
  if (n >= 16 && machine_has_wide_vectors ())
    {
      add_with_wide_vectors (counters, n, weight);
      return;
    }
#endif
  add_in_fours (counters, n, weight);
}

/* Accesses of a memory operation are this far apart.  */
#define RANGE_STEP_BYTES 8
#define STEPS_IN_GRANULE (HEAPPROF_GRANULE_BYTES / RANGE_STEP_BYTES)

/* The accesses are at DATA, DATA + 8 ... below DATA + SIZE.  Each granule
   except the first and the last has STEPS_IN_GRANULE of them, wherever DATA is.
   Most operations are short.  */
static inline __attribute__ ((always_inline)) void
count_range (const void *data, size_t size)
{
  const uintptr_t address = (uintptr_t) data;
  const size_t room = HEAPPROF_GRANULE_BYTES - address % HEAPPROF_GRANULE_BYTES;
  const size_t first_steps = (room + RANGE_STEP_BYTES - 1) / RANGE_STEP_BYTES;
  size_t steps = size / RANGE_STEP_BYTES + (size % RANGE_STEP_BYTES != 0);

  if (steps == 0)
    return;
  uint64_t *counter
    = (uint64_t *) rt_shadow_base + (address >> HEAPPROF_GRANULE_SHIFT);
  if (steps <= first_steps)
    {
      *counter += steps;
      return;
    }
  *counter++ += first_steps;
  steps -= first_steps;
  const size_t whole = steps / STEPS_IN_GRANULE;
  if (whole > 0)
    add_to_each (counter, whole, STEPS_IN_GRANULE);
  if (steps % STEPS_IN_GRANULE)
    counter[whole] += steps % STEPS_IN_GRANULE;
}

void
__heapprof_access_range (const void *data, size_t size)
{
  count_range (data, size);
}

/* Count COUNT addresses ADDRESS, ADDRESS + STEP ... if a granule holds several
   of them: 0 < STEP < 64.  This goes granule by granule; OFFSET is that of the
   first address in the granule.  */
static void
count_dense (uintptr_t address, size_t step, size_t count, uint64_t weight)
{
  uint64_t *counter
    = (uint64_t *) rt_shadow_base + (address >> HEAPPROF_GRANULE_SHIFT);
  size_t offset = address % HEAPPROF_GRANULE_BYTES;
  const size_t fit = HEAPPROF_GRANULE_BYTES / step;
  const size_t covered = fit * step;

  size_t here = (HEAPPROF_GRANULE_BYTES - 1 - offset) / step + 1;
  if (here >= count)
    {
      *counter += count * weight;
      return;
    }
  *counter++ += here * weight;
  count -= here;
  offset += here * step - HEAPPROF_GRANULE_BYTES;
  if (covered == HEAPPROF_GRANULE_BYTES)
    {
      const size_t whole = count / fit;
      add_to_each (counter, whole, fit * weight);
      if (count % fit)
	counter[whole] += count % fit * weight;
      return;
    }
  /* A granule holds FIT addresses, or one more if the first is early.  */
  for (;;)
    {
      here = fit + (offset + covered < HEAPPROF_GRANULE_BYTES);
      if (here >= count)
	break;
      *counter++ += here * weight;
      count -= here;
      offset += here * step - HEAPPROF_GRANULE_BYTES;
    }
  *counter += count * weight;
}

void
__heapprof_access_stride (const void *first, ptrdiff_t step, size_t count,
			  size_t weight)
{
  uint64_t *const counters = (uint64_t *) rt_shadow_base;
  uintptr_t address = (uintptr_t) first;
  uintptr_t forward = (uintptr_t) step;

  if (count == 0)
    return;
  if (step < 0)
    {
      address += (count - 1) * forward;
      forward = -forward;
    }
  if (forward == 0)
    counters[address >> HEAPPROF_GRANULE_SHIFT] += count * weight;
  else if (forward < HEAPPROF_GRANULE_BYTES)
    count_dense (address, forward, count, weight);
  else if (forward == HEAPPROF_GRANULE_BYTES)
    add_to_each (counters + (address >> HEAPPROF_GRANULE_SHIFT), count, weight);
  else
    for (; count > 0; count--, address += forward)
      counters[address >> HEAPPROF_GRANULE_SHIFT] += weight;
}

void
__heapprof_access_grid (const void *first, ptrdiff_t step, size_t count,
			size_t weight, ptrdiff_t row_step, size_t rows)
{
  uintptr_t address = (uintptr_t) first;

  /* The rows are contiguous.  */
  if ((size_t) row_step == (size_t) step * count)
    {
      __heapprof_access_stride (first, step, count * rows, weight);
      return;
    }
  for (; rows > 0; rows--, address += (uintptr_t) row_step)
    __heapprof_access_stride ((const void *) address, step, count, weight);
}

/* MemProf's names.  Its histogram forms exist so that programs link; init.c
   then refuses to profile them, as it does not support their counters.  */

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
__memprof_version_mismatch_check_v1 (void)
{}

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
  count_range (from, size);
  count_range (to, size);
  return own_memcpy (to, from, size);
}

void *
__memprof_memmove (void *to, const void *from, size_t size)
{
  count_range (from, size);
  count_range (to, size);
  return own_memmove (to, from, size);
}

void *
__memprof_memset (void *to, int value, size_t size)
{
  count_range (to, size);
  return own_memset (to, value, size);
}

void
__memprof_record_access (const volatile void *data)
{
  rt_shadow_count ((const void *) (uintptr_t) data);
}

void
__memprof_record_access_range (const volatile void *data, size_t size)
{
  count_range ((const void *) (uintptr_t) data, size);
}
