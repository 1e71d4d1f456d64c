/* Reading the file of a machine-level profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-profile.h"
#include "byte-reader.h"
#include "heapprof/mip-format.h"
#include "mip-array.h"
#include "mip-file.h"
#include "mip-check.h"
#include <stdlib.h>
#include <zlib.h>

/* Entry in the table of sections.  */
struct section
{
  uint64_t offset;
  uint64_t bytes;
  uint64_t count;
};

static const uint32_t element_bytes[MIP_SECTION_COUNT]
  = { [MIP_SECTION_MODULES] = MIP_FILE_MODULE_BYTES,
      [MIP_SECTION_FUNCTIONS] = MIP_FILE_FUNCTION_BYTES,
      [MIP_SECTION_BLOCKS] = MIP_FILE_BLOCK_BYTES,
      [MIP_SECTION_RULES] = 4,
      [MIP_SECTION_TRACES] = MIP_FILE_TRACE_BYTES,
      [MIP_SECTION_TRACE_DATA] = 4,
      [MIP_SECTION_STRINGS] = 1,
      [MIP_SECTION_EDGES] = MIP_FILE_EDGE_BYTES,
      [MIP_SECTION_COPIES] = MIP_FILE_COPY_BYTES,
      [MIP_SECTION_FLOWS] = MIP_FILE_FLOW_BYTES };

static const char *const names[MIP_SECTION_COUNT] = {
  [MIP_SECTION_MODULES] = "modules", [MIP_SECTION_FUNCTIONS] = "functions",
  [MIP_SECTION_BLOCKS] = "blocks",   [MIP_SECTION_RULES] = "rules",
  [MIP_SECTION_TRACES] = "traces",   [MIP_SECTION_TRACE_DATA] = "trace data",
  [MIP_SECTION_STRINGS] = "strings", [MIP_SECTION_EDGES] = "edges",
  [MIP_SECTION_COPIES] = "copies",   [MIP_SECTION_FLOWS] = "flows"
};

static void
read_module (struct byte_reader *reader, struct mip_module *module)
{
  const void *id = byte_reader_bytes (reader, MIP_BUILD_ID_BYTES, "module");
  if (id != NULL)
    memcpy (module->build_id, id, MIP_BUILD_ID_BYTES);
  module->build_id_bytes = byte_reader_u32 (reader, "module");
  module->path = byte_reader_u32 (reader, "module");
  module->link_unit = byte_reader_u64 (reader, "module");
  module->text_low = byte_reader_u64 (reader, "module");
  module->text_high = byte_reader_u64 (reader, "module");
  module->images = byte_reader_u64 (reader, "module");
  module->first_function = byte_reader_u32 (reader, "module");
  module->function_count = byte_reader_u32 (reader, "module");
  byte_reader_bytes (reader, 16, "module");
}

static void
read_function (struct byte_reader *reader, struct mip_function *function)
{
  function->source_hash = byte_reader_u64 (reader, "function");
  function->shape_hash = byte_reader_u64 (reader, "function");
  function->entry = byte_reader_u64 (reader, "function");
  function->slot = byte_reader_u64 (reader, "function");
  function->cold = byte_reader_u64 (reader, "function");
  function->cold_bytes = byte_reader_u32 (reader, "function");
  function->code_bytes = byte_reader_u32 (reader, "function");
  function->module = byte_reader_u32 (reader, "function");
  function->name = byte_reader_u32 (reader, "function");
  function->origin = byte_reader_u32 (reader, "function");
  function->file = byte_reader_u32 (reader, "function");
  function->line = byte_reader_u32 (reader, "function");
  function->kind = byte_reader_u16 (reader, "function");
  function->flags = byte_reader_u16 (reader, "function");
  function->first_block = byte_reader_u32 (reader, "function");
  function->block_count = byte_reader_u32 (reader, "function");
  function->runs = byte_reader_u64 (reader, "function");
  function->calls = byte_reader_u64 (reader, "function");
  function->order_sum = byte_reader_u64 (reader, "function");
  function->order_least = byte_reader_u64 (reader, "function");
  function->first_copy = byte_reader_u32 (reader, "function");
  function->copy_count = byte_reader_u32 (reader, "function");
  byte_reader_bytes (reader, 8, "function");
}

static void
read_block (struct byte_reader *reader, struct mip_block *block)
{
  block->code_offset = byte_reader_u32 (reader, "block");
  block->line = byte_reader_u32 (reader, "block");
  block->slot = byte_reader_u32 (reader, "block");
  block->rule = byte_reader_u32 (reader, "block");
  block->runs = byte_reader_u64 (reader, "block");
}

static void
read_trace (struct byte_reader *reader, struct mip_trace *trace)
{
  trace->first = byte_reader_u32 (reader, "trace");
  trace->count = byte_reader_u32 (reader, "trace");
  trace->weight = byte_reader_u64 (reader, "trace");
}

static void
read_edge (struct byte_reader *reader, struct mip_edge *edge)
{
  edge->callee = byte_reader_u32 (reader, "edge");
  edge->caller = byte_reader_u32 (reader, "edge");
  edge->site = byte_reader_u64 (reader, "edge");
  edge->calls = byte_reader_u64 (reader, "edge");
  edge->counter = byte_reader_u64 (reader, "edge");
}

static void
read_copy (struct byte_reader *reader, struct mip_copy *copy)
{
  copy->name = byte_reader_u32 (reader, "copy");
  copy->file = byte_reader_u32 (reader, "copy");
  copy->line = byte_reader_u32 (reader, "copy");
  copy->flags = byte_reader_u32 (reader, "copy");
  copy->parent = byte_reader_u32 (reader, "copy");
  copy->rule = byte_reader_u32 (reader, "copy");
  copy->runs = byte_reader_u64 (reader, "copy");
}

static void
read_flow (struct byte_reader *reader, struct mip_flow *flow)
{
  flow->caller = byte_reader_u32 (reader, "flow");
  flow->from = byte_reader_u32 (reader, "flow");
  flow->to = byte_reader_u32 (reader, "flow");
  byte_reader_u32 (reader, "flow");
  flow->site = byte_reader_u64 (reader, "flow");
  flow->counter = byte_reader_u64 (reader, "flow");
}

/* Allocate COUNT elements of SECTION in PROFILE; NULL if memory is
   exhausted.  */
static void *
allocate (struct mip_profile *profile, enum mip_file_section section,
	  size_t count)
{
#define ROOM(FIELD, COUNT, CAPACITY)                                           \
  (profile->COUNT = count,                                                     \
   growing_array_reserve (&profile->FIELD, 0, &profile->CAPACITY,              \
			  count > 0 ? count : 1, sizeof *profile->FIELD)       \
     ? profile->FIELD                                                          \
     : NULL)
  switch (section)
    {
    case MIP_SECTION_MODULES:
      return ROOM (modules, module_count, module_capacity);
    case MIP_SECTION_FUNCTIONS:
      return ROOM (functions, function_count, function_capacity);
    case MIP_SECTION_BLOCKS:
      return ROOM (blocks, block_count, block_capacity);
    case MIP_SECTION_RULES:
      return ROOM (rules, rule_count, rule_capacity);
    case MIP_SECTION_TRACES:
      return ROOM (traces, trace_count, trace_capacity);
    case MIP_SECTION_TRACE_DATA:
      return ROOM (trace_data, trace_data_count, trace_data_capacity);
    case MIP_SECTION_EDGES:
      return ROOM (edges, edge_count, edge_capacity);
    case MIP_SECTION_COPIES:
      return ROOM (copies, copy_count, copy_capacity);
    case MIP_SECTION_FLOWS:
      return ROOM (flows, flow_count, flow_capacity);
    default:
      return NULL;
    }
#undef ROOM
}

/* Read the strings, whose offsets start at 0.  */
static bool
read_strings (struct mip_profile *profile, struct byte_reader *reader,
	      size_t bytes)
{
  const char *text = byte_reader_bytes (reader, bytes, "strings");
  if (text == NULL)
    return false;
  if (bytes == 0 || bytes > UINT32_MAX || text[0] != '\0'
      || text[bytes - 1] != '\0')
    return byte_reader_fail (reader, reader->position,
			     "strings are not terminated");
  profile->strings.size = 0;
  byte_writer_bytes (&profile->strings, text, bytes);
  return !profile->strings.failed || byte_reader_fail_memory (reader);
}

static bool
read_section (struct mip_profile *profile, struct byte_reader *reader, int id,
	      const struct section *section)
{
  byte_reader_seek (reader, section->offset, names[id]);
  if (section->count > UINT32_MAX - 1
      || section->bytes != section->count * element_bytes[id])
    return byte_reader_fail (reader, section->offset,
			     "invalid size of a section: %llu %s in %llu "
			     "bytes",
			     (unsigned long long) section->count, names[id],
			     (unsigned long long) section->bytes);
  size_t count = section->count;
  if (!byte_reader_need (reader, count, element_bytes[id], names[id]))
    return false;
  if (id == MIP_SECTION_STRINGS)
    return read_strings (profile, reader, count);
  void *room = allocate (profile, id, count);
  if (room == NULL)
    return byte_reader_fail_memory (reader);
  for (size_t i = 0; i < count; i++)
    if (id == MIP_SECTION_MODULES)
      read_module (reader, (struct mip_module *) room + i);
    else if (id == MIP_SECTION_FUNCTIONS)
      read_function (reader, (struct mip_function *) room + i);
    else if (id == MIP_SECTION_BLOCKS)
      read_block (reader, (struct mip_block *) room + i);
    else if (id == MIP_SECTION_TRACES)
      read_trace (reader, (struct mip_trace *) room + i);
    else if (id == MIP_SECTION_EDGES)
      read_edge (reader, (struct mip_edge *) room + i);
    else if (id == MIP_SECTION_COPIES)
      read_copy (reader, (struct mip_copy *) room + i);
    else if (id == MIP_SECTION_FLOWS)
      read_flow (reader, (struct mip_flow *) room + i);
    else
      ((uint32_t *) room)[i] = byte_reader_u32 (reader, names[id]);
  return !reader->failed;
}

/* Read the header and the table of sections.  */
static bool
read_header (struct mip_profile *profile, struct byte_reader *reader,
	     struct section *sections)
{
  const void *magic
    = byte_reader_bytes (reader, MIP_FILE_MAGIC_BYTES, "header");
  if (magic == NULL)
    return false;
  if (!mip_profile_is_profile (magic, MIP_FILE_MAGIC_BYTES))
    return byte_reader_fail (reader, 0, "not a machine-level profile");
  uint32_t version = byte_reader_u32 (reader, "header");
  uint32_t header_bytes = byte_reader_u32 (reader, "header");
  uint64_t bytes = byte_reader_u64 (reader, "header");
  profile->images = byte_reader_u64 (reader, "header");
  profile->traces_seen = byte_reader_u64 (reader, "header");
  uint32_t count = byte_reader_u32 (reader, "header");
  uint32_t crc = byte_reader_u32 (reader, "header");
  profile->lost_calls = byte_reader_u64 (reader, "header");
  if (reader->failed)
    return false;
  if (version != MIP_FILE_VERSION)
    return byte_reader_fail (reader, 8, "unsupported version %u", version);
  if (header_bytes != MIP_FILE_HEADER_BYTES || count > MIP_SECTION_COUNT
      || count < MIP_FILE_LEAST_SECTIONS || bytes != reader->end)
    return byte_reader_fail (reader, 0,
			     "invalid header, or the machine-level profile "
			     "is truncated");
  byte_reader_seek (reader, header_bytes, "sections");
  if (!byte_reader_need (reader, count, MIP_FILE_SECTION_BYTES, "sections"))
    return false;
  if (crc32_z (0, reader->data + header_bytes, reader->end - header_bytes)
      != crc)
    return byte_reader_fail (reader, header_bytes, "invalid checksum");
  for (uint32_t i = 0; i < count; i++)
    {
      uint64_t id = byte_reader_u64 (reader, "sections");
      sections[i].offset = byte_reader_u64 (reader, "sections");
      sections[i].bytes = byte_reader_u64 (reader, "sections");
      sections[i].count = byte_reader_u64 (reader, "sections");
      if (id != i + 1)
	byte_reader_fail (reader, header_bytes, "section %u is missing", i + 1);
    }
  return !reader->failed;
}

struct mip_profile *
mip_profile_read (const char *path, const void *data, size_t size,
		  struct profile_error *err)
{
  struct section sections[MIP_SECTION_COUNT] = { 0 };
  struct byte_reader reader;
  struct mip_profile *profile = mip_profile_new ();
  if (profile == NULL)
    {
      profile_error_set_memory (err, path);
      return NULL;
    }
  byte_reader_init (&reader, path, data, size, err);
  bool is_done = read_header (profile, &reader, sections);
  for (int i = 0; i < MIP_SECTION_COUNT && is_done; i++)
    is_done = read_section (profile, &reader, i, &sections[i]);
  if (is_done && mip_profile_check (profile, &reader))
    return profile;
  mip_profile_free (profile);
  return NULL;
}
