/* Compressed records of perf.data.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"
#include "perf-stream.h"

#ifdef HAVE_ZSTD

#include "perf-format.h"
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* Records are taken out whenever it is full; the start of an incomplete record
   stays, which is less than half of it.  */
#define BUFFER_BYTES (2 * (PERF_GREATEST_RECORD_BYTES + 1))

struct perf_stream
{
  ZSTD_DStream *decompressor;
  size_t used; /* bytes of BUFFER */
  uint8_t buffer[BUFFER_BYTES];
};

void
perf_stream_free (struct perf_stream *stream)
{
  if (!stream)
    return;
  ZSTD_freeDStream (stream->decompressor);
  free (stream);
}

static struct perf_stream *
new_stream (void)
{
  struct perf_stream *stream = malloc (sizeof *stream);
  if (!stream)
    return NULL;
  stream->used = 0;
  stream->decompressor = ZSTD_createDStream ();
  if (stream->decompressor)
    return stream;
  free (stream);
  return NULL;
}

/* Handle the complete records in the buffer, which all came from the record of
   OUTER, and keep the rest.  */
static bool
handle_records (struct perf_stream *stream, struct perf_records *records,
		struct byte_reader *outer)
{
  struct byte_reader reader;
  byte_reader_init (&reader, outer->path, stream->buffer, stream->used,
		    outer->err);
  reader.big_endian = outer->big_endian;
  bool is_whole = true;
  while (byte_reader_left (&reader) > 0 && is_whole)
    {
      struct perf_record record;
      if (!perf_record_take (&reader, &record, &is_whole)
	  || (is_whole && !perf_records_handle (records, &record)))
	{
	  outer->failed = true;
	  if (outer->err->offset != PROFILE_ERROR_NO_OFFSET)
	    outer->err->offset = outer->position;
	  return false;
	}
    }
  stream->used -= reader.position;
  memmove (stream->buffer, stream->buffer + reader.position, stream->used);
  return true;
}

bool
perf_stream_handle (struct perf_stream **stream, struct perf_records *records,
		    struct byte_reader *reader)
{
  if (!*stream)
    *stream = new_stream ();
  if (!*stream)
    return byte_reader_fail_memory (reader);
  size_t start = reader->position;
  size_t left = byte_reader_left (reader);
  ZSTD_inBuffer in
    = { .src = byte_reader_bytes (reader, left, "a compressed record"),
	.size = left };
  for (bool is_full = true; in.pos < in.size || is_full;)
    {
      ZSTD_outBuffer out = { .dst = (*stream)->buffer,
			     .size = BUFFER_BYTES,
			     .pos = (*stream)->used };
      size_t before = in.pos;
      size_t result
	= ZSTD_decompressStream ((*stream)->decompressor, &out, &in);
      if (ZSTD_isError (result)
	  || (in.pos == before && out.pos == (*stream)->used
	      && in.pos < in.size))
	return byte_reader_fail (reader, start, "a compressed record: %s",
				 ZSTD_isError (result)
				   ? ZSTD_getErrorName (result)
				   : "no data in it");
      is_full = out.pos == out.size;
      (*stream)->used = out.pos;
      if (!handle_records (*stream, records, reader))
	return false;
    }
  return true;
}

#else

#include <stddef.h>

void
perf_stream_free (struct perf_stream *stream)
{
  (void) stream;
}

bool
perf_stream_handle (struct perf_stream **stream, struct perf_records *records,
		    struct byte_reader *reader)
{
  (void) stream;
  (void) records;
  return byte_reader_fail (reader, reader->position,
			   "compressed record, but this program was built "
			   "without libzstd");
}

#endif
