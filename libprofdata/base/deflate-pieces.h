/* Deflating many bytes, with several threads.
   SPDX-License-Identifier: GPL-3.0-or-later

   The bytes are cut into pieces of one size, which are deflated apart, each
   with the end of the one before as its dictionary.  Put together they are one
   stream of zlib's, and the same one whoever did which.  */

#ifndef HEAPPROF_DEFLATE_PIECES_H
#define HEAPPROF_DEFLATE_PIECES_H

#include "byte-writer.h"
#include <stdbool.h>
#include <stddef.h>

struct deflate_pieces;

/* Make pieces of the N bytes at PLAIN, which must outlive them.  NULL if memory
   cannot be had.  */
struct deflate_pieces *deflate_pieces_new (const void *plain, size_t n);
void deflate_pieces_free (struct deflate_pieces *pieces);

/* Deflate pieces until none is left that nobody has begun.  Any number of
   threads may do so at a time.  */
void deflate_pieces_work (struct deflate_pieces *pieces);

/* When all who worked are done: set *BYTES to how many the stream has.  False
   if memory could not be had.  */
bool deflate_pieces_measure (const struct deflate_pieces *pieces,
			     size_t *bytes);

/* Append the stream to WRITER.  */
void deflate_pieces_write (struct byte_writer *writer,
			   const struct deflate_pieces *pieces);

#endif /* HEAPPROF_DEFLATE_PIECES_H */
