/* Does a context allocate because something grows?
   SPDX-License-Identifier: GPL-3.0-or-later

   There are two kinds of evidence.  A function between the allocation and its
   site has the name of one that grows something: of the C++ library, or a word
   such as realloc or push.  Or the sizes are those of a chain: each block is
   larger than the one before by the same factor, and the sum of all sizes is
   that of such blocks.

   The number of objects that grew is not in the profile.  It is at least the
   number of blocks that lived at the same time, on average, and at least what
   follows if each object had blocks of all sizes, each twice as large as the
   one before.  */

#ifndef HEAPPROF_ADVICE_GROWTH_H
#define HEAPPROF_ADVICE_GROWTH_H

#include "heap-report.h"
#include <stdbool.h>
#include <stdint.h>

struct growth
{
  const char *function; /* linkage name that is the evidence; NULL: none */
  double factor;	/* of the sizes of a chain; 0: they are not a chain */
  double objects;	/* that grew: exactly for a chain, else at least */
};

/* Find out whether CONTEXT of REPORT grows something.  SITE is its caller that
   is the site.  Return false if not; GROWTH's function is set anyway, since
   blocks that are replaced soon do not show how they grow.  */
bool growth_find (struct growth *growth, const struct heap_report *report,
		  uint32_t context, uint32_t site);

#endif /* HEAPPROF_ADVICE_GROWTH_H */
