/* Growing arrays of machine-level profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_ARRAY_H
#define HEAPPROF_MIP_ARRAY_H

#include "mip-profile.h"

/* Make room for COUNT more elements of BYTES bytes in the malloced array that
   ARRAY points at, which has USED elements and room for *CAPACITY.  Return
   false if memory is exhausted.  */
bool mip_array_reserve (void *array, size_t used, size_t *capacity,
			size_t count, size_t bytes);

/* Append a copy of *RULE, unless it is UINT32_MAX, of FROM to the rules of TO,
   and set *RULE to its index there.  Return false if memory is exhausted.  */
bool mip_rule_copy (struct mip_profile *to, const struct mip_profile *from,
		    uint32_t *rule);

#endif /* HEAPPROF_MIP_ARRAY_H */
