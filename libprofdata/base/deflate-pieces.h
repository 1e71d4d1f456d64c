/* Deflating large inputs with several threads.
   SPDX-License-Identifier: GPL-3.0-or-later

   The input is cut into pieces of equal size.  Each is deflated separately,
   with the end of the previous piece as its dictionary.  Joined, they are a
   single zlib stream, whose bytes do not depend on which thread deflated which
   piece.  */

#ifndef HEAPPROF_DEFLATE_PIECES_H
#define HEAPPROF_DEFLATE_PIECES_H

#include "byte-writer.h"
#include <stdbool.h>
#include <stddef.h>

struct deflate_pieces;

/* Return pieces for the N bytes at PLAIN, which must outlive them.  NULL if
   memory is exhausted.  */
struct deflate_pieces *deflate_pieces_new (const void *plain, size_t n);
void deflate_pieces_free (struct deflate_pieces *pieces);

/* Deflate pieces until all are claimed.  Any number of threads may call this
   concurrently.  */
void deflate_pieces_work (struct deflate_pieces *pieces);

/* After all threads are done: set *BYTES to the size of the stream.  Return
   false if memory was exhausted.  */
bool deflate_pieces_measure (const struct deflate_pieces *pieces,
			     size_t *bytes);

/* Append the stream to WRITER.  */
void deflate_pieces_write (struct byte_writer *writer,
			   const struct deflate_pieces *pieces);

#endif /* HEAPPROF_DEFLATE_PIECES_H */
