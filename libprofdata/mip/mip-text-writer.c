/* Writing a machine-level profile as text.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-text.h"
#include "plain-text.h"
#include <inttypes.h>
#include <string.h>

/* A string is the rest of its line.  Each byte of a character that is not
   plain, and of a backslash, is written as a backslash and two hexadecimal
   digits.  */
static void
write_string (const struct mip_profile *profile, uint32_t string,
	      struct byte_writer *writer)
{
  const char *text = mip_profile_string (profile, string);
  uint32_t code;
  for (size_t n = strlen (text), bytes; n > 0; text += bytes, n -= bytes)
    {
      bytes = plain_text_decode (text, n, &code);
      if (plain_text_is_plain (code) && code != '\\')
	byte_writer_bytes (writer, text, bytes);
      else
	for (size_t i = 0; i < bytes; i++)
	  byte_writer_print (writer, "\\%02x", (unsigned char) text[i]);
    }
  byte_writer_print (writer, "\n");
}

/* Write the field of RULE, if it is one.  */
static void
write_rule (const struct mip_profile *profile, uint32_t rule,
	    struct byte_writer *writer)
{
  if (rule == UINT32_MAX)
    return;
  const uint32_t *words = profile->rules + rule;
  byte_writer_print (writer, " rule=%" PRIu32, words[0]);
  for (uint32_t i = 1; i <= words[0]; i++)
    byte_writer_print (writer, ",%" PRIu32, words[i]);
}

static void
write_block (const struct mip_profile *profile, const struct mip_block *block,
	     struct byte_writer *writer)
{
  byte_writer_print (writer, "  block at=%" PRIx32 " line=%" PRIu32,
		     block->code_offset, block->line);
  if (block->slot != UINT32_MAX)
    byte_writer_print (writer, " slot=%" PRIu32, block->slot);
  byte_writer_print (writer, " runs=%" PRIu64, block->runs);
  write_rule (profile, block->rule, writer);
  byte_writer_print (writer, "\n");
}

static void
write_copy (const struct mip_profile *profile, const struct mip_copy *copy,
	    struct byte_writer *writer)
{
  byte_writer_print (writer, "  copy line=%" PRIu32 " flags=%" PRIx32,
		     copy->line, copy->flags);
  if (copy->parent != UINT32_MAX)
    byte_writer_print (writer, " parent=%" PRIu32, copy->parent);
  byte_writer_print (writer, " runs=%" PRIu64, copy->runs);
  write_rule (profile, copy->rule, writer);
  byte_writer_print (writer, " ");
  write_string (profile, copy->name, writer);
  byte_writer_print (writer, "  copy-file ");
  write_string (profile, copy->file, writer);
}

static void
write_function (const struct mip_profile *profile,
		const struct mip_function *function, struct byte_writer *writer)
{
  byte_writer_print (writer,
		     "function entry=%" PRIx64 " slot=%" PRIx64
		     " bytes=%" PRIu32,
		     function->entry, function->slot, function->code_bytes);
  byte_writer_print (writer, " cold=%" PRIx64 " cold-bytes=%" PRIu32,
		     function->cold, function->cold_bytes);
  byte_writer_print (writer, " line=%" PRIu32 " kind=%u flags=%x",
		     function->line, (unsigned int) function->kind,
		     (unsigned int) function->flags);
  byte_writer_print (writer, " source=%" PRIx64 " shape=%" PRIx64,
		     function->source_hash, function->shape_hash);
  byte_writer_print (writer, " runs=%" PRIu64 " calls=%" PRIu64, function->runs,
		     function->calls);
  byte_writer_print (writer, " order=%" PRIu64 " least=%" PRIu64 " ",
		     function->order_sum, function->order_least);
  write_string (profile, function->name, writer);
  byte_writer_print (writer, "  origin ");
  write_string (profile, function->origin, writer);
  byte_writer_print (writer, "  file ");
  write_string (profile, function->file, writer);
  for (uint32_t i = 0; i < function->block_count; i++)
    write_block (profile, &profile->blocks[function->first_block + i], writer);
  for (uint32_t i = 0; i < function->copy_count; i++)
    write_copy (profile, &profile->copies[function->first_copy + i], writer);
}

static void
write_module (const struct mip_profile *profile,
	      const struct mip_module *module, struct byte_writer *writer)
{
  byte_writer_print (writer,
		     "module link-unit=%" PRIx64 " low=%" PRIx64
		     " high=%" PRIx64,
		     module->link_unit, module->text_low, module->text_high);
  byte_writer_print (writer, " runs=%" PRIu64 " ", module->images);
  write_string (profile, module->path, writer);
  byte_writer_print (writer, "  build-id ");
  for (uint32_t i = 0; i < module->build_id_bytes; i++)
    byte_writer_print (writer, "%02x", module->build_id[i]);
  byte_writer_print (writer, "\n");
  for (uint32_t i = 0; i < module->function_count; i++)
    write_function (profile, &profile->functions[module->first_function + i],
		    writer);
}

static void
write_trace (const struct mip_profile *profile, const struct mip_trace *trace,
	     struct byte_writer *writer)
{
  byte_writer_print (writer, "trace weight=%" PRIu64, trace->weight);
  for (uint32_t i = 0; i < trace->count; i++)
    byte_writer_print (writer, " %" PRIu32,
		       profile->trace_data[trace->first + i]);
  byte_writer_print (writer, "\n");
}

static void
write_edge (const struct mip_edge *edge, struct byte_writer *writer)
{
  byte_writer_print (writer, "edge callee=%" PRIu32, edge->callee);
  if (edge->caller != MIP_NO_FUNCTION)
    byte_writer_print (writer, " caller=%" PRIu32, edge->caller);
  byte_writer_print (writer, " site=%" PRIx64 " calls=%" PRIu64, edge->site,
		     edge->calls);
  if (edge->counter != 0)
    byte_writer_print (writer, " counter=%" PRIx64, edge->counter);
  byte_writer_print (writer, "\n");
}

static void
write_flow (const struct mip_flow *flow, struct byte_writer *writer)
{
  byte_writer_print (writer,
		     "flow caller=%" PRIu32 " from=%" PRIu32 " to=%" PRIu32
		     " site=%" PRIx64,
		     flow->caller, flow->from, flow->to, flow->site);
  if (flow->counter != 0)
    byte_writer_print (writer, " counter=%" PRIx64, flow->counter);
  byte_writer_print (writer, "\n");
}

void
mip_text_write (const struct mip_profile *profile, struct byte_writer *writer)
{
  byte_writer_print (writer,
		     "machine-level-profile version=1 runs=%" PRIu64
		     " traces=%" PRIu64,
		     profile->images, profile->traces_seen);
  if (profile->lost_calls > 0)
    byte_writer_print (writer, " lost-calls=%" PRIu64, profile->lost_calls);
  byte_writer_print (writer, "\n");
  for (size_t i = 0; i < profile->module_count; i++)
    write_module (profile, &profile->modules[i], writer);
  for (size_t i = 0; i < profile->trace_count; i++)
    write_trace (profile, &profile->traces[i], writer);
  for (size_t i = 0; i < profile->edge_count; i++)
    write_edge (&profile->edges[i], writer);
  for (size_t i = 0; i < profile->flow_count; i++)
    write_flow (&profile->flows[i], writer);
  writer->failed |= profile->strings.failed;
}
