/* Filling MIBs of a heap profile where they are.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_HEAP_PROFILE_FILL_H
#define HEAPPROF_HEAP_PROFILE_FILL_H

#include "heap-profile.h"

/* Give CONTEXT, which has no MIB, one of zeros, which the caller fills; it stays
   where it is while others are given theirs.  NULL if memory cannot be had.  */
struct memory_info *heap_profile_new_info (struct heap_profile *profile,
					   uint32_t context);

#endif /* HEAPPROF_HEAP_PROFILE_FILL_H */
