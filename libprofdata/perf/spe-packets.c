/* Operations recorded by Arm's Statistical Profiling Extension.
   SPDX-License-Identifier: GPL-3.0-or-later

   An operation is a sequence of packets (Arm Architecture Reference Manual,
   "Statistical Profiling Extension Sample Record Specification"),
   little-endian, which ends with an end packet or a timestamp:

     00                       padding
     01                       end
     71, 8 bytes              timestamp
     01ss0010, payload        events
     01ss0011, payload        data source
     011001nn, 4 bytes        context of the exception level
     010010nn, 1 byte         kind: 0 other, 1 memory, 2 branch
     1011 0nnn, 8 bytes       address n: 0 of the instruction, 1 of the branch's
			      target, 2 of data, 3 of data in physical memory
     1001 1nnn, 2 bytes       counter n: 0 latency in all
     001000nn, one of the two headers above: the upper bits of n
     0010nnnn, 00             padding up to a multiple of 2 << n bytes

   The payload has 1 << ss bytes; these two bits are part of all headers.  */

#include "spe-packets.h"
#include <inttypes.h>

#define PADDING 0x00
#define END 0x01
#define TIMESTAMP 0x71

/* The size of the payload is in other bits.  */
#define BITS_BESIDE_SIZE 0xcf
#define EVENTS 0x42
#define SOURCE 0x43

#define BITS_BESIDE_CLASS 0xfc
#define CONTEXT 0x64
#define KIND 0x48

#define BITS_OF_EXTENSION 0xf0
#define EXTENSION 0x20

#define BITS_BESIDE_INDEX 0xf8
#define ADDRESS 0xb0
#define COUNTER 0x98

enum address_index
{
  ADDRESS_INSTRUCTION,
  ADDRESS_TARGET,
  ADDRESS_DATA
};

#define COUNTER_TOTAL 0

/* Virtual addresses have 56 bits; the kernel's have the upper ones set.  */
#define ADDRESS_BITS 56
#define LOWER_BITS ((UINT64_C (1) << ADDRESS_BITS) - 1)

static const char what[] = "an operation of Arm SPE";

struct packet
{
  uint8_t header; /* the second one of two */
  unsigned int index;
  uint64_t payload;
};

static uint64_t
clean_address (uint64_t payload)
{
  payload &= LOWER_BITS;
  bool is_kernel = payload >> (ADDRESS_BITS - 4) == 15;
  return is_kernel ? payload | ~LOWER_BITS : payload;
}

static void
take_address (struct spe_operation *operation, const struct packet *packet)
{
  uint64_t address = clean_address (packet->payload);
  switch (packet->index)
    {
    case ADDRESS_INSTRUCTION:
      operation->has_ip = true;
      operation->ip = address;
      break;
    case ADDRESS_TARGET:
      operation->target = address;
      break;
    case ADDRESS_DATA:
      operation->has_address = true;
      operation->address = address;
      break;
    default:
      break;
    }
}

static void
take_kind (struct spe_operation *operation, const struct packet *packet)
{
  unsigned int kind = packet->header & 3;
  operation->kind = kind == 1 ? SPE_MEMORY : kind == 2 ? SPE_BRANCH : SPE_OTHER;
  operation->is_store = kind == 1 && (packet->payload & 1) != 0;
}

enum packet_type
{
  TYPE_UNKNOWN,
  TYPE_EVENTS,
  TYPE_SOURCE,
  TYPE_CONTEXT,
  TYPE_KIND,
  TYPE_ADDRESS,
  TYPE_COUNTER
};

static enum packet_type
type_of (uint8_t header)
{
  if ((header & BITS_BESIDE_SIZE) == EVENTS)
    return TYPE_EVENTS;
  if ((header & BITS_BESIDE_SIZE) == SOURCE)
    return TYPE_SOURCE;
  if ((header & BITS_BESIDE_CLASS) == CONTEXT)
    return TYPE_CONTEXT;
  if ((header & BITS_BESIDE_CLASS) == KIND)
    return TYPE_KIND;
  if ((header & BITS_BESIDE_INDEX) == ADDRESS)
    return TYPE_ADDRESS;
  return (header & BITS_BESIDE_INDEX) == COUNTER ? TYPE_COUNTER : TYPE_UNKNOWN;
}

static void
take_packet (struct spe_operation *operation, const struct packet *packet)
{
  switch (type_of (packet->header))
    {
    case TYPE_EVENTS:
      operation->has_events = true;
      operation->events = packet->payload;
      break;
    case TYPE_SOURCE:
      operation->source = (uint32_t) packet->payload;
      break;
    case TYPE_CONTEXT:
      operation->has_context = true;
      operation->context = (uint32_t) packet->payload;
      break;
    case TYPE_KIND:
      take_kind (operation, packet);
      break;
    case TYPE_ADDRESS:
      take_address (operation, packet);
      break;
    case TYPE_COUNTER:
      if (packet->index == COUNTER_TOTAL)
	operation->latency = (uint32_t) packet->payload;
      break;
    case TYPE_UNKNOWN:
    default:
      break;
    }
}

/* Read the payload of PACKET.  Return false if READER ends before its end.  */
static bool
read_payload (struct byte_reader *reader, struct packet *packet)
{
  unsigned int bytes = 1u << (packet->header >> 4 & 3);
  const uint8_t *payload = byte_reader_left (reader) >= bytes
			     ? byte_reader_bytes (reader, bytes, what)
			     : NULL;
  packet->payload = 0;
  for (unsigned int i = 0; payload && i < bytes; i++)
    packet->payload |= (uint64_t) payload[i] << 8 * i;
  return payload != NULL;
}

/* Skip the padding behind its two headers, of which FIRST is the first; READER
   was at START, which is at OFFSET of its buffer.  */
static bool
skip_padding (struct byte_reader *reader, uint8_t first, size_t start,
	      uint64_t offset)
{
  uint64_t alignment = UINT64_C (2) << (first & 15);
  uint64_t end = (offset / alignment + 1) * alignment - offset;
  size_t skipped = reader->position - start;
  uint64_t left = end > skipped ? end - skipped : 0;
  if (byte_reader_left (reader) < left)
    return false;
  byte_reader_bytes (reader, left, what);
  return true;
}

/* Read what FIRST, a first header that was at START, which is at OFFSET of its
   buffer, begins.  Return false, without failure, if READER ends before its
   end.  */
static bool
read_packet (struct byte_reader *reader, uint8_t first, size_t start,
	     uint64_t offset, struct spe_operation *operation)
{
  struct packet packet = { .header = first, .index = first & 7 };
  bool is_long = (first & BITS_OF_EXTENSION) == EXTENSION;
  if (is_long && byte_reader_left (reader) == 0)
    return false;
  if (is_long)
    {
      packet.header = byte_reader_u8 (reader, what);
      packet.index = (first & 3u) << 3 | (packet.header & 7);
      if (packet.header == PADDING)
	return skip_padding (reader, first, start, offset);
    }
  enum packet_type type = type_of (packet.header);
  bool is_indexed = type == TYPE_ADDRESS || type == TYPE_COUNTER;
  if (is_long && (!is_indexed || (first & BITS_BESIDE_CLASS) != EXTENSION))
    return byte_reader_fail (reader, start, "%s: invalid packet 0x%02x 0x%02x",
			     what, first, packet.header);
  if (type == TYPE_UNKNOWN)
    return byte_reader_fail (reader, start, "%s: invalid packet 0x%02x", what,
			     first);
  if (!read_payload (reader, &packet))
    return false;
  take_packet (operation, &packet);
  return true;
}

bool
spe_operation_take (struct byte_reader *reader, uint64_t offset,
		    struct spe_operation *operation, bool *is_whole)
{
  size_t begin = reader->position;
  *operation = (struct spe_operation){ 0 };
  *is_whole = false;
  while (byte_reader_left (reader) > 0)
    {
      size_t start = reader->position;
      uint8_t first = byte_reader_u8 (reader, what);
      if (first == PADDING)
	continue;
      *is_whole = first == END;
      if (first == TIMESTAMP)
	{
	  struct packet packet = { .header = first };
	  *is_whole = read_payload (reader, &packet);
	  operation->time = packet.payload;
	}
      if (*is_whole)
	return true;
      if (first == TIMESTAMP
	  || !read_packet (reader, first, start, offset + (start - begin),
			   operation))
	return !reader->failed;
    }
  return !reader->failed;
}

uint64_t
spe_operation_target (const struct spe_operation *operation)
{
  return operation->kind == SPE_BRANCH && !(operation->events & SPE_NOT_TAKEN)
	   ? operation->target
	   : 0;
}

bool
spe_operation_has_happened (const struct spe_operation *operation)
{
  return !operation->has_events || (operation->events & SPE_RETIRED) != 0;
}
