/* The heapprof section: numbers that few contexts have.
   SPDX-License-Identifier: GPL-3.0-or-later

     columns	 number of contexts with a number that is not 0; each: context -
		 that of the one before, its numbers

   All numbers are ULEB128; contexts are numbered as in their block, and
   ascend.  */

#ifndef HEAPPROF_HEAPPROF_COLUMNS_H
#define HEAPPROF_HEAPPROF_COLUMNS_H

#include "heapprof-details.h"
#include <stddef.h>

#define HEAPPROF_COLUMNS_MAX 4

/* Which numbers.  */
struct heapprof_columns
{
  const char *name; /* in messages: of the block */
  const char *what; /* in messages: what ends early */
  size_t count;
  size_t offsets[HEAPPROF_COLUMNS_MAX]; /* of uint64_t in memory_info */
};

/* Append the COLUMNS of PROFILE to WRITER.  */
void heapprof_columns_write (struct byte_writer *writer,
			     const struct heap_profile *profile,
			     const struct canonical_order *order,
			     const struct heapprof_columns *columns);

/* Read COLUMNS and add them to PROFILE's.  READER fails if they are invalid or
   memory is exhausted.  */
void heapprof_columns_read (struct byte_reader *reader,
			    struct heap_profile *profile,
			    const struct heapprof_details_maps *maps,
			    const struct heapprof_columns *columns);

#endif /* HEAPPROF_HEAPPROF_COLUMNS_H */
