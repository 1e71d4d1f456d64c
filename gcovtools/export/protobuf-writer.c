/* Messages in protobuf's wire format, limited to what profiles need: varint,
   64-bit and byte fields.
   SPDX-License-Identifier: GPL-3.0-or-later

   A field starts with a varint: its number times 8 plus the kind of its value,
   0 for a varint, 1 for eight bytes, lowest first, 2 for a varint length
   followed by bytes.  A varint has seven bits per byte, lowest first, with the
   top bit set in all bytes except the last.  */

#include "protobuf-writer.h"
#include <stdlib.h>
#include <string.h>

enum
{
  KIND_VARINT = 0,
  KIND_FIXED64 = 1,
  KIND_BYTES = 2
};

#define MAX_VARINT_BYTES 10

/* Make room for SIZE more bytes.  */
static bool
reserve (struct protobuf *message, size_t size)
{
  if (message->has_failed)
    return false;
  if (message->capacity - message->size >= size)
    return true;
  size_t capacity = 2 * message->capacity + size + 64;
  uint8_t *grown = realloc (message->data, capacity);
  if (grown == NULL)
    {
      message->has_failed = true;
      return false;
    }
  message->data = grown;
  message->capacity = capacity;
  return true;
}

static void
add_varint (struct protobuf *message, uint64_t value)
{
  if (!reserve (message, MAX_VARINT_BYTES))
    return;
  for (; value >= 128; value >>= 7)
    message->data[message->size++] = (uint8_t) (value | 128);
  message->data[message->size++] = (uint8_t) value;
}

static size_t
varint_bytes (uint64_t value)
{
  size_t count = 1;
  for (; value >= 128; value >>= 7)
    count++;
  return count;
}

void
protobuf_add_number (struct protobuf *message, unsigned int field,
		     uint64_t value)
{
  if (value == 0)
    return;
  add_varint (message, field << 3 | KIND_VARINT);
  add_varint (message, value);
}

void
protobuf_add_fixed64 (struct protobuf *message, unsigned int field,
		      uint64_t value)
{
  if (value == 0)
    return;
  add_varint (message, field << 3 | KIND_FIXED64);
  if (!reserve (message, sizeof value))
    return;
  for (size_t i = 0; i < sizeof value; i++)
    message->data[message->size++] = (uint8_t) (value >> 8 * i);
}

void
protobuf_add_numbers (struct protobuf *message, unsigned int field,
		      const uint64_t *values, size_t count)
{
  size_t size = 0;
  if (count == 0)
    return;
  for (size_t i = 0; i < count; i++)
    size += varint_bytes (values[i]);
  add_varint (message, field << 3 | KIND_BYTES);
  add_varint (message, size);
  for (size_t i = 0; i < count; i++)
    add_varint (message, values[i]);
}

void
protobuf_add_bytes (struct protobuf *message, unsigned int field,
		    const void *data, size_t size)
{
  add_varint (message, field << 3 | KIND_BYTES);
  add_varint (message, size);
  if (size == 0 || !reserve (message, size))
    return;
  memcpy (message->data + message->size, data, size);
  message->size += size;
}

void
protobuf_add_text (struct protobuf *message, unsigned int field,
		   const char *text)
{
  protobuf_add_bytes (message, field, text, strlen (text));
}

void
protobuf_add_message (struct protobuf *message, unsigned int field,
		      struct protobuf *part)
{
  protobuf_add_bytes (message, field, part->data, part->size);
  message->has_failed = message->has_failed || part->has_failed;
  part->size = 0;
}

void
protobuf_release (struct protobuf *message)
{
  free (message->data);
  *message = (struct protobuf){ 0 };
}
