/* Data in the gzip format.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GZIP_WRITER_H
#define HEAPPROF_GZIP_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Write the SIZE bytes at DATA to OUT, whose errors the caller handles,
   compressed.  Return false if memory is exhausted.  */
bool gzip_write (const void *data, size_t size, FILE *out);

#endif /* HEAPPROF_GZIP_WRITER_H */
