/* Writing GCC's sample profiles (sample-afdo.h).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "sample-afdo.h"
#include "byte-writer.h"
#include "sample-afdo-format.h"
#include "sample-summary.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The used names or files, in file order.  */
struct name_list
{
  uint32_t *names;  /* malloced; numbers in the profile */
  uint32_t *places; /* malloced; by number; UINT32_MAX: not used */
  uint32_t count;
};

struct afdo_writer
{
  struct byte_writer bytes;
  const struct sample_profile *profile;
  unsigned int version;
  struct name_list names;
  struct name_list files;
  uint32_t bad_name;	   /* a name that cannot be written */
  uint64_t function_words; /* size of all functions, as version 1 counts it */
};

static void
write_u32 (struct afdo_writer *afdo, uint32_t value)
{
  byte_writer_u32 (&afdo->bytes, value);
}

/* Counters have their lower half first, as a little-endian u64 does.  */
static void
write_counter (struct afdo_writer *afdo, uint64_t value)
{
  byte_writer_u64 (&afdo->bytes, value);
}

/* ---- Names.  */

/* Initialize *LIST for names of PROFILE.  */
static bool
init_list (struct name_list *list, const struct sample_profile *profile)
{
  size_t count = sample_profile_name_count (profile);
  list->names = calloc (count + 1, sizeof *list->names);
  list->places = calloc (count + 1, sizeof *list->places);
  if (!list->names || !list->places)
    return false;
  memset (list->places, 0xff, count * sizeof *list->places);
  return true;
}

static void
free_list (struct name_list *list)
{
  free (list->names);
  free (list->places);
}

static void
use (struct name_list *list, uint32_t name)
{
  if (list->places[name] != UINT32_MAX)
    return;
  list->places[name] = 0;
  list->names[list->count++] = name;
}

static int
compare_names (const void *element1, const void *element2, void *profile)
{
  return sample_profile_compare_names (profile, *(const uint32_t *) element1,
				       *(const uint32_t *) element2);
}

/* Sort LIST and number its places from FIRST.  */
static void
sort_list (struct name_list *list, const struct sample_profile *profile,
	   uint32_t first)
{
  qsort_r (list->names, list->count, sizeof *list->names, compare_names,
	   (void *) profile);
  for (uint32_t i = 0; i < list->count; i++)
    list->places[list->names[i]] = first + i;
}

static void
use_name (struct afdo_writer *afdo, uint32_t name)
{
  uint32_t file = sample_profile_name_file (afdo->profile, name);
  const char *text = sample_profile_name (afdo->profile, name);
  size_t n = sample_profile_name_bytes (afdo->profile, name);
  if (!text || n == 0 || memchr (text, '\0', n))
    afdo->bad_name = name;
  use (&afdo->names, name);
  if (file != SAMPLE_NO_NAME)
    use (&afdo->files, file);
}

/* Mark the names that FUNCTION uses, and add up its size.  */
static void
use_function (struct afdo_writer *afdo, const struct sample_function *function)
{
  use_name (afdo, function->name);
  afdo->function_words
    += 3 + 4 * (uint64_t) function->body_count + function->call_site_count;
  for (uint32_t i = 0; i < function->body_count; i++)
    {
      const struct sample_counts *targets = &function->bodies[i].targets;
      afdo->function_words += 5 * (uint64_t) targets->count;
      for (uint32_t k = 0; k < targets->count; k++)
	use_name (afdo, targets->counts[k].name);
    }
  for (uint32_t i = 0; i < function->call_site_count; i++)
    use_function (afdo, function->call_sites[i].inlinee);
}

static size_t
count_words (size_t n)
{
  return n / 4 + 1;
}

/* Append the N bytes of TEXT, which is followed by a NUL.  */
static void
write_string (struct afdo_writer *afdo, const char *text, size_t n)
{
  static const char zeros[4];
  if (afdo->version > 1)
    {
      write_u32 (afdo, n + 1);
      byte_writer_bytes (&afdo->bytes, text, n + 1);
      return;
    }
  size_t words = count_words (n);
  write_u32 (afdo, words);
  byte_writer_bytes (&afdo->bytes, text, n);
  byte_writer_bytes (&afdo->bytes, zeros, 4 * words - n);
}

static void
write_name (struct afdo_writer *afdo, uint32_t name)
{
  write_string (afdo, sample_profile_name (afdo->profile, name),
		sample_profile_name_bytes (afdo->profile, name));
}

static void
write_files (struct afdo_writer *afdo)
{
  write_u32 (afdo, afdo->files.count);
  for (uint32_t i = 0; i < afdo->files.count; i++)
    write_name (afdo, afdo->files.names[i]);
}

/* Append the place of the file of NAME.  */
static void
write_file_of (struct afdo_writer *afdo, uint32_t name)
{
  uint32_t file = sample_profile_name_file (afdo->profile, name);
  write_u32 (afdo,
	     file == SAMPLE_NO_NAME ? AFDO_NO_FILE : afdo->files.places[file]);
}

static void
write_names (struct afdo_writer *afdo)
{
  /* The first name is empty and belongs to no function.  */
  uint64_t words = 1 + 2;
  for (uint32_t i = 0; i < afdo->names.count; i++)
    words += 1
	     + count_words (sample_profile_name_bytes (afdo->profile,
						       afdo->names.names[i]));
  write_u32 (afdo, AFDO_TAG_NAMES);
  write_u32 (afdo, words);
  if (afdo->version == 3)
    write_files (afdo);
  write_u32 (afdo, afdo->names.count + 1);
  write_string (afdo, "", 0);
  if (afdo->version == 3)
    write_u32 (afdo, AFDO_NO_FILE);
  for (uint32_t i = 0; i < afdo->names.count; i++)
    {
      write_name (afdo, afdo->names.names[i]);
      if (afdo->version == 3)
	write_file_of (afdo, afdo->names.names[i]);
    }
}

/* ---- Functions.  */

static void
write_location (struct afdo_writer *afdo, struct sample_location location)
{
  write_u32 (afdo, location.line << 16 | location.discriminator);
}

static void
write_body (struct afdo_writer *afdo, const struct sample_body *body)
{
  struct sample_count *targets
    = sample_counts_ordered (afdo->profile, &body->targets);
  write_location (afdo, body->location);
  write_u32 (afdo, body->targets.count);
  write_counter (afdo, body->count);
  for (uint32_t i = 0; targets && i < body->targets.count; i++)
    {
      write_u32 (afdo, AFDO_TARGET_CALL);
      write_counter (afdo, afdo->names.places[targets[i].name]);
      write_counter (afdo, targets[i].count);
    }
  afdo->bytes.failed |= !targets;
  free (targets);
}

static void
write_instance (struct afdo_writer *afdo,
		const struct sample_function *function)
{
  struct sample_call_site *sites
    = sample_function_ordered_sites (afdo->profile, function);
  write_u32 (afdo, afdo->names.places[function->name]);
  write_u32 (afdo, function->body_count);
  write_u32 (afdo, function->call_site_count);
  for (uint32_t i = 0; i < function->body_count; i++)
    write_body (afdo, &function->bodies[i]);
  for (uint32_t i = 0; sites && i < function->call_site_count; i++)
    {
      write_location (afdo, sites[i].location);
      write_instance (afdo, sites[i].inlinee);
    }
  afdo->bytes.failed |= !sites;
  free (sites);
}

static void
write_functions (struct afdo_writer *afdo)
{
  uint32_t count = sample_profile_function_count (afdo->profile);
  uint32_t *order = sample_profile_order (afdo->profile);
  write_u32 (afdo, AFDO_TAG_FUNCTIONS);
  write_u32 (afdo, 1 + afdo->function_words + 2 * (uint64_t) count);
  write_u32 (afdo, count);
  for (uint32_t i = 0; order && i < count; i++)
    {
      const struct sample_function *function
	= sample_profile_function (afdo->profile, order[i]);
      write_counter (afdo, function->head);
      if (afdo->version == 3)
	write_counter (afdo, function->first_run);
      write_instance (afdo, function);
    }
  afdo->bytes.failed |= !order;
  free (order);
}

/* ---- The file.  */

static void
write_summary (struct afdo_writer *afdo)
{
  struct sample_summary summary = { 0 };
  struct profile_error ignored;
  afdo->bytes.failed
    |= !sample_summary_make (&summary, afdo->profile, &ignored);
  write_u32 (afdo, AFDO_TAG_SUMMARY);
  write_counter (afdo, summary.total);
  write_counter (afdo, summary.greatest);
  write_counter (afdo, summary.greatest_head);
  write_counter (afdo, summary.count_count);
  write_counter (afdo, summary.function_count);
  write_counter (afdo, SUMMARY_CUTOFFS);
  for (int i = 0; i < SUMMARY_CUTOFFS; i++)
    {
      write_u32 (afdo, summary.cutoffs[i].cutoff);
      write_counter (afdo, summary.cutoffs[i].least);
      write_counter (afdo, summary.cutoffs[i].count);
    }
}

static void
write_end (struct afdo_writer *afdo)
{
  write_u32 (afdo, AFDO_TAG_MODULES);
  write_u32 (afdo, 0);
  write_u32 (afdo, 0);
  write_u32 (afdo, AFDO_TAG_WORKING_SET);
  write_u32 (afdo, AFDO_WORKING_SETS * 3);
  for (int i = 0; i < AFDO_WORKING_SETS; i++)
    {
      write_u32 (afdo, 0);
      write_counter (afdo, 0);
    }
}

/* Collect the used names.  */
static bool
make_names (struct afdo_writer *afdo)
{
  uint32_t count = sample_profile_function_count (afdo->profile);
  if (!init_list (&afdo->names, afdo->profile)
      || !init_list (&afdo->files, afdo->profile))
    return false;
  for (uint32_t i = 0; i < count; i++)
    use_function (afdo, sample_profile_function (afdo->profile, i));
  sort_list (&afdo->names, afdo->profile, 1);
  sort_list (&afdo->files, afdo->profile, 0);
  return true;
}

static void
write_file (struct afdo_writer *afdo)
{
  write_u32 (afdo, AFDO_MAGIC);
  write_u32 (afdo, afdo->version);
  write_u32 (afdo, 0);
  if (afdo->version == 3)
    write_summary (afdo);
  write_names (afdo);
  write_functions (afdo);
  write_end (afdo);
}

/* sample_afdo_serialize for a profile that the format can hold.  */
static bool
serialize (const struct sample_profile *profile, unsigned int version,
	   void **data, size_t *size, struct profile_error *err)
{
  struct afdo_writer afdo
    = { .profile = profile, .version = version, .bad_name = SAMPLE_NO_NAME };
  bool is_done = make_names (&afdo) || profile_error_set_memory (err, NULL);
  if (is_done && afdo.bad_name != SAMPLE_NO_NAME)
    is_done = profile_error_set (
      err, NULL, PROFILE_ERROR_NO_OFFSET,
      sample_profile_name (profile, afdo.bad_name)
	? "GCC's format cannot hold the name with GUID %" PRIu64
	  ": it is empty or contains a NUL byte"
	: "GCC's format needs names, but only the GUID %" PRIu64
	  " of a function is known",
      sample_profile_name_guid (profile, afdo.bad_name));
  if (is_done)
    {
      write_file (&afdo);
      is_done = !afdo.bytes.failed || profile_error_set_memory (err, NULL);
    }
  free_list (&afdo.names);
  free_list (&afdo.files);
  if (!is_done)
    {
      byte_writer_free (&afdo.bytes);
      return false;
    }
  *data = afdo.bytes.data;
  *size = afdo.bytes.size;
  return true;
}

bool
sample_afdo_serialize (const struct sample_profile *profile,
		       unsigned int version, void **data, size_t *size,
		       struct profile_error *err)
{
  if (sample_profile_flags (profile) & SAMPLE_PROBES)
    return profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
			      "GCC cannot use probe-based samples");
  unsigned int drop = SAMPLE_DROP_CONTEXTS | SAMPLE_DROP_SUFFIXES
		      | SAMPLE_DROP_WIDE_DISCRIMINATORS;
  if (version < 3)
    drop |= SAMPLE_DROP_FILES;
  struct sample_profile *copy = sample_profile_copy (profile, drop, err);
  /* Functions are ordered by the totals that the file will have.  */
  for (uint32_t i = 0; copy && i < sample_profile_function_count (copy); i++)
    sample_function_sum (sample_profile_function (copy, i));
  bool is_done = copy && serialize (copy, version, data, size, err);
  sample_profile_free (copy);
  return is_done;
}
