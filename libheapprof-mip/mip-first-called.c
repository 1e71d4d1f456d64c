/* The first call of a function, on machines other than x86-64.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The probes (gcc-plugin/mip/machine-CPU.cc) pass the address of the slot in a
   register, and call one of two helpers.  A tick of the order word is between
   half a second and a second, and 2^32 calls take several seconds.  */

#ifndef __x86_64__

#include "mip-runtime.h"

/* Record in the word ORDER that its function is called now.  Return false if
   that was recorded some ticks ago.  */

static bool
note_order (uint32_t *order)
{
  const uint8_t tick = mip_ticks ();
  uint32_t word = __atomic_load_n (order, __ATOMIC_RELAXED);
  if (word != 0)
    return (uint8_t) (tick - (word >> 24) + 1) <= 2;
  uint32_t number = __atomic_add_fetch (&mip_last_order, 1, __ATOMIC_RELAXED);
  if (number > HEAPPROF_MIP_ORDER_MASK)
    number = HEAPPROF_MIP_ORDER_MASK;
  __atomic_compare_exchange_n (order, &word, (uint32_t) tick << 24 | number,
			       false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return true;
}

MIP_CALLED_BY_HELPER void mip_first_order (uint32_t *order);
MIP_CALLED_BY_HELPER void mip_first_count (struct heapprof_mip_count *count);

void
mip_first_order (uint32_t *order)
{
  note_order (order);
}

void
mip_first_count (struct heapprof_mip_count *count)
{
  if (!note_order (&count->order))
    count->minus_calls = 1;
}

MIP_HELPER (HEAPPROF_MIP_SYMBOL_FIRST, "mip_first_order");
MIP_HELPER (HEAPPROF_MIP_SYMBOL_FIRST_COUNT, "mip_first_count");

#endif
