/* Merge heap accesses that share a granule and always happen together.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "access.h"
#include "arguments.h"

/* True if A and B access the same reference, by pointer and offset.  */
static bool
same_address_p (const heap_access &a, const heap_access &b)
{
  return (a.shape == ACCESS_SINGLE && b.shape == ACCESS_SINGLE
	  && a.reference && b.reference
	  && operand_equal_p (a.reference, b.reference, OEP_ADDRESS_OF));
}

void
merge_accesses (function *, function_accesses *accesses)
{
  unsigned kept = 0;

  if (!(arguments.coalesce & COALESCE_BLOCK))
    return;
  /* So far only neighbours of one statement, as in *p += *p.  */
  for (const heap_access &access : accesses->heap)
    {
      heap_access *last = kept ? &accesses->heap[kept - 1] : NULL;
      if (last && last->statement == access.statement
	  && same_address_p (*last, access))
	last->weight += access.weight;
      else
	accesses->heap[kept++] = access;
    }
  accesses->heap.truncate (kept);
}
