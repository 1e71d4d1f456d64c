/* Writing LLVM's binary sample profiles (sample-binary-format.h).
   SPDX-License-Identifier: GPL-3.0-or-later

   LLVM writes payloads in a different order than their entries in the table.
   So does this writer, so that files can be compared.  */

#include "sample-binary.h"
#include "sample-binary-payloads.h"
#include <stdlib.h>
#include <zlib.h>

/* Replace the payload of SECTION by its compressed form.  An empty payload
   stays empty.  */
static void
compress_payload (struct sample_writer *binary, struct sample_payload *section)
{
  struct byte_writer *plain = &section->bytes;
  struct byte_writer stored = { 0 };
  uLongf n = compressBound (plain->size);
  Bytef *compressed = malloc (n);
  section->flags |= SAMPLE_FLAG_COMPRESSED;
  if (!compressed)
    sample_writer_fail_memory (binary);
  else if (plain->size > 0
	   && compress2 (compressed, &n, plain->data, plain->size,
			 Z_BEST_COMPRESSION)
		== Z_OK)
    {
      byte_writer_uleb128 (&stored, plain->size);
      byte_writer_uleb128 (&stored, n);
      byte_writer_bytes (&stored, compressed, n);
      byte_writer_free (plain);
      *plain = stored;
    }
  free (compressed);
}

/* The sections in table order, and the order of payloads as places in the
   table.  */
struct layout
{
  size_t count;
  enum sample_section types[SAMPLE_MOST_SECTIONS];
  bool is_flat[SAMPLE_MOST_SECTIONS];
  unsigned char payloads[SAMPLE_MOST_SECTIONS];
};

static const struct layout usual_layout
  = { 7,
      { SAMPLE_SECTION_SUMMARY, SAMPLE_SECTION_NAMES, SAMPLE_SECTION_CONTEXTS,
	SAMPLE_SECTION_OFFSETS, SAMPLE_SECTION_FUNCTIONS, SAMPLE_SECTION_LIST,
	SAMPLE_SECTION_METADATA },
      { false },
      { 0, 1, 2, 4, 5, 3, 6 } };

static const struct layout split_layout
  = { 8,
      { SAMPLE_SECTION_SUMMARY, SAMPLE_SECTION_NAMES, SAMPLE_SECTION_OFFSETS,
	SAMPLE_SECTION_FUNCTIONS, SAMPLE_SECTION_OFFSETS,
	SAMPLE_SECTION_FUNCTIONS, SAMPLE_SECTION_LIST,
	SAMPLE_SECTION_METADATA },
      { [4] = true, [5] = true },
      { 0, 1, 3, 2, 5, 4, 6, 7 } };

static void
write_extended (struct sample_writer *binary, struct byte_writer *file)
{
  const struct layout *layout
    = binary->options->split ? &split_layout : &usual_layout;
  uint64_t offset = file->size + 8 + layout->count * SAMPLE_SECTION_ENTRY_BYTES;
  binary->section_count = layout->count;
  for (size_t i = 0; i < layout->count && !binary->failed; i++)
    {
      size_t place = layout->payloads[i];
      struct sample_payload *section = &binary->sections[place];
      section->type = layout->types[place];
      section->is_flat = layout->is_flat[place];
      section->flags = sample_writer_flags (binary, section)
		       | (section->is_flat ? SAMPLE_FLAG_FLAT : 0);
      sample_writer_payload (binary, section);
      if (binary->options->compress)
	compress_payload (binary, section);
      section->offset = offset;
      offset += section->bytes.size;
    }
  byte_writer_u64 (file, layout->count);
  for (size_t i = 0; i < layout->count; i++)
    {
      const struct sample_payload *section = &binary->sections[i];
      byte_writer_u64 (file, section->type);
      byte_writer_u64 (file, section->flags);
      byte_writer_u64 (file, section->offset);
      byte_writer_u64 (file, section->bytes.size);
    }
  for (size_t i = 0; i < layout->count; i++)
    {
      const struct byte_writer *payload
	= &binary->sections[layout->payloads[i]].bytes;
      byte_writer_bytes (file, payload->data, payload->size);
      file->failed |= payload->failed;
    }
}

static void
write_raw (struct sample_writer *binary, struct byte_writer *file)
{
  static const enum sample_section types[]
    = { SAMPLE_SECTION_SUMMARY, SAMPLE_SECTION_NAMES,
	SAMPLE_SECTION_FUNCTIONS };
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    {
      struct sample_payload part = { .type = types[i] };
      sample_writer_payload (binary, &part);
      byte_writer_bytes (file, part.bytes.data, part.bytes.size);
      file->failed |= part.bytes.failed;
      byte_writer_free (&part.bytes);
    }
}

/* Return true if the form selected by the options can hold the profile.  */
static bool
check_form (struct sample_writer *binary)
{
  const struct sample_binary_options *options = binary->options;
  if (options->is_raw && options->split)
    return sample_writer_fail (binary,
			       "the raw format has no sections to split");
  if (options->is_raw && options->compress)
    return sample_writer_fail (binary,
			       "the raw format has no sections to compress");
  if (options->split && binary->has_contexts)
    return sample_writer_fail (binary,
			       "split sections cannot hold calling contexts");
  if (!options->is_raw)
    return true;
  if (binary->has_guids)
    return sample_writer_fail (binary,
			       "the raw format cannot hold names of which only "
			       "GUIDs are known");
  if (binary->has_contexts || binary->has_checksums)
    return sample_writer_fail (binary,
			       "the raw format cannot hold calling contexts "
			       "and checksums");
  return true;
}

/* sample_binary_serialize for names without source files.  */
static bool
serialize (const struct sample_profile *profile,
	   const struct sample_binary_options *options, void **data,
	   size_t *size, struct profile_error *err)
{
  struct sample_writer binary
    = { .profile = profile, .options = options, .err = err };
  struct byte_writer file = { 0 };
  byte_writer_uleb128 (&file, options->is_raw ? SAMPLE_MAGIC_RAW
					      : SAMPLE_MAGIC_EXTENDED);
  byte_writer_uleb128 (&file, SAMPLE_VERSION);
  if (sample_writer_prepare (&binary) && check_form (&binary))
    {
      if (options->is_raw)
	write_raw (&binary, &file);
      else
	write_extended (&binary, &file);
    }
  if (file.failed)
    sample_writer_fail_memory (&binary);
  sample_writer_release (&binary);
  if (binary.failed)
    {
      byte_writer_free (&file);
      return false;
    }
  *data = file.data;
  *size = file.size;
  return true;
}

bool
sample_binary_serialize (const struct sample_profile *profile,
			 const struct sample_binary_options *options,
			 void **data, size_t *size, struct profile_error *err)
{
  struct sample_binary_options own = *options;
  own.keep_vtables &= !options->is_raw;
  own.md5_names &= !options->is_raw;
  struct sample_profile *copy
    = sample_profile_copy (profile, SAMPLE_DROP_FILES, err);
  bool is_done = copy && serialize (copy, &own, data, size, err);
  sample_profile_free (copy);
  return is_done;
}
