/* Arrays of machine-level profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_ARRAY_H
#define HEAPPROF_MIP_ARRAY_H

#include "growing-array.h"
#include "mip-profile.h"

/* Append a copy of *RULE, unless it is UINT32_MAX, of FROM to the rules of TO,
   and set *RULE to its index there.  Return false if memory is exhausted.  */
bool mip_rule_copy (struct mip_profile *to, const struct mip_profile *from,
		    uint32_t *rule);

#endif /* HEAPPROF_MIP_ARRAY_H */
