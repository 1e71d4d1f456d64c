/* The library's own mappings, which are not the program's memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A search for pointers to the program's blocks must not look there.  Adding
   and removing take no lock and may happen in a signal handler.  If too many
   mappings hash to the same place, some are not known.  */

#ifndef HEAPPROF_OWN_MAPS_H
#define HEAPPROF_OWN_MAPS_H

#include <stddef.h>
#include <stdint.h>

/* The mapping at START has BYTES bytes; a known one at START is replaced.  */
void own_map_add (const void *start, size_t bytes);

/* The mapping at START, if it is known, exists no more.  */
void own_map_remove (const void *start);

/* Call VISIT for each.  */
void own_map_visit (void (*visit) (uintptr_t start, uintptr_t end, void *data),
		    void *data);

#endif /* HEAPPROF_OWN_MAPS_H */
