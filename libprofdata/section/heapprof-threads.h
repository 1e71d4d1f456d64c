/* The heapprof section: threads (heap-threads.h).
   SPDX-License-Identifier: GPL-3.0-or-later

     threads	 number; each: threads that it is the sum of, ID, start, end,
		 blocks and bytes allocated, blocks and bytes live, blocks and
		 bytes at the peak, most bytes, bytes of the name, and these

   All numbers are ULEB128.  */

#ifndef HEAPPROF_HEAPPROF_THREADS_H
#define HEAPPROF_HEAPPROF_THREADS_H

#include "byte-reader.h"
#include "byte-writer.h"
#include "heap-profile.h"
#include <stdbool.h>

/* Return true if PROFILE has any.  */
bool heapprof_threads_are_there (const struct heap_profile *profile);

/* Append the block for PROFILE to WRITER.  */
void heapprof_threads_write (struct byte_writer *writer,
			     const struct heap_profile *profile);

/* Read the block into PROFILE.  */
void heapprof_threads_read (struct byte_reader *reader,
			    struct heap_profile *profile);

#endif /* HEAPPROF_HEAPPROF_THREADS_H */
