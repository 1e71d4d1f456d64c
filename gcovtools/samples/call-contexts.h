/* Calling contexts as lists of call addresses.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_CALL_CONTEXTS_H
#define HEAPPROF_CALL_CONTEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No context: memory is exhausted.  */
#define CALL_CONTEXT_NONE UINT32_MAX

struct call_context
{
  size_t first; /* of its addresses among all */
  uint32_t count;
  uint32_t shortest; /* the number of the context without repeated sequences */
  uint32_t hash;
};

/* All zeros is empty.  Contexts are numbered from 0.  */
struct call_contexts
{
  struct call_context *contexts;
  uint64_t *addresses; /* of calls, outermost first */
  uint32_t *slots;     /* a hash table of numbers plus 1; 0: free */
  uint32_t count;
  uint32_t slot_count; /* a power of two */
  size_t address_count;
  size_t address_capacity;
  bool has_limit; /* set by the caller: only the innermost LIMIT calls of a
		     context count */
  uint32_t limit;
};

void call_contexts_release (struct call_contexts *contexts);

/* Return the number of the context with the COUNT ADDRESSES, outermost first,
   without its repeated sequences (repeats_remove) and calls above the limit.
   CALL_CONTEXT_NONE if memory
   is exhausted.  */
uint32_t call_contexts_add (struct call_contexts *contexts,
			    const uint64_t *addresses, size_t count);

/* Remove from the COUNT ELEMENTS of BYTES bytes each every sequence that
   repeats the one directly before it: of recursive calls one turn is left.
   Sequences of one element go first, then longer ones.  Return how many are
   left.  */
size_t repeats_remove (void *elements, size_t count, size_t bytes);

#endif /* HEAPPROF_CALL_CONTEXTS_H */
