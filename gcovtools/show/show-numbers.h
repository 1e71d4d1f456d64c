/* Number cells in the tables that `show' prints.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SHOW_NUMBERS_H
#define HEAPPROF_SHOW_NUMBERS_H

#include "heap-report.h"
#include "table.h"
#include <stdbool.h>
#include <stdint.h>

/* Return blocks and bytes of INFO, including blocks of killed runs of which
   only the allocation is known.  */
uint64_t show_blocks (const struct memory_info *info);
double show_bytes (const struct memory_info *info);

/* Write the mean lifetime of INFO, which is part of REPORT and has blocks, to
   TEXT, of NUMBER_TEXT_BYTES, and return it.  LLVM's formats have only whole
   milliseconds.  */
const char *lifetime_text (char *text, const struct heap_report *report,
			   const struct memory_info *info);

/* The columns of these cells, to start a table with.  */
/* clang-format off */
#define SHOW_NUMBER_COLUMNS                                                   \
  { "blocks", false }, { "bytes", false }, { "average", false },              \
    { "accesses", false }, { "per byte", false }, { "lifetime", false },        \
    { "used", false }, { "live", false }
/* clang-format on */

/* Add the cells of INFO, part of REPORT, to TABLE; `-' for unknown values.
   Return false if memory is exhausted.  */
bool show_numbers (struct table *table, const struct heap_report *report,
		   const struct memory_info *info);

#endif /* HEAPPROF_SHOW_NUMBERS_H */
