/* A growing byte buffer.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "byte-writer.h"
#include "large-memory.h"
#include <endian.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
byte_writer_free (struct byte_writer *writer)
{
  free (writer->data);
  *writer = (struct byte_writer){ 0 };
}

/* Allocate room for CAPACITY bytes.  */
static bool
grow (struct byte_writer *writer, size_t capacity)
{
  uint8_t *data = large_memory_resize (writer->data, writer->size, capacity);
  if (!data)
    {
      writer->failed = true;
      return false;
    }
  writer->data = data;
  writer->capacity = capacity;
  return true;
}

void
byte_writer_expect (struct byte_writer *writer, size_t n)
{
  if (!writer->failed && n > writer->capacity - writer->size)
    grow (writer, writer->size + n);
}

uint8_t *
byte_writer_room (struct byte_writer *writer, size_t n)
{
  if (writer->failed || n == 0)
    return NULL;
  if (n > writer->capacity - writer->size
      && !grow (writer, writer->capacity + writer->capacity / 2 + n + 256))
    return NULL;
  uint8_t *place = writer->data + writer->size;
  writer->size += n;
  return place;
}

static void
put_number (uint8_t *place, uint64_t value, size_t n)
{
  for (size_t i = 0; i < n; i++)
    place[i] = value >> 8 * i;
}

static void
append_number (struct byte_writer *writer, uint64_t value, size_t n)
{
  uint8_t *place = byte_writer_room (writer, n);
  if (place)
    put_number (place, value, n);
}

void
byte_writer_u8 (struct byte_writer *writer, uint8_t value)
{
  append_number (writer, value, 1);
}

void
byte_writer_u16 (struct byte_writer *writer, uint16_t value)
{
  append_number (writer, value, 2);
}

void
byte_writer_u32 (struct byte_writer *writer, uint32_t value)
{
  append_number (writer, value, 4);
}

void
byte_writer_u64 (struct byte_writer *writer, uint64_t value)
{
  append_number (writer, value, 8);
}

/* Of a 64-bit number, 7 bits per byte.  */
#define MOST_ULEB128_BYTES 10

static uint8_t *
put_uleb128 (uint8_t *place, uint64_t value)
{
  for (; value >= 0x80; value >>= 7)
    *place++ = value | 0x80;
  *place++ = value;
  return place;
}

void
byte_writer_uleb128 (struct byte_writer *writer, uint64_t value)
{
  uint8_t bytes[MOST_ULEB128_BYTES];
  if (writer->failed || writer->capacity - writer->size < sizeof bytes)
    {
      byte_writer_bytes (writer, bytes, put_uleb128 (bytes, value) - bytes);
      return;
    }
  writer->size
    = put_uleb128 (writer->data + writer->size, value) - writer->data;
}

void
byte_writer_bytes (struct byte_writer *writer, const void *bytes, size_t n)
{
  uint8_t *place = byte_writer_room (writer, n);
  if (place)
    memcpy (place, bytes, n);
}

void
byte_writer_u32s (struct byte_writer *writer, const uint32_t *values,
		  size_t count)
{
  uint8_t *place = byte_writer_room (writer, count * sizeof *values);
  for (size_t i = 0; place && i < count; i++)
    {
      uint32_t value = htole32 (values[i]);
      memcpy (place + i * sizeof value, &value, sizeof value);
    }
}

void
byte_writer_print (struct byte_writer *writer, const char *format, ...)
{
  char text[100];
  va_list arguments;
  va_start (arguments, format);
  int n = vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);
  byte_writer_bytes (writer, text, n);
}

void
byte_writer_align (struct byte_writer *writer, size_t alignment)
{
  while (!writer->failed && writer->size % alignment != 0)
    byte_writer_u8 (writer, 0);
}

void
byte_writer_patch_u64 (struct byte_writer *writer, size_t offset,
		       uint64_t value)
{
  if (!writer->failed)
    put_number (writer->data + offset, value, 8);
}
