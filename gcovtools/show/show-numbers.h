/* The cells of numbers in the tables that `show' prints.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SHOW_NUMBERS_H
#define HEAPPROF_SHOW_NUMBERS_H

#include "heap-report.h"
#include "table.h"
#include <stdbool.h>
#include <stdint.h>

/* Blocks and bytes of INFO, those of killed runs included, of which only the
   allocation is known.  */
uint64_t show_blocks (const struct memory_info *info);
double show_bytes (const struct memory_info *info);

/* The mean lifetime of INFO, of REPORT, which has blocks, in TEXT, which has
   NUMBER_TEXT_BYTES and is returned.  LLVM's formats have whole
   milliseconds.  */
const char *lifetime_text (char *text, const struct heap_report *report,
			   const struct memory_info *info);

/* The columns of these cells: the first of a table's.  */
/* clang-format off */
#define SHOW_NUMBER_COLUMNS                                                   \
  { "blocks", false }, { "bytes", false }, { "average", false },              \
    { "accesses", false }, { "a byte", false }, { "lifetime", false },        \
    { "used", false }, { "live", false }
/* clang-format on */

/* Add the cells of INFO, of REPORT, to TABLE.  Where there are no complete
   blocks, or no accesses were counted at all, nothing is known.  False if
   memory is exhausted.  */
bool show_numbers (struct table *table, const struct heap_report *report,
		   const struct memory_info *info);

#endif /* HEAPPROF_SHOW_NUMBERS_H */
