/* The library's own mappings, which are not the program's memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "own-maps.h"
#include "sys.h"

#define SLOTS 4096u
#define TRIES 32u

static struct
{
  uintptr_t start; /* 0: free */
  size_t bytes;
} slots[SLOTS];

static unsigned
first_slot (uintptr_t start)
{
  return (unsigned) (start / SYS_PAGE_BYTES * UINT64_C (0x9e3779b97f4a7c15)
		     >> 52)
	 % SLOTS;
}

void
own_map_add (const void *start, size_t bytes)
{
  const uintptr_t address = (uintptr_t) start;
  own_map_remove (start);
  for (unsigned i = 0; i < TRIES; i++)
    {
      const unsigned slot = (first_slot (address) + i) % SLOTS;
      uintptr_t expected = 0;
      if (__atomic_compare_exchange_n (&slots[slot].start, &expected, address,
				       false, __ATOMIC_ACQ_REL,
				       __ATOMIC_RELAXED))
	{
	  __atomic_store_n (&slots[slot].bytes, bytes, __ATOMIC_RELEASE);
	  return;
	}
    }
}

void
own_map_remove (const void *start)
{
  const uintptr_t address = (uintptr_t) start;
  for (unsigned i = 0; i < TRIES; i++)
    {
      const unsigned slot = (first_slot (address) + i) % SLOTS;
      if (__atomic_load_n (&slots[slot].start, __ATOMIC_ACQUIRE) != address)
	continue;
      __atomic_store_n (&slots[slot].bytes, 0, __ATOMIC_RELEASE);
      __atomic_store_n (&slots[slot].start, 0, __ATOMIC_RELEASE);
    }
}

void
own_map_visit (void (*visit) (uintptr_t start, uintptr_t end, void *data),
	       void *data)
{
  for (unsigned i = 0; i < SLOTS; i++)
    {
      const uintptr_t start
	= __atomic_load_n (&slots[i].start, __ATOMIC_ACQUIRE);
      const size_t bytes = __atomic_load_n (&slots[i].bytes, __ATOMIC_ACQUIRE);
      if (start != 0 && bytes != 0)
	visit (start, start + bytes, data);
    }
}
