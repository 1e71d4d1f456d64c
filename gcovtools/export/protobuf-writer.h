/* Messages in protobuf's wire format, limited to what profiles need: varint,
   64-bit and byte fields.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PROTOBUF_WRITER_H
#define HEAPPROF_PROTOBUF_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing message.  All zeros is empty.  */
struct protobuf
{
  uint8_t *data; /* malloced */
  size_t size;
  size_t capacity;
  bool has_failed; /* memory was exhausted */
};

/* Append FIELD with VALUE, unless it is 0, the default.  */
void protobuf_add_number (struct protobuf *message, unsigned int field,
			  uint64_t value);

/* The same for a field of the type fixed64.  */
void protobuf_add_fixed64 (struct protobuf *message, unsigned int field,
			   uint64_t value);

/* Append FIELD with the COUNT VALUES, packed; nothing if COUNT is 0.  */
void protobuf_add_numbers (struct protobuf *message, unsigned int field,
			   const uint64_t *values, size_t count);

/* Append FIELD with the SIZE bytes at DATA, which may be text.  */
void protobuf_add_bytes (struct protobuf *message, unsigned int field,
			 const void *data, size_t size);

/* Append FIELD with TEXT, which is UTF-8.  */
void protobuf_add_text (struct protobuf *message, unsigned int field,
			const char *text);

/* Append FIELD with the message PART, and empty PART for its next use.  */
void protobuf_add_message (struct protobuf *message, unsigned int field,
			   struct protobuf *part);

void protobuf_release (struct protobuf *message);

#endif /* HEAPPROF_PROTOBUF_WRITER_H */
