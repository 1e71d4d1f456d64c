/* Use of a heap profile: functions that the profile or the unit has.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_USE_KNOWN_H
#define HEAPPROF_USE_KNOWN_H

#include "heap-lookup.h"

typedef hash_set<int_hash<uint64_t, 0, 1>> known_guids;

/* Return the GUID under which the profile LOOKUP has the function DECL: a
   constructor may have its own, or that of all variants.  */
uint64_t use_known_guid (const heap_lookup *lookup, tree decl);

/* Return the GUIDs of the functions that the unit defines.  */
known_guids &use_known_defined (const heap_lookup *lookup);

/* True if frames of the function GUID are not omitted from the profile: it, or
   the unit, has the function.  */
bool use_known_p (const heap_lookup *lookup, uint64_t guid);

#endif /* HEAPPROF_USE_KNOWN_H */
