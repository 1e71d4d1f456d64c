/* Reading LLVM's binary sample profiles (sample-binary-format.h).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "sample-binary.h"
#include "sample-binary-format.h"
#include "sample-binary-tables.h"
#include <inttypes.h>
#include <stdlib.h>
#include <zlib.h>

/* zlib's greatest compression ratio.  */
#define MOST_RATIO 1032

struct section
{
  uint64_t type;
  uint64_t flags;
  uint64_t offset;
  uint64_t bytes;
};

static bool
is_magic (uint64_t number)
{
  return number == SAMPLE_MAGIC_EXTENDED || number == SAMPLE_MAGIC_RAW;
}

bool
sample_binary_has_magic (const void *data, size_t n)
{
  struct profile_error ignored;
  struct byte_reader reader;
  byte_reader_init (&reader, "", data, n, &ignored);
  return is_magic (byte_reader_uleb128 (&reader, "the magic number"));
}

/* ---- Functions.  */

/* Fail because memory is exhausted, unless IS_DONE.  */
static void
check_done (struct byte_reader *reader, bool is_done)
{
  if (!is_done)
    byte_reader_fail_memory (reader);
}

static void
read_body (struct sample_reader *binary, struct byte_reader *reader,
	   struct sample_function *function)
{
  struct sample_location location = sample_take_location (reader);
  uint64_t count = byte_reader_uleb128 (reader, "the count of a location");
  uint32_t targets
    = byte_reader_uleb128_u32 (reader, "the number of call targets");
  if (!byte_reader_need (reader, targets, 2, "the call targets"))
    return;
  check_done (reader, sample_function_add_body (binary->profile, function,
						location, count));
  for (uint32_t i = 0; i < targets && !reader->failed; i++)
    {
      uint32_t name = sample_take_name (binary, reader);
      count = byte_reader_uleb128 (reader, "the count of a call target");
      if (!reader->failed)
	check_done (reader,
		    sample_function_add_target (binary->profile, function,
						location, name, count));
    }
}

static void
read_vtables (struct sample_reader *binary, struct byte_reader *reader,
	      struct sample_function *function)
{
  struct sample_location location = sample_take_location (reader);
  uint32_t tables
    = byte_reader_uleb128_u32 (reader, "the number of virtual tables");
  for (uint32_t i = 0; i < tables && !reader->failed; i++)
    {
      uint32_t name = sample_take_name (binary, reader);
      uint64_t count
	= byte_reader_uleb128 (reader, "the count of a virtual table");
      if (!reader->failed)
	check_done (reader,
		    sample_function_add_vtable (binary->profile, function,
						location, name, count));
    }
}

/* Read everything after the name of FUNCTION.  */
static void
read_function (struct sample_reader *binary, struct byte_reader *reader,
	       struct sample_function *function)
{
  sample_count_add (&function->total,
		    byte_reader_uleb128 (reader, "the total of a function"));
  uint32_t n = byte_reader_uleb128_u32 (reader, "the number of locations");
  for (uint32_t i = 0; i < n && !reader->failed; i++)
    read_body (binary, reader, function);
  n = byte_reader_uleb128_u32 (reader, "the number of inlined functions");
  for (uint32_t i = 0; i < n && !reader->failed; i++)
    {
      struct sample_location location = sample_take_location (reader);
      struct sample_function *inlinee
	= sample_take_inlinee (binary, reader, function, location);
      if (inlinee)
	read_function (binary, reader, inlinee);
    }
  if (!binary->has_vtables)
    return;
  n = byte_reader_uleb128_u32 (reader,
			       "the number of locations with virtual tables");
  for (uint32_t i = 0; i < n && !reader->failed; i++)
    read_vtables (binary, reader, function);
}

static void
read_functions (struct sample_reader *binary, struct byte_reader *reader)
{
  while (byte_reader_left (reader) > 0)
    {
      uint64_t head = byte_reader_uleb128 (reader, "the head of a function");
      struct sample_function *function
	= sample_take_function (binary, reader, false);
      if (!function)
	return;
      binary->has_functions = true;
      sample_count_add (&function->head, head);
      read_function (binary, reader, function);
    }
}

/* ---- Metadata.  */

/* Read the metadata of FUNCTION that FLAGS of the section announce.  */
static void
read_function_metadata (struct sample_reader *binary,
			struct byte_reader *reader,
			struct sample_function *function, uint64_t flags)
{
  struct profile_error err;
  size_t start = reader->position;
  if (flags & SAMPLE_METADATA_CHECKSUMS)
    {
      uint64_t checksum = byte_reader_uleb128 (reader, "a checksum");
      /* For inlined functions, 0 means no checksum.  */
      if (!reader->failed && (checksum != 0 || function->depth == 0)
	  && !sample_function_set_checksum (binary->profile, function, checksum,
					    &err))
	byte_reader_fail (reader, start, "%s", err.cause);
    }
  if (flags & SAMPLE_METADATA_ATTRIBUTES)
    function->attributes |= byte_reader_uleb128_u32 (reader, "attributes");
  if (binary->flags & SAMPLE_CONTEXT_SENSITIVE)
    return;
  uint32_t n
    = byte_reader_uleb128_u32 (reader, "the number of inlined functions");
  for (uint32_t i = 0; i < n && !reader->failed; i++)
    {
      struct sample_location location = sample_take_location (reader);
      struct sample_function *inlinee
	= sample_take_inlinee (binary, reader, function, location);
      if (inlinee)
	read_function_metadata (binary, reader, inlinee, flags);
    }
}

static void
read_metadata (struct sample_reader *binary, struct byte_reader *reader,
	       uint64_t flags)
{
  if (flags & SAMPLE_METADATA_CHECKSUMS)
    binary->flags |= SAMPLE_PROBES;
  while (byte_reader_left (reader) > 0)
    {
      struct sample_function *function
	= sample_take_function (binary, reader, true);
      if (!function)
	return;
      read_function_metadata (binary, reader, function, flags);
    }
}

/* ---- Sections.  */

static void
skip_bytes (struct byte_reader *reader)
{
  byte_reader_bytes (reader, byte_reader_left (reader), "a section");
}

/* Skip the summary, which follows from the functions.  */
static void
skip_summary (struct byte_reader *reader)
{
  static const char what[] = "the summary";
  for (int i = 0; i < 5; i++)
    byte_reader_uleb128 (reader, what);
  uint64_t cutoffs = byte_reader_uleb128 (reader, what);
  for (uint64_t i = 0; i < cutoffs && !reader->failed; i++)
    for (int k = 0; k < 3; k++)
      byte_reader_uleb128 (reader, what);
}

static void
read_summary (struct sample_reader *binary, struct byte_reader *reader,
	      uint64_t flags)
{
  static const struct
  {
    uint64_t in_file;
    unsigned int in_profile;
  } known[] = { { SAMPLE_SUMMARY_PARTIAL, SAMPLE_PARTIAL },
		{ SAMPLE_SUMMARY_CONTEXTS, SAMPLE_CONTEXT_SENSITIVE },
		{ SAMPLE_SUMMARY_FLOW_SENSITIVE, SAMPLE_FLOW_SENSITIVE } };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (flags & known[i].in_file)
      binary->flags |= known[i].in_profile;
  binary->has_vtables = flags & SAMPLE_SUMMARY_VTABLES;
  skip_summary (reader);
}

static void
read_list (struct sample_reader *binary, struct byte_reader *reader)
{
  while (byte_reader_left (reader) > 0)
    {
      uint32_t name = sample_take_text (binary, reader);
      if (!reader->failed)
	sample_profile_set_listed (binary->profile, name);
    }
}

/* Read the plain payload of SECTION, which is all that READER covers.  */
static void
read_payload (struct sample_reader *binary, const struct section *section,
	      struct byte_reader *reader)
{
  switch (section->type)
    {
    case SAMPLE_SECTION_SUMMARY:
      read_summary (binary, reader, section->flags);
      break;
    case SAMPLE_SECTION_NAMES:
      sample_read_names (binary, reader, section->flags);
      break;
    case SAMPLE_SECTION_CONTEXTS:
      sample_read_contexts (binary, reader);
      break;
    case SAMPLE_SECTION_FUNCTIONS:
      read_functions (binary, reader);
      break;
    case SAMPLE_SECTION_LIST:
      read_list (binary, reader);
      break;
    case SAMPLE_SECTION_METADATA:
      read_metadata (binary, reader, section->flags);
      break;
    case SAMPLE_SECTION_OFFSETS:
    default:
      /* The offsets of functions follow from the functions.  */
      skip_bytes (reader);
    }
  if (byte_reader_left (reader) > 0)
    byte_reader_fail_left (reader, "a section");
}

/* Read SECTION from its N inflated bytes at PLAIN.  */
static void
read_inflated (struct sample_reader *binary, const struct section *section,
	       struct byte_reader *part, const void *plain, size_t n)
{
  struct profile_error err;
  struct byte_reader inflated;
  byte_reader_init (&inflated, part->path, plain, n, &err);
  read_payload (binary, section, &inflated);
  if (inflated.failed && err.offset == PROFILE_ERROR_NO_OFFSET)
    byte_reader_fail_memory (part);
  else if (inflated.failed)
    byte_reader_fail (part, section->offset, "inflated byte 0x%" PRIx64 ": %s",
		      err.offset, err.cause);
}

/* Inflate all of PART, which is SECTION, and read the result.  */
static void
read_compressed (struct sample_reader *binary, const struct section *section,
		 struct byte_reader *part)
{
  uint64_t plain_bytes = byte_reader_uleb128 (part, "the size of a section");
  uint64_t stored
    = byte_reader_uleb128 (part, "the compressed size of a section");
  const void *compressed
    = byte_reader_bytes (part, stored, "a compressed section");
  if (!compressed)
    return;
  if (byte_reader_left (part) > 0)
    byte_reader_fail_left (part, "a compressed section");
  else if (plain_bytes / MOST_RATIO > stored)
    byte_reader_fail (part, section->offset,
		      "%" PRIu64 " bytes cannot "
		      "inflate to %" PRIu64,
		      stored, plain_bytes);
  if (part->failed)
    return;
  Bytef *plain = malloc (plain_bytes + 1);
  uLongf n = plain_bytes;
  if (!plain)
    byte_reader_fail_memory (part);
  else if (uncompress (plain, &n, compressed, stored) != Z_OK
	   || n != plain_bytes)
    byte_reader_fail (part, section->offset,
		      "cannot inflate the section to %" PRIu64 " bytes",
		      plain_bytes);
  else
    read_inflated (binary, section, part, plain, n);
  free (plain);
}

/* Return the flags that are known for sections of TYPE; 0 if the type is
   unknown.  */
static uint64_t
find_known_flags (uint64_t type)
{
  uint64_t any = SAMPLE_FLAG_COMPRESSED | SAMPLE_FLAG_FLAT;
  switch (type)
    {
    case SAMPLE_SECTION_SUMMARY:
      return any | SAMPLE_SUMMARY_KNOWN;
    case SAMPLE_SECTION_NAMES:
      return any | SAMPLE_NAMES_KNOWN;
    case SAMPLE_SECTION_OFFSETS:
      return any | SAMPLE_OFFSETS_ORDERED;
    case SAMPLE_SECTION_METADATA:
      return any | SAMPLE_METADATA_CHECKSUMS | SAMPLE_METADATA_ATTRIBUTES;
    case SAMPLE_SECTION_CONTEXTS:
    case SAMPLE_SECTION_FUNCTIONS:
    case SAMPLE_SECTION_LIST:
      return any;
    default:
      return 0;
    }
}

/* Fail if the type or a flag of the entry SECTION, at START, is unknown.  */
static void
check_section (struct byte_reader *reader, size_t start,
	       const struct section *section)
{
  uint64_t known = find_known_flags (section->type);
  if (known == 0)
    byte_reader_fail (reader, start, "unknown section type %" PRIu64,
		      section->type);
  else if (section->flags & ~known)
    byte_reader_fail (reader, start,
		      "section of type %" PRIu64
		      " has unknown flags 0x%" PRIx64,
		      section->type, section->flags & ~known);
}

/* Read the section whose table entry is next in READER.  */
static void
read_section (struct sample_reader *binary, struct byte_reader *reader)
{
  static const char what[] = "the table of sections";
  size_t start = reader->position;
  struct section section = { 0 };
  section.type = byte_reader_u64 (reader, what);
  section.flags = byte_reader_u64 (reader, what);
  section.offset = byte_reader_u64 (reader, what);
  section.bytes = byte_reader_u64 (reader, what);
  if (reader->failed || section.bytes == 0)
    return;
  check_section (reader, start, &section);
  if (reader->failed)
    return;
  struct byte_reader part = *reader;
  byte_reader_seek (&part, section.offset, "a section");
  if (byte_reader_need (&part, section.bytes, 1, "a section"))
    {
      part.end = part.position + section.bytes;
      if (section.flags & SAMPLE_FLAG_COMPRESSED)
	read_compressed (binary, &section, &part);
      else
	read_payload (binary, &section, &part);
    }
  reader->failed |= part.failed;
}

static void
read_sections (struct sample_reader *binary, struct byte_reader *reader)
{
  static const char what[] = "the table of sections";
  uint64_t count = byte_reader_u64 (reader, what);
  if (!byte_reader_need (reader, count, SAMPLE_SECTION_ENTRY_BYTES, what))
    return;
  for (uint64_t i = 0; i < count && !reader->failed; i++)
    read_section (binary, reader);
}

static void
read_file (struct sample_reader *binary, struct byte_reader *reader)
{
  uint64_t magic = byte_reader_uleb128 (reader, "the magic number");
  if (!reader->failed && !is_magic (magic))
    byte_reader_fail (reader, 0, "not an LLVM sample profile");
  uint64_t version = byte_reader_uleb128 (reader, "the version");
  if (!reader->failed && version != SAMPLE_VERSION)
    byte_reader_fail (reader, 0,
		      "unsupported sample profile version %" PRIu64
		      " (expected %d)",
		      version, SAMPLE_VERSION);
  if (reader->failed)
    return;
  if (magic == SAMPLE_MAGIC_EXTENDED)
    {
      read_sections (binary, reader);
      return;
    }
  skip_summary (reader);
  sample_read_names (binary, reader, 0);
  read_functions (binary, reader);
}

bool
sample_binary_fold (struct sample_profile *profile, const char *path,
		    const void *data, size_t size, struct profile_error *err)
{
  struct sample_reader binary = { .profile = profile };
  struct byte_reader reader;
  struct profile_error cause;
  byte_reader_init (&reader, path, data, size, err);
  read_file (&binary, &reader);
  sample_reader_release (&binary);
  if (!reader.failed
      && !sample_profile_add_flags (profile, binary.flags, binary.has_functions,
				    &cause))
    byte_reader_fail (&reader, 0, "%s", cause.cause);
  return !reader.failed;
}
