/* Reading GCC's sample profiles (sample-afdo.h).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "sample-afdo.h"
#include "byte-reader.h"
#include "sample-afdo-format.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct afdo_reader
{
  struct byte_reader *reader;
  struct sample_profile *profile;
  unsigned int version; /* 1 to 3 */
  uint32_t *files;	/* malloced; names of source files */
  uint32_t file_count;
  uint32_t *names; /* malloced; numbers in PROFILE */
  uint32_t name_count;
};

bool
sample_afdo_has_magic (const void *data, size_t n)
{
  struct profile_error ignored;
  struct byte_reader reader;
  byte_reader_init (&reader, "", data, n, &ignored);
  reader.big_endian = n > 0 && *(const uint8_t *) data == AFDO_MAGIC >> 24;
  uint32_t magic = byte_reader_u32 (&reader, "");
  uint32_t version = byte_reader_u32 (&reader, "");
  uint32_t zero = byte_reader_u32 (&reader, "");
  uint32_t tag = byte_reader_u32 (&reader, "");
  if (magic != AFDO_MAGIC)
    return false;
  /* What follows in later versions is not known.  The versions of counter files
     are four letters and digits.  */
  if (version > SAMPLE_AFDO_GREATEST_VERSION && version <= AFDO_LAST_NUMBER)
    return true;
  return (zero == 0
	  && ((version == 3 && tag == AFDO_TAG_SUMMARY)
	      || tag == AFDO_TAG_NAMES));
}

static uint64_t
take_counter (struct afdo_reader *afdo, const char *what)
{
  uint64_t low = byte_reader_u32 (afdo->reader, what);
  uint64_t high = byte_reader_u32 (afdo->reader, what);
  return high << 32 | low;
}

/* Read the tag TAG of the section WHAT.  */
static void
take_tag (struct afdo_reader *afdo, uint32_t tag, const char *what)
{
  size_t start = afdo->reader->position;
  uint32_t found = byte_reader_u32 (afdo->reader, what);
  if (!afdo->reader->failed && found != tag)
    byte_reader_fail (afdo->reader, start,
		      "invalid tag 0x%" PRIx32 " (expected 0x%" PRIx32
		      ") of %s",
		      found, tag, what);
}

/* Read the number of WHAT, each of at least RECORD_BYTES bytes.  Return 0 if
   the reader fails.  */
static uint32_t
take_count (struct afdo_reader *afdo, size_t record_bytes, const char *what)
{
  uint32_t count = byte_reader_u32 (afdo->reader, what);
  return (byte_reader_need (afdo->reader, count, record_bytes, what) ? count
								     : 0);
}

/* ---- Names.  */

/* Read a string of *N bytes, without its NULs.  NULL if the reader fails.  */
static const char *
take_string (struct afdo_reader *afdo, size_t *n)
{
  static const char what[] = "a name";
  size_t start = afdo->reader->position;
  uint64_t stored = byte_reader_u32 (afdo->reader, what);
  if (afdo->version == 1)
    stored *= 4;
  const char *text = byte_reader_bytes (afdo->reader, stored, what);
  const char *end = text ? memchr (text, '\0', stored) : NULL;
  if (!end)
    {
      byte_reader_fail (afdo->reader, start, "unterminated name");
      return NULL;
    }
  *n = end - text;
  return text;
}

static void
read_files (struct afdo_reader *afdo)
{
  uint32_t count = take_count (afdo, 4, "the source files");
  afdo->files = calloc ((size_t) count + 1, sizeof *afdo->files);
  if (!afdo->files)
    byte_reader_fail_memory (afdo->reader);
  for (; afdo->file_count < count && !afdo->reader->failed; afdo->file_count++)
    {
      size_t n;
      const char *text = take_string (afdo, &n);
      uint32_t file
	= text ? sample_profile_add_name (afdo->profile, text, n) : 0;
      afdo->files[afdo->file_count] = file;
      if (file == SAMPLE_NO_NAME)
	byte_reader_fail_memory (afdo->reader);
    }
}

static void
read_name (struct afdo_reader *afdo)
{
  size_t n;
  const char *text = take_string (afdo, &n);
  uint32_t index = AFDO_NO_FILE;
  if (afdo->version == 3)
    index = byte_reader_u32 (afdo->reader, "the source file of a name");
  if (afdo->reader->failed)
    return;
  uint32_t file
    = index < afdo->file_count ? afdo->files[index] : SAMPLE_NO_NAME;
  uint32_t name
    = sample_profile_add_name_in_file (afdo->profile, text, n, file);
  afdo->names[afdo->name_count++] = name;
  if (name == SAMPLE_NO_NAME)
    byte_reader_fail_memory (afdo->reader);
}

static void
read_names (struct afdo_reader *afdo)
{
  static const char what[] = "the names";
  take_tag (afdo, AFDO_TAG_NAMES, what);
  byte_reader_u32 (afdo->reader, what);
  if (afdo->version == 3)
    read_files (afdo);
  uint32_t count = take_count (afdo, 5, what);
  afdo->names = calloc ((size_t) count + 1, sizeof *afdo->names);
  if (!afdo->names)
    byte_reader_fail_memory (afdo->reader);
  for (uint32_t i = 0; i < count && !afdo->reader->failed; i++)
    read_name (afdo);
}

/* Return the name with INDEX, which was read at START.  */
static uint32_t
find_name (struct afdo_reader *afdo, uint64_t index, size_t start)
{
  if (!afdo->reader->failed && (index == 0 || index >= afdo->name_count))
    byte_reader_fail (afdo->reader, start,
		      "invalid name %" PRIu64 " (expected less than %" PRIu32
		      ", not 0)",
		      index, afdo->name_count);
  return afdo->reader->failed ? SAMPLE_NO_NAME : afdo->names[index];
}

static uint32_t
take_name (struct afdo_reader *afdo)
{
  size_t start = afdo->reader->position;
  uint32_t index = byte_reader_u32 (afdo->reader, "a name");
  return find_name (afdo, index, start);
}

/* ---- Functions.  */

static struct sample_location
take_location (struct afdo_reader *afdo)
{
  uint32_t offset = byte_reader_u32 (afdo->reader, "a location");
  return (struct sample_location){ offset >> 16, offset & 0xffff };
}

static void
read_target (struct afdo_reader *afdo, struct sample_function *function,
	     struct sample_location location)
{
  static const char what[] = "a call target";
  size_t start = afdo->reader->position;
  byte_reader_u32 (afdo->reader, what);
  uint64_t index = take_counter (afdo, what);
  uint32_t name = find_name (afdo, index, start);
  uint64_t count = take_counter (afdo, what);
  if (!afdo->reader->failed
      && !sample_function_add_target (afdo->profile, function, location, name,
				      count))
    byte_reader_fail_memory (afdo->reader);
}

/* Read a location of FUNCTION and add its count to *TOTAL.  */
static void
read_location (struct afdo_reader *afdo, struct sample_function *function,
	       uint64_t *total)
{
  struct sample_location location = take_location (afdo);
  uint32_t targets = byte_reader_u32 (afdo->reader, "a location");
  uint64_t count = take_counter (afdo, "a location");
  if (!byte_reader_need (afdo->reader, targets, 20, "the call targets"))
    return;
  if (!sample_function_add_body (afdo->profile, function, location, count))
    byte_reader_fail_memory (afdo->reader);
  sample_count_add (total, count);
  for (uint32_t i = 0; i < targets && !afdo->reader->failed; i++)
    read_target (afdo, function, location);
}

static uint64_t read_instance (struct afdo_reader *afdo,
			       struct sample_function *function);

/* Read a function inlined into FUNCTION.  Return its total.  */
static uint64_t
read_inlinee (struct afdo_reader *afdo, struct sample_function *function)
{
  struct sample_location location = take_location (afdo);
  size_t start = afdo->reader->position;
  uint32_t name = take_name (afdo);
  if (function->depth >= SAMPLE_DEEPEST)
    byte_reader_fail (afdo->reader, start,
		      "functions are inlined more than %d levels deep",
		      SAMPLE_DEEPEST);
  if (afdo->reader->failed)
    return 0;
  struct sample_function *inlinee
    = sample_function_need_inlinee (afdo->profile, function, location, name);
  if (inlinee)
    return read_instance (afdo, inlinee);
  byte_reader_fail_memory (afdo->reader);
  return 0;
}

/* Read everything after the name of FUNCTION.  Return its total.  */
static uint64_t
read_instance (struct afdo_reader *afdo, struct sample_function *function)
{
  uint64_t total = 0;
  uint32_t locations
    = byte_reader_u32 (afdo->reader, "the number of locations");
  uint32_t inlinees
    = byte_reader_u32 (afdo->reader, "the number of inlined functions");
  byte_reader_need (afdo->reader, locations, 16, "the locations");
  for (uint32_t i = 0; i < locations && !afdo->reader->failed; i++)
    read_location (afdo, function, &total);
  for (uint32_t i = 0; i < inlinees && !afdo->reader->failed; i++)
    sample_count_add (&total, read_inlinee (afdo, function));
  sample_count_add (&function->total, total);
  return total;
}

static void
read_function (struct afdo_reader *afdo)
{
  uint64_t head = take_counter (afdo, "the head of a function");
  uint64_t first_run = 0;
  if (afdo->version == 3)
    first_run = take_counter (afdo, "the first run of a function");
  uint32_t name = take_name (afdo);
  if (afdo->reader->failed)
    return;
  struct sample_function *function
    = sample_profile_add_function (afdo->profile, NULL, 0, name);
  if (!function)
    {
      byte_reader_fail_memory (afdo->reader);
      return;
    }
  sample_count_add (&function->head, head);
  sample_function_set_first_run (function, first_run);
  read_instance (afdo, function);
}

static uint32_t
read_functions (struct afdo_reader *afdo)
{
  static const char what[] = "the functions";
  take_tag (afdo, AFDO_TAG_FUNCTIONS, what);
  byte_reader_u32 (afdo->reader, what);
  uint32_t count = take_count (afdo, 20, what);
  for (uint32_t i = 0; i < count && !afdo->reader->failed; i++)
    read_function (afdo);
  return count;
}

/* ---- Other parts.  */

/* Skip the summary, which follows from the functions.  */
static void
skip_summary (struct afdo_reader *afdo)
{
  static const char what[] = "the summary";
  take_tag (afdo, AFDO_TAG_SUMMARY, what);
  byte_reader_bytes (afdo->reader, 5 * 8, what);
  uint64_t cutoffs = take_counter (afdo, what);
  if (byte_reader_need (afdo->reader, cutoffs, 20, what))
    byte_reader_bytes (afdo->reader, cutoffs * 20, what);
}

/* Read the unused sections after the functions.  */
static void
read_end (struct afdo_reader *afdo)
{
  struct byte_reader *reader = afdo->reader;
  take_tag (afdo, AFDO_TAG_MODULES, "the modules");
  byte_reader_u32 (reader, "the modules");
  size_t start = reader->position;
  uint32_t modules = byte_reader_u32 (reader, "the modules");
  if (modules != 0)
    byte_reader_fail (reader, start,
		      "unsupported module list with %" PRIu32 " modules",
		      modules);
  if (byte_reader_left (reader) == 0)
    return;
  take_tag (afdo, AFDO_TAG_WORKING_SET, "the working set");
  byte_reader_u32 (reader, "the working set");
  byte_reader_bytes (reader, AFDO_WORKING_SETS * 12, "the working set");
  if (byte_reader_left (reader) > 0)
    byte_reader_fail_left (reader, "the file");
}

/* Read the head.  */
static void
read_head (struct afdo_reader *afdo)
{
  struct byte_reader *reader = afdo->reader;
  reader->big_endian
    = (byte_reader_left (reader) > 0 && reader->data[0] == AFDO_MAGIC >> 24);
  uint32_t magic = byte_reader_u32 (reader, "the magic number");
  uint32_t version = byte_reader_u32 (reader, "the version");
  uint32_t zero = byte_reader_u32 (reader, "the head");
  afdo->version = version == AFDO_VERSION_OLD ? 1 : version;
  if (!reader->failed && magic == AFDO_MAGIC
      && (afdo->version < SAMPLE_AFDO_LEAST_VERSION
	  || afdo->version > SAMPLE_AFDO_GREATEST_VERSION))
    byte_reader_fail (reader, 4,
		      "unsupported version %" PRIu32
		      " of GCC sample profile (expected %d to %d)",
		      version, SAMPLE_AFDO_LEAST_VERSION,
		      SAMPLE_AFDO_GREATEST_VERSION);
  if (!reader->failed && (magic != AFDO_MAGIC || zero != 0))
    byte_reader_fail (reader, 0, "not a GCC sample profile");
}

bool
sample_afdo_fold (struct sample_profile *profile, const char *path,
		  const void *data, size_t size, struct profile_error *err)
{
  struct byte_reader reader;
  struct profile_error cause;
  byte_reader_init (&reader, path, data, size, err);
  struct afdo_reader afdo = { .reader = &reader, .profile = profile };
  read_head (&afdo);
  if (afdo.version == 3)
    skip_summary (&afdo);
  read_names (&afdo);
  uint32_t functions = read_functions (&afdo);
  read_end (&afdo);
  free (afdo.files);
  free (afdo.names);
  if (!reader.failed
      && !sample_profile_add_flags (profile, 0, functions > 0, &cause))
    byte_reader_fail (&reader, 0, "%s", cause.cause);
  return !reader.failed;
}
