/* Call frame information: a cache of rows by return address.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   There are few different rows, so they are numbered: 0 is unknown, 1 the
   standard one.  The words that hold addresses and row numbers are read and
   written without a lock; one that is lost is computed again.  */

#include "address-space.h"
#include "lock.h"
#include "segment.h"
#include "unwind-cfi.h"
#include <stddef.h>

#define PLACES (1u << RT_CFI_PLACES_SHIFT)

uint64_t rt_cfi_places[PLACES];

struct rt_cfi_row rt_cfi_rows[RT_CFI_ROWS_MAX];
static uint32_t row_count;
static struct rt_lock lock;

static bool
rows_are_equal (const struct rt_cfi_row *a, const struct rt_cfi_row *b)
{
  return a->cfa_kind == b->cfa_kind
	 && (a->cfa_kind == RT_CFA_STANDARD
	     || (a->fp_kind == b->fp_kind && a->cfa_offset == b->cfa_offset
		 && a->fp_offset == b->fp_offset
		 && a->ra_offset == b->ra_offset));
}

/* Return the number of a row equal to ROW; 0, an unknown one, if there are too
   many.  */

static uint32_t
number_row (const struct rt_cfi_row *row)
{
  rt_lock (&lock);
  if (row_count == 0)
    {
      rt_cfi_rows[RT_CFI_STANDARD_ROW].cfa_kind = RT_CFA_STANDARD;
      row_count = RT_CFI_STANDARD_ROW + 1;
    }
  uint32_t i = 0;
  while (i < row_count && !rows_are_equal (&rt_cfi_rows[i], row))
    i++;
  if (i == RT_CFI_ROWS_MAX)
    i = 0;
  else if (i == row_count)
    {
      rt_cfi_rows[i] = *row;
      row_count++;
    }
  rt_unlock (&lock);
  return i;
}

/* Compute the row for ADDRESS and cache it.  */

static const struct rt_cfi_row *
add (uintptr_t address, uint64_t *place)
{
  const void *const table = rt_segment_unwind_table (address);
  struct rt_cfi_row row = { .cfa_kind = RT_CFA_UNKNOWN };
  if (table != NULL)
    row = rt_cfi_read_row (table, address);
  const uint32_t number = number_row (&row);
  const uint64_t word = (uint64_t) address << RT_CFI_ROW_BITS | number;
  /* Newest first.  */
  __atomic_store_n (&place[1], __atomic_load_n (&place[0], __ATOMIC_RELAXED),
		    __ATOMIC_RELEASE);
  __atomic_store_n (&place[0], word, __ATOMIC_RELEASE);
  return &rt_cfi_rows[number];
}

const struct rt_cfi_row *
rt_cfi_find_row (uintptr_t address)
{
  uint64_t *const place = rt_cfi_place_of (address);
  for (unsigned i = 0; i < 2; i++)
    {
      const uint64_t word = __atomic_load_n (&place[i], __ATOMIC_ACQUIRE);
      if (word >> RT_CFI_ROW_BITS == address)
	return &rt_cfi_rows[word & RT_CFI_ROW_MASK];
    }
  return address >> MACHINE_ADDRESS_BITS != 0 ? &rt_cfi_rows[0]
					      : add (address, place);
}

void
rt_cfi_forget (uintptr_t start, uintptr_t end)
{
  for (uint32_t i = 0; i < PLACES; i++)
    {
      const uintptr_t address
	= __atomic_load_n (&rt_cfi_places[i], __ATOMIC_RELAXED)
	  >> RT_CFI_ROW_BITS;
      if (address > start && address <= end)
	__atomic_store_n (&rt_cfi_places[i], 0, __ATOMIC_RELEASE);
    }
}

void
rt_cfi_reset_locks (void)
{
  rt_reset_lock (&lock);
}
