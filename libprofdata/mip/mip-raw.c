/* Raw files are added to a machine-level profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   A file is read twice: first all of it is checked, then its images are
   added, so a damaged file changes nothing.  */

#include "mip-profile.h"
#include "byte-reader.h"
#include "heapprof/mip-format.h"
#include "mip-edge.h"
#include "mip-trace.h"
#include "saturating.h"
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#define MAX_CHUNKS 16

struct raw_chunk
{
  uint16_t kind;
  /* What bytes of coverage are of what was not reached.  */
  uint8_t unmarked;
  uint64_t address;
  uint64_t bytes;
  const uint8_t *data;
};

struct raw_image
{
  size_t offset;		/* in the file */
  bool big_endian;
  uint64_t bias;		/* run-time address minus link address */
  uint64_t time_ns;
  const uint8_t *build_id;
  uint32_t build_id_bytes;
  uint64_t link_unit;
  uint32_t runs;
  struct raw_chunk chunks[MAX_CHUNKS];
  uint32_t chunk_count;
};

static void
read_chunk (struct byte_reader *reader, struct raw_chunk *chunk)
{
  size_t offset = reader->position;
  chunk->kind = byte_reader_u16 (reader, "chunk");
  uint16_t encoding = byte_reader_u16 (reader, "chunk");
  byte_reader_u32 (reader, "chunk");
  chunk->address = byte_reader_u64 (reader, "chunk");
  chunk->bytes = byte_reader_u64 (reader, "chunk");
  uint64_t stored = byte_reader_u64 (reader, "chunk");
  bool is_inverted = encoding == HEAPPROF_MIP_REACHED_CLEARS
		     && chunk->kind == HEAPPROF_MIP_COVERAGE;
  chunk->unmarked = is_inverted ? UINT8_MAX : 0;
  if (!reader->failed
      && ((encoding != 0 && !is_inverted) || stored != chunk->bytes))
    byte_reader_fail (reader, offset, "encoding %u of slots is not known",
		      encoding);
  chunk->data = byte_reader_bytes (reader, stored, "slots");
  byte_reader_bytes (reader, -stored & 7, "slots");
}

/* Fail unless the 140 bytes at HEADER have the checksum CRC.  */
static void
check_crc (struct byte_reader *reader, size_t offset, const uint8_t *header,
	   uint32_t crc)
{
  if (!reader->failed
      && crc32 (0, header, offsetof (struct heapprof_mip_image, crc)) != crc)
    byte_reader_fail (reader, offset, "the checksum of the header is wrong");
}

/* Read the head of IMAGE, which is BYTES long; its chunks follow.  */
static void
read_header (struct byte_reader *reader, struct raw_image *image,
	     uint64_t *bytes)
{
  size_t offset = image->offset = reader->position;
  const uint8_t *header = reader->data + offset;
  const uint8_t *magic
    = byte_reader_bytes (reader, HEAPPROF_MIP_MAGIC_BYTES, "header");
  if (magic == NULL)
    return;
  if (!mip_profile_is_raw (magic, HEAPPROF_MIP_MAGIC_BYTES))
    byte_reader_fail (reader, offset, "not the image of a raw file");
  uint16_t version = byte_reader_u16 (reader, "header");
  uint16_t order = byte_reader_u16 (reader, "header");
  image->big_endian = order != HEAPPROF_MIP_BYTE_ORDER;
  reader->big_endian = image->big_endian;
  if (image->big_endian)
    version = __builtin_bswap16 (version);
  if (!reader->failed && version != HEAPPROF_MIP_VERSION)
    byte_reader_fail (reader, offset, "version %u of raw files is not known",
		      version);
  byte_reader_u16 (reader, "header");
  uint16_t header_bytes = byte_reader_u16 (reader, "header");
  *bytes = byte_reader_u64 (reader, "header");
  if (!reader->failed && header_bytes != sizeof (struct heapprof_mip_image))
    byte_reader_fail (reader, offset, "a header of %u bytes", header_bytes);
  image->bias = byte_reader_u64 (reader, "header");
  byte_reader_u32 (reader, "header");
  image->chunk_count = byte_reader_u32 (reader, "header");
  image->time_ns = byte_reader_u64 (reader, "header");
  byte_reader_bytes (reader, 12, "header");
  image->build_id_bytes = byte_reader_u32 (reader, "header");
  image->build_id
    = byte_reader_bytes (reader, HEAPPROF_MIP_BUILD_ID_BYTES, "header");
  image->link_unit = byte_reader_u64 (reader, "header");
  uint32_t path = byte_reader_u32 (reader, "header");
  check_crc (reader, offset, header, byte_reader_u32 (reader, "header"));
  image->runs = byte_reader_u32 (reader, "header");
  byte_reader_bytes (reader, 20, "header");
  byte_reader_bytes (reader, path, "path");
  byte_reader_bytes (reader, -(uint64_t) path & 7, "path");
}

/* Read the next image of READER.  */
static bool
read_image (struct byte_reader *reader, struct raw_image *image)
{
  uint64_t bytes = 0;
  read_header (reader, image, &bytes);
  if (reader->failed)
    return false;
  if (image->build_id_bytes > HEAPPROF_MIP_BUILD_ID_BYTES)
    return byte_reader_fail (reader, image->offset, "a build ID of %u bytes",
			     image->build_id_bytes);
  if (image->chunk_count > MAX_CHUNKS || image->runs == 0)
    return byte_reader_fail (reader, image->offset, "%u chunks of %u runs",
			     image->chunk_count, image->runs);
  for (uint32_t i = 0; i < image->chunk_count; i++)
    read_chunk (reader, &image->chunks[i]);
  if (!reader->failed && reader->position - image->offset != bytes)
    byte_reader_fail (reader, image->offset,
		      "the image is not of the %llu bytes that it says",
		      (unsigned long long) bytes);
  return !reader->failed;
}

static uint32_t
read_u32 (const struct raw_image *image, const uint8_t *data)
{
  uint32_t value;
  memcpy (&value, data, sizeof value);
  return image->big_endian ? be32toh (value) : le32toh (value);
}

/* The chunk that has the BYTES bytes of the slot at ADDRESS and of KIND; NULL if
   none has.  */
static const struct raw_chunk *
find_chunk (const struct raw_image *image, uint16_t kind, uint64_t address,
	    uint64_t bytes)
{
  for (uint32_t i = 0; i < image->chunk_count; i++)
    {
      const struct raw_chunk *chunk = &image->chunks[i];
      if (chunk->kind == kind && address >= chunk->address
	  && address - chunk->address < chunk->bytes
	  && chunk->bytes - (address - chunk->address) >= bytes)
	return chunk;
    }
  return NULL;
}

static uint64_t
slot_bytes (const struct mip_profile *profile,
	    const struct mip_function *function)
{
  uint64_t bytes = function->kind == HEAPPROF_MIP_COUNT	  ? 8
		   : function->kind == HEAPPROF_MIP_ORDER ? 4
							  : 1;
  for (uint32_t i = 0; i < function->block_count; i++)
    {
      uint32_t slot = profile->blocks[function->first_block + i].slot;
      if (slot != UINT32_MAX && slot >= bytes)
	bytes = (uint64_t) slot + 1;
    }
  return bytes;
}

/* Has IMAGE all slots of MODULE?  */
static bool
fits (const struct mip_profile *profile, const struct mip_module *module,
      const struct raw_image *image)
{
  for (uint32_t i = 0; i < module->function_count; i++)
    {
      const struct mip_function *function
	= &profile->functions[module->first_function + i];
      if (find_chunk (image, function->kind, function->slot,
		      slot_bytes (profile, function))
	  == NULL)
	return false;
    }
  return true;
}

/* What is known of a block whose rule is followed.  */
enum block_state
{
  BLOCK_UNKNOWN,
  BLOCK_FOLLOWED,		/* just now; a damaged map can go in circles */
  BLOCK_COVERED,
  BLOCK_NOT_COVERED
};

/* Rules that lead to one another further than this are a damaged map's.  */
#define MAX_RULE_DEPTH 5000

/* The image being added.  */
struct image_adding
{
  struct mip_profile *profile;
  const struct raw_image *image;
  uint64_t weight;
  uint8_t *states;		/* of one function's blocks; malloced */
  /* The function's slot, and its bytes of what was not reached.  */
  const uint8_t *slot;
  uint8_t unmarked;
};

/* Was that reached which BYTE of coverage stands for?  */
static bool
is_marked (uint8_t byte, uint8_t unmarked)
{
  return ((byte ^ unmarked) & HEAPPROF_MIP_MARKS) != 0;
}

/* Is block NUMBER of FUNCTION covered?  DEPTH blocks led here.  */
static bool
is_covered (const struct image_adding *adding,
	    const struct mip_function *function, uint32_t number,
	    uint32_t depth)
{
  const struct mip_block *block
    = &adding->profile->blocks[function->first_block + number];
  uint8_t *state = &adding->states[number];
  if (block->slot != UINT32_MAX)
    return is_marked (adding->slot[block->slot], adding->unmarked);
  if (*state != BLOCK_UNKNOWN || block->rule == UINT32_MAX
      || depth > MAX_RULE_DEPTH)
    return *state == BLOCK_COVERED;
  *state = BLOCK_FOLLOWED;
  const uint32_t *rule = adding->profile->rules + block->rule;
  bool result = false;
  for (uint32_t i = 1; i <= rule[0] && !result; i++)
    result = is_covered (adding, function, rule[i], depth + 1);
  *state = result ? BLOCK_COVERED : BLOCK_NOT_COVERED;
  return result;
}

/* Add what is known of the blocks of FUNCTION.  Did the first one, the entry,
   run?  */
static bool
add_blocks (const struct image_adding *adding,
	    const struct mip_function *function)
{
  memset (adding->states, BLOCK_UNKNOWN, function->block_count);
  for (uint32_t i = 0; i < function->block_count; i++)
    if (is_covered (adding, function, i, 0))
      {
	struct mip_block *block
	  = &adding->profile->blocks[function->first_block + i];
	block->runs = saturating_add (block->runs, adding->weight);
      }
  return is_covered (adding, function, 0, 0);
}

static void
add_order (struct mip_function *function, uint32_t word, uint64_t weight)
{
  uint64_t order = word & HEAPPROF_MIP_ORDER_MASK;
  function->order_sum = saturating_add (function->order_sum,
					saturating_multiply (order, weight));
  if (function->order_least == 0 || order < function->order_least)
    function->order_least = order;
}

/* Add what the slot of FUNCTION says.  Return its order, 0 if there is none or it
   did not run.  */
static uint32_t
add_function (struct image_adding *adding, struct mip_function *function)
{
  const struct raw_image *image = adding->image;
  uint64_t weight = adding->weight;
  const struct raw_chunk *chunk
    = find_chunk (image, function->kind, function->slot, 1);
  const uint8_t *slot = adding->slot
    = chunk->data + (function->slot - chunk->address);
  adding->unmarked = chunk->unmarked;
  uint32_t word = 0;
  bool ran = is_marked (*slot, chunk->unmarked);
  if (function->kind == HEAPPROF_MIP_COUNT)
    {
      word = read_u32 (image, slot + 4);
      ran = word != 0;
      /* 2^32 calls give 0 again.  */
      uint32_t calls = -read_u32 (image, slot);
      if (ran && calls == 0)
	calls = UINT32_MAX;
      function->calls
	= saturating_add (function->calls, saturating_multiply (calls, weight));
    }
  else if (function->kind == HEAPPROF_MIP_ORDER)
    {
      word = read_u32 (image, slot);
      ran = word != 0;
    }
  else if (function->block_count > 0)
    ran = add_blocks (adding, function);
  if (!ran)
    return 0;
  function->runs = saturating_add (function->runs, weight);
  if (word != 0)
    add_order (function, word, weight);
  return word & HEAPPROF_MIP_ORDER_MASK;
}

/* Add the edges of IMAGE to module NUMBER.  False if memory is exhausted.  */
static bool
add_edges (struct mip_profile *profile, size_t number,
	   const struct raw_image *image, uint64_t weight)
{
  bool is_done = true;
  for (uint32_t i = 0; i < image->chunk_count && is_done; i++)
    {
      const struct raw_chunk *chunk = &image->chunks[i];
      const struct mip_edge_chunk edges
	= { chunk->data, chunk->bytes, chunk->address, image->bias,
	    image->big_endian };
      if (chunk->kind == HEAPPROF_MIP_EDGES)
	is_done = mip_edges_add_chunk (profile, number, &edges, weight);
    }
  return is_done;
}

/* Add IMAGE as runs of module NUMBER.  False if memory is exhausted.  */
static bool
add_image (struct mip_profile *profile, size_t number,
	   const struct raw_image *image, uint64_t weight)
{
  struct mip_module *module = &profile->modules[number];
  struct mip_trace_maker trace = { 0 };
  uint32_t blocks = 1;
  for (uint32_t i = 0; i < module->function_count; i++)
    {
      const struct mip_function *function
	= &profile->functions[module->first_function + i];
      if (function->block_count > blocks)
	blocks = function->block_count;
    }
  struct image_adding adding
    = { profile, image, weight, malloc (blocks), NULL, 0 };
  bool is_done = adding.states != NULL;
  for (uint32_t i = 0; i < module->function_count && is_done; i++)
    {
      uint32_t index = module->first_function + i;
      uint32_t order
	= add_function (&adding, &profile->functions[index]);
      if (order != 0)
	is_done = mip_trace_maker_add (&trace, order, index);
    }
  is_done = is_done
	    && mip_trace_maker_finish (&trace, profile, image->time_ns, weight);
  is_done = is_done && add_edges (profile, number, image, weight);
  mip_trace_maker_release (&trace);
  free (adding.states);
  uint64_t runs = saturating_multiply (image->runs, weight);
  module->images = saturating_add (module->images, runs);
  profile->images = saturating_add (profile->images, runs);
  return is_done;
}

/* Fill *ERR with why IMAGE of the file PATH is left out.  */
static void
say_why (const char *path, const struct raw_image *image, bool is_known,
	 struct profile_error *err)
{
  char id[2 * HEAPPROF_MIP_BUILD_ID_BYTES + 1] = "";
  for (uint32_t i = 0; i < image->build_id_bytes; i++)
    snprintf (id + 2 * i, 3, "%02x", image->build_id[i]);
  if (is_known)
    profile_error_set (err, path, image->offset,
		       "its slots are not those of the program's map");
  else
    profile_error_set (err, path, image->offset,
		       "of another program: the profile has no build ID %s",
		       *id != '\0' ? id : "none");
}

bool
mip_profile_add_raw (struct mip_profile *profile, const char *path,
		     const void *data, size_t size, uint64_t weight,
		     size_t *skipped, struct profile_error *err)
{
  struct byte_reader reader;
  struct raw_image image;
  *skipped = 0;
  byte_reader_init (&reader, path, data, size, err);
  if (size == 0)
    return profile_error_set (err, path, 0, "the file is empty");
  while (byte_reader_left (&reader) > 0)
    read_image (&reader, &image);
  if (reader.failed)
    return false;
  byte_reader_init (&reader, path, data, size, err);
  while (byte_reader_left (&reader) > 0)
    {
      read_image (&reader, &image);
      size_t number
	= mip_profile_find_module (profile, image.build_id,
				   image.build_id_bytes, image.link_unit);
      if (number == SIZE_MAX
	  || !fits (profile, &profile->modules[number], &image))
	{
	  say_why (path, &image, number != SIZE_MAX, err);
	  ++*skipped;
	}
      else if (!add_image (profile, number, &image, weight))
	return profile_error_set_memory (err, path);
    }
  return true;
}
