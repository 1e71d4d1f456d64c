/* Make valid files of every format.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "sample-files.h"
#include "byte-writer.h"
#include "counter-text.h"
#include "gcov-builder.h"
#include "gcov-data.h"
#include "gcov-ident.h"
#include "gcov-section.h"
#include "heap-affinities.h"
#include "heap-types.h"
#include "heapprof-section.h"
#include "indexed-profile.h"
#include "memory-info.h"
#include "memprof-yaml.h"
#include "pgo-text.h"
#include "profile-text.h"
#include "reader.h"
#include "sample-afdo.h"
#include "sample-binary.h"
#include "sample-text.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define INDEXED_HEADER_BYTES 80
#define TRAILER_BYTES 32
#define SECTION_HEADER_BYTES 16
#define BLOCK_HEADER_BYTES 24

static uint64_t
get (const unsigned char *data, size_t n)
{
  uint64_t value = 0;
  for (size_t i = 0; i < n; i++)
    value |= (uint64_t) data[i] << 8 * i;
  return value;
}

static void
put (unsigned char *data, uint64_t value, size_t n)
{
  for (size_t i = 0; i < n; i++)
    data[i] = value >> 8 * i;
}

/* ---- Indexed files.  */

struct sample_file
sample_indexed (const struct profile *profile, unsigned int file_version,
		unsigned int memprof_version)
{
  const struct indexed_profile_options options
    = { .file_version = file_version, .memprof_version = memprof_version };
  struct profile_error err;
  struct sample_file file;
  void *data;
  if (!indexed_profile_serialize (profile, &options, &data, &file.size, &err))
    abort ();
  file.data = data;
  return file;
}

/* Add a class and a union to HEAP.  */
static void
add_types (struct heap_profile *heap)
{
  const uint32_t name = heap_profile_add_string (heap, "node", 4);
  const uint32_t type = heap_profile_add_string (heap, "node *", 6);
  struct heap_member members[] = { { 0, 8, 8, HEAP_MEMBER_MADE, 0, type },
				   { 8, 1, 4, HEAP_MEMBER_BITS, name, type },
				   { 16, 8, 8, HEAP_MEMBER_DATA, name, type } };
  const struct heap_type types[] = { { .number = 0x1234567,
				       .name = name,
				       .alignment = 8,
				       .size = 24,
				       .start = 8,
				       .kind = HEAP_TYPE_CLASS,
				       .member_count = 3,
				       .members = members },
				     { .number = 0x1234568,
				       .name = type,
				       .alignment = 8,
				       .size = 8,
				       .kind = HEAP_TYPE_UNION } };
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (!heap_details_add_type (heap_profile_details (heap), &types[i]))
      abort ();
}

/* Add a histogram, a call site and data accesses to HEAP.  */
static void
add_details (struct heap_profile *heap)
{
  struct heap_details *details = heap_profile_details (heap);
  const uint64_t counts[] = { 1, 0, 300, UINT64_C (1) << 33 };
  uint64_t callees[] = { 0x1234, 0x5678 };
  const struct heap_call_site site = {
    .function_guid = 0x77, .context = 1, .callee_count = 2, .callees = callees
  };
  const uint32_t file = heap_profile_add_string (heap, "data.c", 6);
  struct heap_data_location locations[] = { { file, 12 }, { file, 3 } };
  const struct heap_data_access accesses[]
    = { { .symbol = heap_profile_add_string (heap, "table", 5),
	  .is_sampled = true,
	  .access_count = 9,
	  .location_count = 2,
	  .locations = locations },
	{ .hash = 4711, .is_sampled = true, .access_count = 1 },
	{ .symbol = heap_profile_add_string (heap, "unused", 6),
	  .is_cold = true },
	{ .hash = 4712, .is_cold = true } };
  for (uint32_t i = 1; i < heap_profile_context_count (heap); i++)
    if (heap_profile_info (heap, i))
      {
	if (!heap_details_add_histogram (details, i, counts, 4))
	  abort ();
	break;
      }
  if (!heap_details_add_call_site (details, &site))
    abort ();
  uint32_t before = 0;
  for (uint32_t i = 1; i < heap_profile_context_count (heap); i++)
    if (heap_profile_info (heap, i))
      {
	if (!heap_details_add_affinity (details, before ? before : i, i, i))
	  abort ();
	before = i;
      }
  for (size_t i = 0; i < sizeof accesses / sizeof accesses[0]; i++)
    if (!heap_details_add_data_access (details, &accesses[i]))
      abort ();
}

/* Add many small blocks to HEAP that live through a whole run and have nearly
   all accesses: hot ones, which have a group.  */
static void
add_hot_blocks (struct heap_profile *heap)
{
  const uint64_t ns = UINT64_C (1) << 50;
  const struct heap_frame frame
    = { .function_guid = 0x77, .line_offset = 3, .column = 1 };
  const uint32_t context
    = heap_profile_add_context (heap, 0, heap_profile_add_frame (heap, &frame));
  const struct memory_info info = { .alloc_count = 1000,
				    .access_count.total = UINT64_C (1) << 60,
				    .size_bytes = { 48000, 48, 48 },
				    .lifetime_ns = { 1000 * ns, ns, ns } };
  heap_profile_totals (heap)->duration_ns = ns;
  if (!heap_profile_add_info (heap, context, &info)
      || !heap_details_add_affinity (heap_profile_details (heap), context,
				     context, 1000))
    abort ();
}

struct sample_file
sample_heap (unsigned int n, unsigned int file_version,
	     unsigned int memprof_version)
{
  struct profile profile = { .heap = random_profile (4, n) };
  add_details (profile.heap);
  add_hot_blocks (profile.heap);
  add_types (profile.heap);
  add_random_modules (profile.heap, 12);
  add_random_addresses (profile.heap, 12);
  struct sample_file file
    = sample_indexed (&profile, file_version, memprof_version);
  heap_profile_free (profile.heap);
  return file;
}

struct sample_file
sample_counters (unsigned int n, unsigned int file_version)
{
  struct profile profile = { .counters = random_counters (3, n, false) };
  struct sample_file file = sample_indexed (&profile, file_version, 0);
  counter_profile_free (profile.counters);
  return file;
}

size_t
sample_section (const struct sample_file *file)
{
  size_t section = get (file->data + file->size - TRAILER_BYTES, 8);
  bool is_there = (section <= file->size - TRAILER_BYTES
		   && memcmp (file->data + section, HEAPPROF_SECTION_MAGIC,
			      HEAPPROF_SECTION_MAGIC_BYTES)
			== 0);
  return is_there ? section : file->size;
}

struct sample_file
sample_inflated (const struct sample_file *file)
{
  const unsigned char *data = file->data;
  size_t from = sample_section (file) + SECTION_HEADER_BYTES;
  size_t to = from;
  struct sample_file inflated = { .data = calloc (20, file->size) };
  if (!inflated.data)
    abort ();
  memcpy (inflated.data, data, from);
  while (from < file->size - TRAILER_BYTES)
    {
      uint64_t stored = get (data + from + 8, 8);
      uLongf plain = get (data + from + 16, 8);
      const unsigned char *content = data + from + BLOCK_HEADER_BYTES;
      unsigned char *block = inflated.data + to;
      memcpy (block, data + from, 4);
      put (block + 8, plain, 8);
      put (block + 16, plain, 8);
      if (get (data + from + 4, 4) == 0)
	memcpy (block + BLOCK_HEADER_BYTES, content, plain);
      else if (uncompress (block + BLOCK_HEADER_BYTES, &plain, content, stored)
	       != Z_OK)
	abort ();
      from += BLOCK_HEADER_BYTES + (stored + 7) / 8 * 8;
      to += BLOCK_HEADER_BYTES + (plain + 7) / 8 * 8;
    }
  memcpy (inflated.data + to, data + from, TRAILER_BYTES);
  put (inflated.data + to + 8, to - sample_section (file), 8);
  inflated.size = to + TRAILER_BYTES;
  struct sample_file repaired;
  repaired.data
    = reader_indexed.repair (inflated.data, inflated.size, &repaired.size);
  free (inflated.data);
  return repaired;
}

/* The names of static data are stored as their total length (u64), the plain
   and the stored length (uleb; stored 0: not compressed), and the bytes, padded
   to a multiple of 8.  */
struct sample_file
sample_deflated (const struct sample_file *file)
{
  static const char names[] = "table\1data.c\1unused\1unused";
  const size_t n = sizeof names - 1;
  size_t size = sample_section (file);
  const unsigned char *found = memmem (file->data, size, names, n);
  unsigned char stored[100];
  uLongf m = sizeof stored;
  if (!found || compress (stored, &m, (const Bytef *) names, n) != Z_OK)
    abort ();
  size_t at = found - 10 - file->data;
  size_t end = at + 8 + (2 + n + 7) / 8 * 8;
  size_t new_end = at + 8 + (2 + m + 7) / 8 * 8;
  struct sample_file deflated = { .size = size + new_end - end };
  deflated.data = calloc (1, deflated.size);
  if (!deflated.data)
    abort ();
  memcpy (deflated.data, file->data, at);
  put (deflated.data + at, 2 + m, 8);
  deflated.data[at + 8] = n;
  deflated.data[at + 9] = m;
  memcpy (deflated.data + at + 10, stored, m);
  memcpy (deflated.data + new_end, file->data + end, size - end);
  /* Correct the offsets of what follows.  */
  for (size_t i = 16; i < INDEXED_HEADER_BYTES; i += 8)
    {
      uint64_t offset = get (deflated.data + i, 8);
      if (offset > at && offset <= size)
	put (deflated.data + i, offset + new_end - end, 8);
    }
  return deflated;
}

struct sample_file
sample_section_alone (const struct sample_file *file)
{
  size_t section = sample_section (file);
  size_t section_bytes = file->size - section;
  struct sample_file alone = { .size = INDEXED_HEADER_BYTES + section_bytes };
  struct sample_file repaired;
  alone.data = calloc (1, alone.size);
  if (!alone.data)
    abort ();
  memcpy (alone.data, file->data, INDEXED_HEADER_BYTES);
  memcpy (alone.data + INDEXED_HEADER_BYTES, file->data + section,
	  section_bytes);
  put (alone.data + alone.size - TRAILER_BYTES, INDEXED_HEADER_BYTES, 8);
  repaired.data
    = reader_indexed.repair (alone.data, alone.size, &repaired.size);
  free (alone.data);
  return repaired;
}

/* ---- Text.  */

struct sample_file
sample_text (unsigned int n)
{
  struct counter_profile *counters = random_counters (4, n, true);
  struct pgo_text_losses losses;
  struct profile_error err;
  struct sample_file file;
  void *data;
  if (!pgo_text_serialize (counters, false, &data, &file.size, &losses, &err))
    abort ();
  file.data = data;
  counter_profile_free (counters);
  return file;
}

struct sample_file
sample_yaml (unsigned int n)
{
  static const struct memprof_yaml_options options
    = { .full_schema = true, .keep_columns = true };
  struct heap_profile *heap = random_profile (5, n);
  struct byte_writer writer = { 0 };
  struct profile_error err;
  add_details (heap);
  if (!memprof_yaml_write (&writer, heap, &options, &err))
    abort ();
  heap_profile_free (heap);
  return (struct sample_file){ writer.data, writer.size };
}

/* ---- gcc's counters.  */

struct gcov_profile *
sample_gcov (void)
{
  static struct gcov_builder builder;
  struct profile_error err;
  struct gcov_profile *profile = gcov_profile_new ();
  for (unsigned int i = 0; i < 8; i++)
    if (!gcov_profile_add (profile, gcov_random_unit (i % 5, i)))
      abort ();
  gcov_build_sample_data (&builder, 12, false);
  if (!gcov_data_parse (profile, "data", "unit", builder.data, builder.size,
			&err))
    abort ();
  return profile;
}

/* Replace values in FUNCTION of UNIT by callees in the unit.  Make FUNCTION
   public if it has a name and its position is odd.  */
static void
link_function (const struct gcov_unit *unit, struct gcov_function *function)
{
  for (uint32_t i = 0; i < function->vector_count; i++)
    {
      struct gcov_vector *vector = &function->vectors[i];
      if (vector->kind != GCOV_KIND_TOPN)
	continue;
      vector->kind = GCOV_KIND_CALL;
      for (uint32_t k = 0; k < vector->count; k++)
	if (vector->sites[k].target_count > 0)
	  vector->sites[k].targets[0].value
	    = unit->functions[k % unit->function_count].ident;
    }
  if (function->name && function->position % 2 == 1)
    function->ident = gcov_ident_public (function->name);
}

struct gcov_profile *
sample_gcov_copies (void)
{
  static const char *const paths[]
    = { "a/dir/unit1.gcda", "b/dir/unit1.gcda", "unit1.gcda" };
  struct gcov_profile *profile = gcov_profile_new ();
  for (unsigned int i = 0; i < sizeof paths / sizeof *paths; i++)
    {
      struct gcov_unit *unit = gcov_random_unit (1, i);
      free (unit->path);
      unit->path = strdup (paths[i]);
      for (uint32_t k = 0; k < unit->function_count; k++)
	link_function (unit, &unit->functions[k]);
      if (!gcov_profile_add (profile, unit))
	abort ();
    }
  return profile;
}

struct sample_file
sample_gcov_section (void)
{
  struct gcov_profile *profile = sample_gcov ();
  struct byte_writer writer = { 0 };
  if (!gcov_section_write (&writer, profile))
    abort ();
  gcov_profile_free (profile);
  return (struct sample_file){ writer.data, writer.size };
}

/* ---- MemProf's raw profiles.  */

#define DUMP_HEADER_BYTES 48
#define BUILD_ID_BYTES 32
#define RAW_FIELDS 25
#define RAW_STACKS 3

static void
write_mib (struct byte_writer *writer, unsigned int version, uint64_t stack)
{
  const uint32_t histogram = version >= 4 ? stack % 4 : 0;
  byte_writer_u64 (writer, stack);
  for (unsigned int tag = 1; tag <= RAW_FIELDS; tag++)
    if (memory_info_field_bytes (tag) == 4)
      byte_writer_u32 (writer, tag * 10 + stack % 10);
    else
      byte_writer_u64 (writer, tag * 1000 + stack % 10);
  if (version < 4)
    return;
  byte_writer_u32 (writer, histogram);
  byte_writer_u64 (writer, 0);
  for (uint32_t i = 0; i < histogram; i++)
    if (version == 4)
      byte_writer_u64 (writer, i * 100);
    else
      byte_writer_u16 (writer, i * 0x1111);
}

static void
write_dump (struct byte_writer *writer, unsigned int version, bool in_order)
{
  static const uint64_t stacks[] = { 0x71, 0x62, 0x53 };
  static const uint8_t build_id[BUILD_ID_BYTES] = { 1, 2, 3, 4, 5, 6, 7, 8 };
  const size_t start = writer->size;
  byte_writer_bytes (writer, "\x81rforpm\xff", 8);
  byte_writer_u64 (writer, version);
  for (size_t i = 0; i < 4; i++)
    byte_writer_u64 (writer, 0);
  byte_writer_patch_u64 (writer, start + 24, writer->size - start);
  byte_writer_u64 (writer, 2);
  for (uint64_t i = 0; i < 2; i++)
    {
      byte_writer_u64 (writer, 0x400000 + i * 0x1000);
      byte_writer_u64 (writer, 0x401000 + i * 0x1000);
      byte_writer_u64 (writer, i * 0x1000);
      byte_writer_u64 (writer, i * 8);
      byte_writer_bytes (writer, build_id, sizeof build_id);
    }
  byte_writer_patch_u64 (writer, start + 32, writer->size - start);
  byte_writer_u64 (writer, RAW_STACKS);
  for (size_t i = 0; i < RAW_STACKS; i++)
    write_mib (writer, version, stacks[i]);
  byte_writer_align (writer, 8);
  byte_writer_patch_u64 (writer, start + 40, writer->size - start);
  byte_writer_u64 (writer, RAW_STACKS);
  for (size_t i = 0; i < RAW_STACKS; i++)
    {
      uint64_t stack = stacks[in_order ? i : RAW_STACKS - 1 - i];
      byte_writer_u64 (writer, stack);
      byte_writer_u64 (writer, stack % 5);
      for (uint64_t k = 0; k < stack % 5; k++)
	byte_writer_u64 (writer, 0x400100 + k * 0x10);
    }
  byte_writer_patch_u64 (writer, start + 16, writer->size - start);
}

struct sample_file
sample_memprof_raw (unsigned int version)
{
  struct byte_writer writer = { 0 };
  write_dump (&writer, version, true);
  write_dump (&writer, version, false);
  if (writer.failed)
    abort ();
  return (struct sample_file){ writer.data, writer.size };
}

/* ---- Sample profiles.  */

static const char *const sample_profiles[SAMPLE_PROFILES]
  = { "run:900:3\n"
      " 1: 3\n"
      " 2.7: 12 std::sort<a b>:7 _Z4swapv:5\n"
      " 2.7: vtables _ZTV1B:12 \n"
      " 65535: 9000000000\n"
      " 4: _Z4swapv:80\n"
      "  1: 30\n"
      "  2: inner.cold.1:50\n"
      "   0: 50 run:1\n"
      "other:4:4\n"
      " 1: 4\n",
      "[run:2 @ other:1.3 @ leaf]:50:5\n"
      " 1: 5\n"
      " 2: 45 run:9\n"
      " !Attributes: 3\n"
      "[run]:7:0\n"
      " 1: 7\n",
      "run:60:2\n"
      " 1: 2\n"
      " 3: leaf:58\n"
      "  1: 58\n"
      "  !CFGChecksum: 77\n"
      " !CFGChecksum: 562954248388607\n" };

/* Return the profile that the text describes.  */
static struct sample_profile *
make_sample_profile (unsigned int i)
{
  struct sample_profile *profile = sample_profile_new ();
  struct profile_error err;
  if (!sample_text_fold (profile, "sample", sample_profiles[i],
			 strlen (sample_profiles[i]), &err))
    abort ();
  return profile;
}

struct sample_file
sample_profile_text (unsigned int i)
{
  struct sample_file file = { (unsigned char *) strdup (sample_profiles[i]),
			      strlen (sample_profiles[i]) };
  return file;
}

struct sample_file
sample_profile_binary (unsigned int i, unsigned int choice)
{
  const struct sample_binary_options options = { .is_raw = choice & 1,
						 .keep_vtables = true,
						 .md5_names = choice & 2,
						 .compress = choice & 4,
						 .split = choice & 8 };
  struct sample_profile *profile = make_sample_profile (i);
  struct profile_error err;
  void *data;
  size_t size;
  if (!sample_binary_serialize (profile, &options, &data, &size, &err))
    {
      data = calloc (1, 1);
      size = 0;
    }
  sample_profile_free (profile);
  return (struct sample_file){ data, size };
}

struct sample_file
sample_profile_afdo (unsigned int version)
{
  struct sample_profile *profile = make_sample_profile (0);
  struct profile_error err;
  void *data;
  size_t size;
  if (!sample_afdo_serialize (profile, version, &data, &size, &err))
    abort ();
  sample_profile_free (profile);
  return (struct sample_file){ data, size };
}
