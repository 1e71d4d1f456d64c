/* Addresses that several counter updates can use.
   SPDX-License-Identifier: GPL-3.0-or-later

   An update needs the number of a granule: an address, shifted.  All updates
   through one pointer should use the same address, so that the compiler
   computes it once.  The counter of another window (merge-window.h) then is a
   constant number of counters away:

     p->first = 1;			    _1 = (sizetype) p >> 6
     p->other = 1; [offset 72]		    counter[_1]++, counter[_1 + 1]++

   The address must be one that the program has accessed through the pointer by
   then, with a lower constant offset: so it is in the same heap block, and the
   granule that gets the count is not behind the accessed one.  If the pointer
   is the start of a block it is the accessed one.  */

#include "gcc-compat.h"
#include "heapprof/abi.h"
#include "heap-access.h"
#include "arguments.h"
#include "merge-address.h"
#include "merge-window.h"

/* Make WINDOW equal to all windows whose addresses differ from its address only
   by a constant.  */
static void
forget_bounds (access_window *window)
{
  window->begin = 0;
  window->shift = object_shift;
  window->group = 0;
}

known_addresses::known_addresses () : pointers (31) {}

void
note_addresses (function_accesses *accesses, known_addresses *known)
{
  const unsigned n = accesses->heap.length ();

  known->windows.reserve_exact (n);
  for (unsigned i = 0; i < n; i++)
    {
      heap_access *access = &accesses->heap[i];
      known_address address = {};
      access_window window;
      access->order = i;
      if (access->shape != ACCESS_SINGLE || !find_window (*access, &window))
	continue;
      address.constant = window.constant;
      address.window_begin = window.begin;
      address.statement = access->statement;
      address.order = i;
      address.reference = window_reference (&window, window.constant);
      if (!address.reference)
	address.reference = access->reference;
      if (!address.reference
	  || contains_abnormal_ssa_name_p (address.reference))
	continue;
      forget_bounds (&window);
      access_window **slot = known->pointers.find_slot (&window, INSERT);
      if (!*slot)
	{
	  window.data = known->of_pointer.length ();
	  known->of_pointer.safe_push (vNULL);
	  *slot = known->windows.quick_push (window);
	}
      known->of_pointer[(*slot)->data].safe_push (address);
    }
}

/* If the counter of ADDRESS leads to that of an access in WINDOW, store in
 *FURTHER how many granules further that is, and return true.  */
static bool
leads_to_p (const known_address &address, const access_window &window,
	    unsigned *further)
{
  const HOST_WIDE_INT granule = HEAPPROF_GRANULE_BYTES;

  *further = 0;
  if (address.window_begin == window.begin)
    return true;
  if (arguments.exact_granules || window.constant == unknown_constant
      || address.constant == unknown_constant
      || address.constant > window.constant)
    return false;
  const HOST_WIDE_INT distance = (window.constant - address.constant) / granule;
  *further = distance;
  return (distance < INT_MAX / granule
	  && address.constant + distance * granule >= window.begin);
}

void
use_known_address (const known_addresses &known, heap_access *access)
{
  const known_address *best = NULL;
  access_window window, pointer;
  unsigned further;

  if (access->shape != ACCESS_SINGLE || !find_window (*access, &window))
    return;
  pointer = window;
  forget_bounds (&pointer);
  access_window *const *slot
    = const_cast<known_addresses &> (known).pointers.find_slot (&pointer,
								NO_INSERT);
  if (!slot)
    return;
  basic_block block = gimple_bb (access->statement);
  for (const known_address &address : known.of_pointer[(*slot)->data])
    {
      basic_block other = gimple_bb (address.statement);
      if ((best && best->constant <= address.constant)
	  || (other == block ? address.order > access->order
			     : !dominated_by_p (CDI_DOMINATORS, block, other))
	  || !leads_to_p (address, window, &further))
	continue;
      best = &address;
      access->granules_further = further;
    }
  if (best)
    access->reference = best->reference;
}

known_addresses::~known_addresses ()
{
  for (vec<known_address> &addresses : of_pointer)
    addresses.release ();
}
