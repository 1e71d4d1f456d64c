/* What was allocated through wrappers that were looked through.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_WRAPPER_USES_H
#define HEAPPROF_WRAPPER_USES_H

#include "allocation-wrappers.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wrapper_use
{
  const char *name; /* linkage name, the profile's */
  enum wrapper_kind kind;
  uint64_t blocks; /* both saturate */
  uint64_t bytes;
};

/* Wrappers outside the C++ library.  All zeros: none.  */
struct wrapper_uses
{
  struct wrapper_use *list; /* malloced; most bytes first */
  size_t count;
};

/* Prepare *USES for contexts of WRAPPERS' profile.  Return false if memory is
   exhausted; release *USES in any case.  */
bool wrapper_uses_start (struct wrapper_uses *uses,
			 const struct allocation_wrappers *wrappers);

/* Add a CONTEXT with INFO whose site is NODE.  */
void wrapper_uses_add (struct wrapper_uses *uses,
		       const struct allocation_wrappers *wrappers,
		       uint32_t context, uint32_t node,
		       const struct memory_info *info);

/* Make the list, after the last context.  */
void wrapper_uses_end (struct wrapper_uses *uses,
		       const struct allocation_wrappers *wrappers);

/* Add FROM, made, to USES, made.  Return false if memory is exhausted.  */
bool wrapper_uses_merge (struct wrapper_uses *uses,
			 const struct wrapper_uses *from);
void wrapper_uses_release (struct wrapper_uses *uses);

#endif /* HEAPPROF_WRAPPER_USES_H */
