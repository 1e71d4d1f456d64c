/* Data in the gzip format.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gzip-writer.h"
#include <stdint.h>
#include <zlib.h>

/* zlib's window bits, and the value added to write the gzip format.  */
#define WINDOW_BITS 15
#define GZIP_FORM 16
#define MEMORY_LEVEL 8

bool
gzip_write (const void *data, size_t size, FILE *out)
{
  uint8_t piece[65536];
  z_stream stream = { .next_in = (Bytef *) data };
  size_t rest = size;
  int status;
  if (deflateInit2 (&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
		    WINDOW_BITS + GZIP_FORM, MEMORY_LEVEL, Z_DEFAULT_STRATEGY)
      != Z_OK)
    return false;
  do
    {
      if (stream.avail_in == 0)
	{
	  stream.avail_in = rest < UINT32_MAX ? (uInt) rest : UINT32_MAX;
	  rest -= stream.avail_in;
	}
      stream.next_out = piece;
      stream.avail_out = sizeof piece;
      status = deflate (&stream, rest == 0 ? Z_FINISH : Z_NO_FLUSH);
      fwrite (piece, 1, sizeof piece - stream.avail_out, out);
    }
  while (status == Z_OK);
  deflateEnd (&stream);
  return status == Z_STREAM_END;
}
