/* Deflating large inputs with several threads.
   SPDX-License-Identifier: GPL-3.0-or-later

   A zlib stream is a two-byte header, deflated blocks, and the big-endian
   Adler-32 checksum of the plain bytes.  All pieces except the last are flushed
   to a byte boundary, so that the next piece can follow.  */

#include "deflate-pieces.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <zlib.h>

#define PIECE_BYTES (256u << 10)
#define DICTIONARY_BYTES (32u << 10)

/* zlib's defaults, but without a header of its own.  */
#define WINDOW_BITS (-15)
#define MEMORY_LEVEL 8

/* Most bytes that a flush adds.  */
#define FLUSH_BYTES 16

#define HEADER_BYTES 2
#define CHECKSUM_BYTES 4

/* A window of 32 KiB, the fastest level.  */
static const uint8_t header[HEADER_BYTES] = { 0x78, 0x01 };

struct piece
{
  Bytef *deflated; /* malloced; NULL on failure */
  size_t bytes;
  uLong checksum; /* of the plain bytes */
};

struct deflate_pieces
{
  const Bytef *plain;
  size_t plain_bytes;
  size_t count;
  atomic_size_t next; /* next unclaimed piece */
  struct piece pieces[];
};

struct deflate_pieces *
deflate_pieces_new (const void *plain, size_t n)
{
  size_t count = n > 0 ? (n - 1) / PIECE_BYTES + 1 : 1;
  struct deflate_pieces *pieces
    = calloc (1, sizeof *pieces + count * sizeof *pieces->pieces);
  if (!pieces)
    return NULL;
  pieces->plain = plain;
  pieces->plain_bytes = n;
  pieces->count = count;
  return pieces;
}

void
deflate_pieces_free (struct deflate_pieces *pieces)
{
  if (!pieces)
    return;
  for (size_t i = 0; i < pieces->count; i++)
    free (pieces->pieces[i].deflated);
  free (pieces);
}

/* Deflate the input of STREAM into PIECE.  */
static void
deflate_all (z_stream *stream, struct piece *piece, bool is_last)
{
  size_t room = deflateBound (stream, stream->avail_in) + FLUSH_BYTES;
  Bytef *deflated = malloc (room);
  if (!deflated)
    return;
  stream->next_out = deflated;
  stream->avail_out = room;
  int result = deflate (stream, is_last ? Z_FINISH : Z_SYNC_FLUSH);
  if (result != (is_last ? Z_STREAM_END : Z_OK) || stream->avail_in > 0)
    {
      free (deflated);
      return;
    }
  piece->bytes = room - stream->avail_out;
  /* Most of the buffer was never touched.  */
  Bytef *shrunk = realloc (deflated, piece->bytes);
  if (!shrunk)
    free (deflated);
  piece->deflated = shrunk;
}

static void
deflate_piece (struct deflate_pieces *pieces, size_t index)
{
  z_stream stream = { .next_in = Z_NULL };
  struct piece *piece = &pieces->pieces[index];
  size_t start = index * PIECE_BYTES;
  bool is_last = index + 1 == pieces->count;
  const Bytef *plain = pieces->plain + start;
  if (deflateInit2 (&stream, Z_BEST_SPEED, Z_DEFLATED, WINDOW_BITS,
		    MEMORY_LEVEL, Z_DEFAULT_STRATEGY)
      != Z_OK)
    return;
  stream.avail_in = is_last ? pieces->plain_bytes - start : PIECE_BYTES;
  /* zlib does not modify its input.  */
  stream.next_in = (Bytef *) plain;
  piece->checksum = adler32 (adler32 (0, Z_NULL, 0), plain, stream.avail_in);
  if (index == 0
      || deflateSetDictionary (&stream, plain - DICTIONARY_BYTES,
			       DICTIONARY_BYTES)
	   == Z_OK)
    deflate_all (&stream, piece, is_last);
  deflateEnd (&stream);
}

void
deflate_pieces_work (struct deflate_pieces *pieces)
{
  size_t index;
  while ((index = atomic_fetch_add (&pieces->next, 1)) < pieces->count)
    deflate_piece (pieces, index);
}

bool
deflate_pieces_measure (const struct deflate_pieces *pieces, size_t *bytes)
{
  *bytes = HEADER_BYTES + CHECKSUM_BYTES;
  for (size_t i = 0; i < pieces->count; i++)
    {
      if (!pieces->pieces[i].deflated)
	return false;
      *bytes += pieces->pieces[i].bytes;
    }
  return true;
}

void
deflate_pieces_write (struct byte_writer *writer,
		      const struct deflate_pieces *pieces)
{
  uLong checksum = adler32 (0, Z_NULL, 0);
  byte_writer_bytes (writer, header, sizeof header);
  for (size_t i = 0; i < pieces->count; i++)
    {
      const struct piece *piece = &pieces->pieces[i];
      size_t start = i * PIECE_BYTES;
      size_t left = pieces->plain_bytes - start;
      byte_writer_bytes (writer, piece->deflated, piece->bytes);
      checksum = adler32_combine (checksum, piece->checksum,
				  left < PIECE_BYTES ? left : PIECE_BYTES);
    }
  for (int shift = 24; shift >= 0; shift -= 8)
    byte_writer_u8 (writer, checksum >> shift);
}
