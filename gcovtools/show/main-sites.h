/* The sites that have most of something, for short lists.
   SPDX-License-Identifier: GPL-3.0-or-later

   Two sites may differ only in what they call inside of the C++ library, or in
   their columns: for people, a line of a function is one site.  */

#ifndef HEAPPROF_MAIN_SITES_H
#define HEAPPROF_MAIN_SITES_H

#include "heap-report.h"
#include <stddef.h>
#include <stdint.h>

struct main_site
{
  uint32_t frame; /* ID */
  size_t contexts;
  uint64_t weight;
  uint64_t blocks;
  size_t place; /* in the list, before sorting */
};

/* Add up those of the COUNT SITES that are the same line of a function, and
   sort them by weight.  Return how many are left.  Sums saturate.  */
size_t main_sites_sort (const struct heap_report *report,
			struct main_site *sites, size_t count);

#endif /* HEAPPROF_MAIN_SITES_H */
