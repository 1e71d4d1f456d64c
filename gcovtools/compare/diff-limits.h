/* How much a heap profile may grow: what makes `diff' fail.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_DIFF_LIMITS_H
#define HEAPPROF_DIFF_LIMITS_H

#include "diff.h"

/* B may have so much more of a quantity than A.  */
struct diff_limit
{
  enum context_measure measure;
  long double growth;
  bool is_percent;  /* GROWTH is per cent of A's */
  const char *text; /* as it was given */
};

/* Each limit is given once; more than one for a quantity are allowed.  */
#define DIFF_MAX_LIMITS 16

struct diff_limits
{
  struct diff_limit limits[DIFF_MAX_LIMITS];
  size_t count;
};

/* Add the limit TEXT, KEY+NUMBER or KEY+NUMBER%.  False if it is none, which
   was printed.  */
bool diff_limits_add (struct diff_limits *limits, const char *text);

/* Does HEAP, NULL if there is none, keep within LIMITS?  Print each that it
   does not.  */
bool diff_limits_check (const struct diff_limits *limits,
			const struct profile_pair *pair,
			const struct diff_heap *heap);

#endif /* HEAPPROF_DIFF_LIMITS_H */
