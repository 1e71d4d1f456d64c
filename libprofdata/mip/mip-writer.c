/* Writing a machine-level profile as a file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-profile.h"
#include "heapprof/mip-format.h"
#include "mip-file.h"
#include "mip-check.h"
#include "mip-tidy.h"
#include "profile-check.h"
#include <zlib.h>

static void
write_modules (const struct mip_profile *profile, struct byte_writer *writer)
{
  for (size_t i = 0; i < profile->module_count; i++)
    {
      const struct mip_module *module = &profile->modules[i];
      byte_writer_bytes (writer, module->build_id, MIP_BUILD_ID_BYTES);
      byte_writer_u32 (writer, module->build_id_bytes);
      byte_writer_u32 (writer, module->path);
      byte_writer_u64 (writer, module->link_unit);
      byte_writer_u64 (writer, module->text_low);
      byte_writer_u64 (writer, module->text_high);
      byte_writer_u64 (writer, module->images);
      byte_writer_u32 (writer, module->first_function);
      byte_writer_u32 (writer, module->function_count);
      byte_writer_u64 (writer, 0);
      byte_writer_u64 (writer, 0);
    }
}

static void
write_function (const struct mip_function *function, struct byte_writer *writer)
{
  byte_writer_u64 (writer, function->source_hash);
  byte_writer_u64 (writer, function->shape_hash);
  byte_writer_u64 (writer, function->entry);
  byte_writer_u64 (writer, function->slot);
  byte_writer_u64 (writer, function->cold);
  byte_writer_u32 (writer, function->cold_bytes);
  byte_writer_u32 (writer, function->code_bytes);
  byte_writer_u32 (writer, function->module);
  byte_writer_u32 (writer, function->name);
  byte_writer_u32 (writer, function->origin);
  byte_writer_u32 (writer, function->file);
  byte_writer_u32 (writer, function->line);
  byte_writer_u16 (writer, function->kind);
  byte_writer_u16 (writer, function->flags);
  byte_writer_u32 (writer, function->first_block);
  byte_writer_u32 (writer, function->block_count);
  byte_writer_u64 (writer, function->runs);
  byte_writer_u64 (writer, function->calls);
  byte_writer_u64 (writer, function->order_sum);
  byte_writer_u64 (writer, function->order_least);
  byte_writer_u32 (writer, function->first_copy);
  byte_writer_u32 (writer, function->copy_count);
  byte_writer_u64 (writer, 0);
}

static void
write_blocks (const struct mip_profile *profile, struct byte_writer *writer)
{
  for (size_t i = 0; i < profile->block_count; i++)
    {
      const struct mip_block *block = &profile->blocks[i];
      byte_writer_u32 (writer, block->code_offset);
      byte_writer_u32 (writer, block->line);
      byte_writer_u32 (writer, block->slot);
      byte_writer_u32 (writer, block->rule);
      byte_writer_u64 (writer, block->runs);
    }
}

static void
write_words (const uint32_t *words, size_t count, struct byte_writer *writer)
{
  for (size_t i = 0; i < count; i++)
    byte_writer_u32 (writer, words[i]);
}

static void
write_traces (const struct mip_profile *profile, struct byte_writer *writer)
{
  for (size_t i = 0; i < profile->trace_count; i++)
    {
      byte_writer_u32 (writer, profile->traces[i].first);
      byte_writer_u32 (writer, profile->traces[i].count);
      byte_writer_u64 (writer, profile->traces[i].weight);
    }
}

static void
write_edges (const struct mip_profile *profile, struct byte_writer *writer)
{
  for (size_t i = 0; i < profile->edge_count; i++)
    {
      byte_writer_u32 (writer, profile->edges[i].callee);
      byte_writer_u32 (writer, profile->edges[i].caller);
      byte_writer_u64 (writer, profile->edges[i].site);
      byte_writer_u64 (writer, profile->edges[i].calls);
      byte_writer_u64 (writer, profile->edges[i].counter);
    }
}

static void
write_copies (const struct mip_profile *profile, struct byte_writer *writer)
{
  for (size_t i = 0; i < profile->copy_count; i++)
    {
      const struct mip_copy *copy = &profile->copies[i];
      byte_writer_u32 (writer, copy->name);
      byte_writer_u32 (writer, copy->file);
      byte_writer_u32 (writer, copy->line);
      byte_writer_u32 (writer, copy->flags);
      byte_writer_u32 (writer, copy->parent);
      byte_writer_u32 (writer, copy->rule);
      byte_writer_u64 (writer, copy->runs);
    }
}

static void
write_flows (const struct mip_profile *profile, struct byte_writer *writer)
{
  for (size_t i = 0; i < profile->flow_count; i++)
    {
      const struct mip_flow *flow = &profile->flows[i];
      byte_writer_u32 (writer, flow->caller);
      byte_writer_u32 (writer, flow->from);
      byte_writer_u32 (writer, flow->to);
      byte_writer_u32 (writer, 0);
      byte_writer_u64 (writer, flow->site);
      byte_writer_u64 (writer, flow->counter);
    }
}

/* Return the number of sections of PROFILE.  The last one is omitted if it is
   empty, so that readers that do not know it accept the file.  */
static int
section_count (const struct mip_profile *profile)
{
  return profile->flow_count > 0 ? MIP_SECTION_COUNT : MIP_SECTION_FLOWS;
}

static void
write_section (const struct mip_profile *profile, enum mip_file_section section,
	       struct byte_writer *writer)
{
  switch (section)
    {
    case MIP_SECTION_MODULES:
      write_modules (profile, writer);
      break;
    case MIP_SECTION_FUNCTIONS:
      for (size_t i = 0; i < profile->function_count; i++)
	write_function (&profile->functions[i], writer);
      break;
    case MIP_SECTION_BLOCKS:
      write_blocks (profile, writer);
      break;
    case MIP_SECTION_RULES:
      write_words (profile->rules, profile->rule_count, writer);
      break;
    case MIP_SECTION_TRACES:
      write_traces (profile, writer);
      break;
    case MIP_SECTION_TRACE_DATA:
      write_words (profile->trace_data, profile->trace_data_count, writer);
      break;
    case MIP_SECTION_STRINGS:
      byte_writer_bytes (writer, profile->strings.data, profile->strings.size);
      break;
    case MIP_SECTION_EDGES:
      write_edges (profile, writer);
      break;
    case MIP_SECTION_COPIES:
      write_copies (profile, writer);
      break;
    case MIP_SECTION_FLOWS:
      write_flows (profile, writer);
      break;
    case MIP_SECTION_COUNT:
      break;
    }
}

/* Return the number of elements of SECTION.  */
static size_t
count_of (const struct mip_profile *profile, enum mip_file_section section)
{
  const size_t counts[MIP_SECTION_COUNT]
    = { [MIP_SECTION_MODULES] = profile->module_count,
	[MIP_SECTION_FUNCTIONS] = profile->function_count,
	[MIP_SECTION_BLOCKS] = profile->block_count,
	[MIP_SECTION_RULES] = profile->rule_count,
	[MIP_SECTION_TRACES] = profile->trace_count,
	[MIP_SECTION_TRACE_DATA] = profile->trace_data_count,
	[MIP_SECTION_STRINGS] = profile->strings.size,
	[MIP_SECTION_EDGES] = profile->edge_count,
	[MIP_SECTION_COPIES] = profile->copy_count,
	[MIP_SECTION_FLOWS] = profile->flow_count };
  return counts[section];
}

/* Write everything after the header.  */
static void
write_body (const struct mip_profile *profile, struct byte_writer *body)
{
  int sections = section_count (profile);
  size_t table = (size_t) sections * MIP_FILE_SECTION_BYTES;
  for (size_t i = 0; i < table; i++)
    byte_writer_u8 (body, 0);
  for (int i = 0; i < sections; i++)
    {
      size_t row = (size_t) i * MIP_FILE_SECTION_BYTES, begin = body->size;
      write_section (profile, i, body);
      if (body->failed)
	return;
      byte_writer_patch_u64 (body, row, (uint64_t) i + 1);
      byte_writer_patch_u64 (body, row + 8, begin + MIP_FILE_HEADER_BYTES);
      byte_writer_patch_u64 (body, row + 16, body->size - begin);
      byte_writer_patch_u64 (body, row + 24, count_of (profile, i));
      byte_writer_align (body, 8);
    }
}

void
mip_profile_write (const struct mip_profile *profile,
		   struct byte_writer *writer)
{
  struct byte_writer body = { 0 };
  PROFILE_CHECK (mip_profile_is_valid (profile));
  struct mip_profile *tidy = mip_profile_tidy (profile);
  if (tidy != NULL)
    write_body (tidy, &body);
  body.failed |= tidy == NULL;
  mip_profile_free (tidy);
  byte_writer_bytes (writer, MIP_FILE_MAGIC, MIP_FILE_MAGIC_BYTES);
  byte_writer_u32 (writer, MIP_FILE_VERSION);
  byte_writer_u32 (writer, MIP_FILE_HEADER_BYTES);
  byte_writer_u64 (writer, body.size + MIP_FILE_HEADER_BYTES);
  byte_writer_u64 (writer, profile->images);
  byte_writer_u64 (writer, profile->traces_seen);
  byte_writer_u32 (writer, (uint32_t) section_count (profile));
  byte_writer_u32 (writer, body.failed
			     ? 0
			     : (uint32_t) crc32_z (0, body.data, body.size));
  byte_writer_u64 (writer, profile->lost_calls);
  while (!writer->failed && writer->size % MIP_FILE_HEADER_BYTES != 0)
    byte_writer_u8 (writer, 0);
  byte_writer_bytes (writer, body.data, body.size);
  writer->failed |= body.failed || profile->strings.failed;
  byte_writer_free (&body);
}
