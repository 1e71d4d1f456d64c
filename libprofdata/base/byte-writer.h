/* A growing byte buffer for a file being built in memory.
   SPDX-License-Identifier: GPL-3.0-or-later

   Numbers are little-endian.  When memory is exhausted the writer fails, and
   later calls change nothing, so the caller checks once at the end.  */

#ifndef HEAPPROF_BYTE_WRITER_H
#define HEAPPROF_BYTE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* All zeros is an empty writer.  */
  struct byte_writer
  {
    uint8_t *data; /* malloced */
    size_t size;
    size_t capacity;
    bool failed;
  };

  /* Free the bytes.  */
  void byte_writer_free (struct byte_writer *writer);

  /* Reserve memory for N more bytes at once, so that appending them does not
     move the content.  */
  void byte_writer_expect (struct byte_writer *writer, size_t n);

  /* Append a number or N bytes.  */
  void byte_writer_u8 (struct byte_writer *writer, uint8_t value);
  void byte_writer_u16 (struct byte_writer *writer, uint16_t value);
  void byte_writer_u32 (struct byte_writer *writer, uint32_t value);
  void byte_writer_u64 (struct byte_writer *writer, uint64_t value);
  void byte_writer_uleb128 (struct byte_writer *writer, uint64_t value);
  void byte_writer_bytes (struct byte_writer *writer, const void *bytes,
			  size_t n);

  /* Append COUNT numbers.  */
  void byte_writer_u32s (struct byte_writer *writer, const uint32_t *values,
			 size_t count);

  /* Append N uninitialized bytes and return them.  The caller must fill them
     before it appends anything else.  NULL if the writer fails or N is 0.  */
  uint8_t *byte_writer_room (struct byte_writer *writer, size_t n);

  /* Append formatted text of less than 100 bytes.  */
  void byte_writer_print (struct byte_writer *writer, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));

  /* Append zeros until the size is a multiple of ALIGNMENT.  */
  void byte_writer_align (struct byte_writer *writer, size_t alignment);

  /* Overwrite the 8 bytes at OFFSET, which were appended earlier.  */
  void byte_writer_patch_u64 (struct byte_writer *writer, size_t offset,
			      uint64_t value);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_BYTE_WRITER_H */
