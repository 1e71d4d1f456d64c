/* Calling contexts as lists of call addresses.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_CALL_CONTEXTS_H
#define HEAPPROF_CALL_CONTEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No context or path: memory is exhausted.  */
#define CALL_CONTEXT_NONE UINT32_MAX

/* The path without calls.  */
#define CALL_PATH_EMPTY 0

struct call_context
{
  size_t first; /* of its addresses among all */
  uint32_t count;
  uint32_t hash;
};

/* Calls as they were found: those of another path, and one more.  */
struct call_path
{
  uint64_t address; /* of the innermost call */
  uint32_t outer;   /* number of the path of the others */
  uint32_t depth;   /* number of calls */
  uint32_t context; /* CALL_CONTEXT_NONE: not wanted yet */
};

/* Numbers plus 1 in a hash table, of SLOT_COUNT, a power of two; 0: free.  */
struct call_slots
{
  uint32_t *slots;
  uint32_t slot_count;
};

/* All zeros is empty.  Contexts are numbered from 0.  */
struct call_contexts
{
  struct call_context *contexts;
  uint64_t *addresses; /* of calls, outermost first */
  struct call_slots slots;
  uint32_t count;
  size_t address_count;
  size_t address_capacity;
  struct call_path *paths;
  struct call_slots path_slots;
  uint32_t path_count;
  uint64_t *calls; /* of a path */
  size_t call_capacity;
  bool are_paths; /* set by the caller, as are these: a context is a path, with
		     all its calls */
  bool has_limit; /* only the innermost LIMIT calls of a context count */
  uint32_t limit;
};

void call_contexts_release (struct call_contexts *contexts);

/* Return the number of the path with the calls of path OUTER and then the one
   at ADDRESS, CALL_CONTEXT_NONE if memory is exhausted.  */
uint32_t call_contexts_path (struct call_contexts *contexts, uint32_t outer,
			     uint64_t address);

/* Return the number of the context with the calls of PATH, outermost first,
   without its repeated sequences (repeats_remove) and calls above the limit.
   If contexts are paths, that is PATH itself.  CALL_CONTEXT_NONE if memory is
   exhausted.  */
uint32_t call_contexts_find (struct call_contexts *contexts, uint32_t path);

/* Remove from the COUNT ELEMENTS of BYTES bytes each every sequence that
   repeats the one directly before it: of recursive calls one turn is left.
   Sequences of one element go first, then longer ones.  Return how many are
   left.  */
size_t repeats_remove (void *elements, size_t count, size_t bytes);

#endif /* HEAPPROF_CALL_CONTEXTS_H */
