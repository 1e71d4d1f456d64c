/* Names and contexts of LLVM's binary sample profiles, and references to them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "sample-binary-tables.h"
#include "sample-binary-format.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

uint32_t
sample_take_text (struct sample_reader *binary, struct byte_reader *reader)
{
  size_t left = byte_reader_left (reader);
  const char *text = (const char *) reader->data + reader->position;
  const char *end = left > 0 ? memchr (text, '\0', left) : NULL;
  if (!end)
    {
      byte_reader_fail (reader, reader->position, "unterminated name");
      return SAMPLE_NO_NAME;
    }
  size_t n = end - text;
  byte_reader_bytes (reader, n + 1, "a name");
  uint32_t name = sample_profile_add_name (binary->profile, text, n);
  if (name == SAMPLE_NO_NAME)
    byte_reader_fail_memory (reader);
  return name;
}

static uint32_t
take_guid (struct sample_reader *binary, struct byte_reader *reader,
	   bool is_fixed)
{
  static const char what[] = "a GUID of a name";
  uint64_t guid = is_fixed ? byte_reader_u64 (reader, what)
			   : byte_reader_uleb128 (reader, what);
  if (reader->failed)
    return SAMPLE_NO_NAME;
  uint32_t name = sample_profile_add_guid (binary->profile, guid);
  if (name == SAMPLE_NO_NAME)
    byte_reader_fail_memory (reader);
  return name;
}

void
sample_read_names (struct sample_reader *binary, struct byte_reader *reader,
		   uint64_t flags)
{
  bool is_fixed = flags & SAMPLE_NAMES_FIXED_LENGTH;
  bool is_guid = is_fixed || flags & SAMPLE_NAMES_GUIDS;
  uint64_t count = byte_reader_uleb128 (reader, "the number of names");
  if (!byte_reader_need (reader, count, is_fixed ? 8 : 1, "the names"))
    return;
  free (binary->names);
  binary->name_count = 0;
  binary->names = calloc (count + 1, sizeof *binary->names);
  if (!binary->names)
    byte_reader_fail_memory (reader);
  for (; binary->name_count < count && !reader->failed; binary->name_count++)
    binary->names[binary->name_count] = is_guid
					  ? take_guid (binary, reader, is_fixed)
					  : sample_take_text (binary, reader);
}

/* Read an index into a table of COUNT elements, of WHAT.  */
static uint64_t
take_index (struct byte_reader *reader, uint64_t count, const char *what)
{
  size_t start = reader->position;
  uint64_t index = byte_reader_uleb128 (reader, what);
  if (!reader->failed && index >= count)
    byte_reader_fail (reader, start,
		      "invalid %s %" PRIu64 " (expected less than %" PRIu64 ")",
		      what, index, count);
  return reader->failed ? 0 : index;
}

uint32_t
sample_take_name (struct sample_reader *binary, struct byte_reader *reader)
{
  uint64_t index = take_index (reader, binary->name_count, "name");
  return reader->failed ? SAMPLE_NO_NAME : binary->names[index];
}

struct sample_location
sample_take_location (struct byte_reader *reader)
{
  static const char what[] = "a line offset";
  struct sample_location location;
  size_t start = reader->position;
  location.line = byte_reader_uleb128_u32 (reader, what);
  if (location.line > 0xffff)
    byte_reader_fail (reader, start, "line offset %" PRIu32 " exceeds 16 bits",
		      location.line);
  location.discriminator = byte_reader_uleb128_u32 (reader, what);
  return location;
}

/* Read the frames of one context into FRAMES.  */
static void
read_context (struct sample_reader *binary, struct byte_reader *reader,
	      struct sample_frame *frames)
{
  struct sample_context *context = &binary->contexts[binary->context_count++];
  size_t start = reader->position;
  uint32_t count = byte_reader_uleb128_u32 (reader, "the number of frames");
  if (!byte_reader_need (reader, count, 3, "the frames of a context"))
    return;
  if (count == 0)
    byte_reader_fail (reader, start, "context without frames");
  *context = (struct sample_context){ frames, count };
  for (uint32_t i = 0; i < count && !reader->failed; i++)
    {
      frames[i].name = sample_take_name (binary, reader);
      frames[i].location = sample_take_location (reader);
    }
}

void
sample_read_contexts (struct sample_reader *binary, struct byte_reader *reader)
{
  uint64_t count = byte_reader_uleb128 (reader, "the number of contexts");
  /* A context has at least its number of frames and one frame.  */
  if (!byte_reader_need (reader, count, 4, "the contexts"))
    return;
  free (binary->contexts);
  free (binary->frames);
  binary->context_count = 0;
  binary->contexts = calloc (count + 1, sizeof *binary->contexts);
  binary->frames
    = calloc (byte_reader_left (reader) / 3 + 1, sizeof *binary->frames);
  if (!binary->contexts || !binary->frames)
    byte_reader_fail_memory (reader);
  struct sample_frame *frames = binary->frames;
  for (uint64_t i = 0; i < count && !reader->failed; i++)
    {
      read_context (binary, reader, frames);
      frames += binary->contexts[i].count;
    }
}

struct sample_function *
sample_take_function (struct sample_reader *binary, struct byte_reader *reader,
		      bool must_be_there)
{
  size_t start = reader->position;
  const struct sample_frame *callers = NULL;
  uint32_t caller_count = 0;
  uint32_t name;
  if (binary->flags & SAMPLE_CONTEXT_SENSITIVE)
    {
      uint64_t index = take_index (reader, binary->context_count, "context");
      if (reader->failed)
	return NULL;
      const struct sample_context *context = &binary->contexts[index];
      callers = context->frames;
      caller_count = context->count - 1;
      name = callers[caller_count].name;
    }
  else
    name = sample_take_name (binary, reader);
  if (reader->failed)
    return NULL;
  struct sample_function *function
    = must_be_there ? sample_profile_find_function (binary->profile, callers,
						    caller_count, name)
		    : sample_profile_add_function (binary->profile, callers,
						   caller_count, name);
  if (!function && must_be_there)
    byte_reader_fail (reader, start, "metadata of a function without samples");
  else if (!function)
    byte_reader_fail_memory (reader);
  return function;
}

struct sample_function *
sample_take_inlinee (struct sample_reader *binary, struct byte_reader *reader,
		     struct sample_function *function,
		     struct sample_location location)
{
  size_t start = reader->position;
  uint32_t name = sample_take_name (binary, reader);
  if (function->depth >= SAMPLE_DEEPEST)
    byte_reader_fail (reader, start,
		      "functions are inlined more than %d levels deep",
		      SAMPLE_DEEPEST);
  if (reader->failed)
    return NULL;
  struct sample_function *inlinee
    = sample_function_need_inlinee (binary->profile, function, location, name);
  if (!inlinee)
    byte_reader_fail_memory (reader);
  return inlinee;
}

void
sample_reader_release (struct sample_reader *binary)
{
  free (binary->names);
  free (binary->contexts);
  free (binary->frames);
}
