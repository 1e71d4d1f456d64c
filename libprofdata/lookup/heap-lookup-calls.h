/* The calls in the functions of a heap profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   Compilers match a profile with changed source by them.  */

#ifndef HEAPPROF_HEAP_LOOKUP_CALLS_H
#define HEAPPROF_HEAP_LOOKUP_CALLS_H

#include "heap-lookup-moved.h"
#include "heap-lookup.h"
#include "heapprof-places.h"
#include <stddef.h>
#include <stdint.h>

/* What was found last, malloced.  All zeros is empty.  */
struct heap_lookup_calls
{
  struct heap_lookup_call *calls;
  size_t call_count;
  size_t call_capacity;
  uint64_t *functions;
  size_t function_count;
  size_t function_capacity;
  struct heap_lookup_moved moved;
};

void heap_lookup_calls_release (struct heap_lookup_calls *calls);

/* Like heap_lookup_find_calls and heap_lookup_find_functions, into CALLS.  */
size_t heap_lookup_calls_read (struct heap_lookup_calls *calls,
			       const struct heapprof_places_block *block,
			       const struct heap_lookup_place *place);
size_t
heap_lookup_calls_read_functions (struct heap_lookup_calls *calls,
				  const struct heapprof_places_block *block,
				  const char *path);

#endif /* HEAPPROF_HEAP_LOOKUP_CALLS_H */
