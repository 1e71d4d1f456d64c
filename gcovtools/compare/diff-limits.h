/* Limits on the growth of a heap profile, for `diff --fail-if'.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_DIFF_LIMITS_H
#define HEAPPROF_DIFF_LIMITS_H

#include "diff.h"
#include "growth-limit.h"
#include "limit-cases.h"

/* How much more of a quantity B may have than A.  */
struct diff_limit
{
  enum context_measure measure;
  struct growth_limit growth;
};

/* Several limits on the same quantity are allowed.  */
#define DIFF_MAX_LIMITS 16

struct diff_limits
{
  struct diff_limit limits[DIFF_MAX_LIMITS];
  size_t count;
};

/* Add the limit TEXT, KEY+NUMBER or KEY+NUMBER%.  If it is invalid, print an
   error and return false.  */
bool diff_limits_add (struct diff_limits *limits, const char *text);

/* Add to CASES whether HEAP, NULL if there is none, is within each of LIMITS.
   If memory is exhausted, print an error and return false.  */
bool diff_limits_check (const struct diff_limits *limits,
			const struct profile_pair *pair,
			const struct diff_heap *heap,
			struct limit_cases *cases);

#endif /* HEAPPROF_DIFF_LIMITS_H */
