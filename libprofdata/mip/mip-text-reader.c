/* Reading a machine-level profile from text.
   SPDX-License-Identifier: GPL-3.0-or-later

   A line is a word, fields NAME=NUMBER in a fixed order, and for some lines a
   string, which is the rest of the line.  A line belongs to the last line
   before it that can have such lines.  */

#include "mip-text.h"
#include "heapprof/mip-format.h"
#include "mip-array.h"
#include "mip-check.h"
#include "text-line.h"
#include <stdlib.h>
#include <string.h>

#define FIRST_WORD "machine-level-profile"
#define VERSION 1

struct text_reader
{
  struct byte_reader reader;
  struct mip_profile *profile;
  struct text_line line;
  const char *at; /* rest of the line */
  const char *end;
  bool is_wrong; /* the line is invalid */
};

static void
fail_memory (struct text_reader *text)
{
  byte_reader_fail_memory (&text->reader);
}

/* If the rest of the line starts with WORD, skip it and return true.  */
static bool
take (struct text_reader *text, const char *word)
{
  size_t n = strlen (word);
  if ((size_t) (text->end - text->at) < n || memcmp (text->at, word, n) != 0)
    return false;
  text->at += n;
  return true;
}

/* Skip a blank.  */
static void
take_blank (struct text_reader *text)
{
  text->is_wrong |= !take (text, " ");
}

/* Read a number to BASE of at most MOST.  */
static uint64_t
take_number (struct text_reader *text, unsigned int base, uint64_t most)
{
  const char *digits = text->at;
  uint64_t value = 0;
  while (text->at < text->end && *text->at != ' ' && *text->at != ',')
    text->at++;
  text->is_wrong |= !text_parse_number (digits, text->at - digits, base, &value)
		    || value > most;
  return text->is_wrong ? 0 : value;
}

/* Read a blank and the field NAME.  Return its number.  */
static uint64_t
take_field (struct text_reader *text, const char *name, unsigned int base,
	    uint64_t most)
{
  take_blank (text);
  text->is_wrong |= !take (text, name) || !take (text, "=");
  return take_number (text, base, most);
}

static uint64_t
take_address (struct text_reader *text, const char *name)
{
  return take_field (text, name, 16, UINT64_MAX);
}

static uint64_t
take_count (struct text_reader *text, const char *name)
{
  return take_field (text, name, 10, UINT64_MAX);
}

static uint32_t
take_u32 (struct text_reader *text, const char *name)
{
  return (uint32_t) take_field (text, name, 10, UINT32_MAX);
}

/* Read a blank and the rest of the line as a string.  */
static uint32_t
take_string (struct text_reader *text)
{
  take_blank (text);
  if (text->is_wrong)
    return 0;
  char *bytes = malloc ((size_t) (text->end - text->at) + 1);
  if (bytes == NULL)
    {
      fail_memory (text);
      return 0;
    }
  size_t n = 0;
  while (text->at < text->end)
    {
      uint64_t code = (unsigned char) *text->at++;
      if (code == '\\')
	{
	  text->is_wrong |= text->end - text->at < 2
			    || !text_parse_number (text->at, 2, 16, &code);
	  if (text->is_wrong)
	    break;
	  text->at += 2;
	}
      text->is_wrong |= code == 0;
      bytes[n++] = (char) code;
    }
  uint32_t string
    = text->is_wrong ? 0 : mip_profile_add_string (text->profile, bytes, n);
  free (bytes);
  if (text->profile->strings.failed)
    fail_memory (text);
  return string;
}

/* Return room for one more element in an array of TEXT's profile and increment
   the number of elements, which stays below UINT32_MAX.  */
#define ADD(TEXT, FIELD, COUNT, CAPACITY)                                      \
  ((TEXT)->profile->COUNT < UINT32_MAX - 1                                     \
       && growing_array_reserve (&(TEXT)->profile->FIELD,                      \
				 (TEXT)->profile->COUNT,                       \
				 &(TEXT)->profile->CAPACITY, 1,                \
				 sizeof *(TEXT)->profile->FIELD)               \
     ? &(TEXT)->profile->FIELD[(TEXT)->profile->COUNT++]                       \
     : (fail_memory (TEXT), NULL))

static struct mip_module *
last_module (struct text_reader *text)
{
  size_t count = text->profile->module_count;
  return count > 0 ? &text->profile->modules[count - 1] : NULL;
}

/* Return the last function, if it belongs to the last module.  */
static struct mip_function *
last_function (struct text_reader *text)
{
  struct mip_module *module = last_module (text);
  return module != NULL && module->function_count > 0
	   ? &text->profile->functions[text->profile->function_count - 1]
	   : NULL;
}

static void
read_module (struct text_reader *text)
{
  struct mip_module *module
    = ADD (text, modules, module_count, module_capacity);
  if (module == NULL)
    return;
  *module = (struct mip_module){ .first_function
				 = (uint32_t) text->profile->function_count };
  module->link_unit = take_address (text, "link-unit");
  module->text_low = take_address (text, "low");
  module->text_high = take_address (text, "high");
  module->images = take_count (text, "runs");
  module->path = take_string (text);
}

static void
read_build_id (struct text_reader *text)
{
  struct mip_module *module = last_module (text);
  text->is_wrong |= module == NULL || module->build_id_bytes > 0
		    || module->function_count > 0;
  take_blank (text);
  while (!text->is_wrong && text->at < text->end)
    {
      uint64_t byte;
      text->is_wrong |= text->end - text->at < 2
			|| module->build_id_bytes == MIP_BUILD_ID_BYTES
			|| !text_parse_number (text->at, 2, 16, &byte);
      if (text->is_wrong)
	return;
      module->build_id[module->build_id_bytes++] = (uint8_t) byte;
      text->at += 2;
    }
}

static void
read_function (struct text_reader *text)
{
  struct mip_module *module = last_module (text);
  text->is_wrong |= module == NULL;
  struct mip_function *function
    = text->is_wrong ? NULL
		     : ADD (text, functions, function_count, function_capacity);
  if (function == NULL)
    return;
  module->function_count++;
  *function = (struct mip_function){
    .module = (uint32_t) text->profile->module_count - 1,
    .first_block = (uint32_t) text->profile->block_count,
    .first_copy = (uint32_t) text->profile->copy_count
  };
  function->entry = take_address (text, "entry");
  function->slot = take_address (text, "slot");
  function->code_bytes = take_u32 (text, "bytes");
  function->cold = take_address (text, "cold");
  function->cold_bytes = take_u32 (text, "cold-bytes");
  function->line = take_u32 (text, "line");
  function->kind = (uint16_t) take_field (text, "kind", 10, UINT16_MAX);
  function->flags = (uint16_t) take_field (text, "flags", 16, UINT16_MAX);
  function->source_hash = take_address (text, "source");
  function->shape_hash = take_address (text, "shape");
  function->runs = take_count (text, "runs");
  function->calls = take_count (text, "calls");
  function->order_sum = take_count (text, "order");
  function->order_least = take_count (text, "least");
  function->name = take_string (text);
}

static void
read_origin (struct text_reader *text)
{
  struct mip_function *function = last_function (text);
  uint32_t string = take_string (text);
  if (function != NULL)
    function->origin = string;
  text->is_wrong |= function == NULL;
}

static void
read_file (struct text_reader *text)
{
  struct mip_function *function = last_function (text);
  uint32_t string = take_string (text);
  if (function != NULL)
    function->file = string;
  text->is_wrong |= function == NULL;
}

static void
add_rule_word (struct text_reader *text, uint32_t word)
{
  uint32_t *place = ADD (text, rules, rule_count, rule_capacity);
  if (place != NULL)
    *place = word;
}

/* Read a rule.  Return its start.  */
static uint32_t
take_rule (struct text_reader *text)
{
  uint32_t rule = (uint32_t) text->profile->rule_count;
  uint32_t count = (uint32_t) take_number (text, 10, UINT32_MAX);
  add_rule_word (text, count);
  for (; count > 0 && !text->is_wrong && !text->reader.failed; count--)
    {
      text->is_wrong |= !take (text, ",");
      add_rule_word (text, (uint32_t) take_number (text, 10, UINT32_MAX));
    }
  return rule;
}

static void
read_block (struct text_reader *text)
{
  struct mip_function *function = last_function (text);
  text->is_wrong |= function == NULL;
  struct mip_block *block
    = text->is_wrong ? NULL : ADD (text, blocks, block_count, block_capacity);
  if (block == NULL)
    return;
  function->block_count++;
  *block = (struct mip_block){ .slot = UINT32_MAX, .rule = UINT32_MAX };
  block->code_offset = (uint32_t) take_field (text, "at", 16, UINT32_MAX);
  block->line = take_u32 (text, "line");
  if (take (text, " slot="))
    block->slot = (uint32_t) take_number (text, 10, UINT32_MAX - 1);
  block->runs = take_count (text, "runs");
  if (take (text, " rule="))
    block->rule = take_rule (text);
}

static void
read_copy (struct text_reader *text)
{
  struct mip_function *function = last_function (text);
  text->is_wrong |= function == NULL;
  struct mip_copy *copy
    = text->is_wrong ? NULL : ADD (text, copies, copy_count, copy_capacity);
  if (copy == NULL)
    return;
  function->copy_count++;
  *copy = (struct mip_copy){ .parent = UINT32_MAX, .rule = UINT32_MAX };
  copy->line = take_u32 (text, "line");
  copy->flags = (uint32_t) take_field (text, "flags", 16, UINT32_MAX);
  if (take (text, " parent="))
    copy->parent = (uint32_t) take_number (text, 10, UINT32_MAX - 1);
  copy->runs = take_count (text, "runs");
  if (take (text, " rule="))
    copy->rule = take_rule (text);
  copy->name = take_string (text);
}

/* Read the file of the last copy.  */
static void
read_copy_file (struct text_reader *text)
{
  struct mip_function *function = last_function (text);
  text->is_wrong |= function == NULL || function->copy_count == 0;
  uint32_t string = take_string (text);
  if (!text->is_wrong)
    text->profile->copies[text->profile->copy_count - 1].file = string;
}

static void
read_trace (struct text_reader *text)
{
  struct mip_profile *profile = text->profile;
  struct mip_trace *trace = ADD (text, traces, trace_count, trace_capacity);
  if (trace == NULL)
    return;
  *trace = (struct mip_trace){ .first = (uint32_t) profile->trace_data_count };
  trace->weight = take_count (text, "weight");
  while (!text->is_wrong && text->at < text->end)
    {
      take_blank (text);
      uint32_t function = (uint32_t) take_number (text, 10, UINT32_MAX);
      uint32_t *place
	= ADD (text, trace_data, trace_data_count, trace_data_capacity);
      if (place == NULL)
	return;
      *place = function;
      trace->count++;
    }
}

static void
read_edge (struct text_reader *text)
{
  struct mip_edge *edge = ADD (text, edges, edge_count, edge_capacity);
  if (edge == NULL)
    return;
  *edge = (struct mip_edge){ .caller = MIP_NO_FUNCTION };
  edge->callee = (uint32_t) take_field (text, "callee", 10, UINT32_MAX - 1);
  if (take (text, " caller="))
    edge->caller = (uint32_t) take_number (text, 10, UINT32_MAX - 1);
  edge->site = take_address (text, "site");
  edge->calls = take_count (text, "calls");
  if (take (text, " counter="))
    edge->counter = take_number (text, 16, UINT64_MAX);
}

static void
read_flow (struct text_reader *text)
{
  struct mip_flow *flow = ADD (text, flows, flow_count, flow_capacity);
  if (flow == NULL)
    return;
  *flow = (struct mip_flow){ 0 };
  flow->caller = (uint32_t) take_field (text, "caller", 10, UINT32_MAX - 1);
  flow->from = take_u32 (text, "from");
  flow->to = take_u32 (text, "to");
  flow->site = take_address (text, "site");
  if (take (text, " counter="))
    flow->counter = take_number (text, 16, UINT64_MAX);
}

static const struct line_kind
{
  const char *word;
  void (*read) (struct text_reader *text);
  const char *what; /* for errors */
} line_kinds[] = {
  { "module", read_module,
    "module link-unit=HEX low=HEX high=HEX runs=N PATH" },
  { "  build-id", read_build_id, "the build ID of a module without functions" },
  { "function", read_function,
    "function entry=HEX slot=HEX bytes=N cold=HEX cold-bytes=N line=N kind=N "
    "flags=HEX source=HEX shape=HEX runs=N calls=N order=N least=N NAME" },
  { "  origin", read_origin, "the origin of a function" },
  { "  file", read_file, "the file of a function" },
  { "  block", read_block,
    "a function's block at=HEX line=N [slot=N] runs=N [rule=N,BLOCK...]" },
  { "  copy-file", read_copy_file, "the file of a copy" },
  { "  copy", read_copy,
    "a function's copy line=N flags=HEX [parent=N] runs=N [rule=N,BLOCK...] "
    "NAME" },
  { "trace", read_trace, "trace weight=N FUNCTION..." },
  { "edge", read_edge,
    "edge callee=N [caller=N] site=HEX calls=N [counter=HEX]" },
  { "flow", read_flow, "flow caller=N from=N to=N site=HEX [counter=HEX]" }
};

static void
read_line (struct text_reader *text)
{
  const char *what = "a line of a machine-level profile";
  text->at = text->line.text;
  text->end = text->line.text + text->line.n;
  text->is_wrong = true;
  for (size_t i = 0; i < sizeof line_kinds / sizeof *line_kinds; i++)
    if (take (text, line_kinds[i].word))
      {
	text->is_wrong = false;
	line_kinds[i].read (text);
	what = line_kinds[i].what;
	break;
      }
  if (text->is_wrong || text->at != text->end)
    text_line_fail (&text->reader, &text->line, what);
}

static void
read_head (struct text_reader *text)
{
  uint32_t version = 0;
  if (!text_line_take (&text->reader, &text->line))
    {
      byte_reader_fail (&text->reader, 0, "not a machine-level profile");
      return;
    }
  text->at = text->line.text;
  text->end = text->line.text + text->line.n;
  text->is_wrong = !take (text, FIRST_WORD);
  version = take_u32 (text, "version");
  if (!text->is_wrong && version != VERSION)
    {
      byte_reader_fail (&text->reader, 0, "unsupported version %u", version);
      return;
    }
  text->profile->images = take_count (text, "runs");
  text->profile->traces_seen = take_count (text, "traces");
  if (take (text, " lost-calls="))
    text->profile->lost_calls = take_number (text, 10, UINT64_MAX);
  if (text->is_wrong || text->at != text->end)
    text_line_fail (&text->reader, &text->line,
		    FIRST_WORD " version=1 runs=N traces=N [lost-calls=N]");
}

bool
mip_text_is_text (const void *data, size_t size)
{
  size_t n = strlen (FIRST_WORD);
  return size >= n && memcmp (data, FIRST_WORD, n) == 0;
}

struct mip_profile *
mip_text_read (const char *path, const void *data, size_t size,
	       struct profile_error *err)
{
  struct text_reader text = { .profile = mip_profile_new () };
  byte_reader_init (&text.reader, path, data, size, err);
  if (text.profile == NULL)
    fail_memory (&text);
  else
    read_head (&text);
  while (!text.reader.failed && text_line_take (&text.reader, &text.line))
    if (text.line.n > 0)
      read_line (&text);
  if (!text.reader.failed && mip_profile_check (text.profile, &text.reader))
    return text.profile;
  mip_profile_free (text.profile);
  return NULL;
}
