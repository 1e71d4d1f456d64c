/* GCC's own counters in the heapprof section: the writer.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-data.h"
#include "gcov-ident.h"
#include "gcov-section-format.h"
#include "gcov-section-index.h"
#include "gcov-section-parts.h"
#include "gcov-section.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct section_writer
{
  struct byte_writer *bytes;
  const char **strings; /* sorted, without duplicates; from 1 on */
  size_t string_count;
  struct gcov_section_index index;
  size_t base; /* start of the section */
};

/* Return the offset of the next byte in the section.  */
static uint64_t
place_of (const struct section_writer *writer)
{
  return writer->bytes->size - writer->base;
}

static int
compare_strings (const void *element1, const void *element2)
{
  return strcmp (*(const char *const *) element1,
		 *(const char *const *) element2);
}

static void
collect_string (struct section_writer *writer, const char *text)
{
  if (text && *text)
    writer->strings[writer->string_count++] = text;
}

/* Collect all strings of PROFILE, sort them, and remove duplicates.  */
static bool
make_strings (struct section_writer *writer, const struct gcov_profile *profile)
{
  size_t most = profile->unit_count;
  for (size_t i = 0; i < profile->unit_count; i++)
    most += 2 * (size_t) profile->units[i]->function_count;
  writer->strings = calloc (most + 1, sizeof *writer->strings);
  if (!writer->strings)
    return false;
  for (size_t i = 0; i < profile->unit_count; i++)
    {
      const struct gcov_unit *unit = profile->units[i];
      collect_string (writer, unit->path);
      for (uint32_t j = 0; j < unit->function_count; j++)
	{
	  collect_string (writer, unit->functions[j].name);
	  collect_string (writer, unit->functions[j].file);
	}
    }
  qsort (writer->strings, writer->string_count, sizeof *writer->strings,
	 compare_strings);
  size_t kept = 0;
  for (size_t i = 0; i < writer->string_count; i++)
    if (kept == 0
	|| strcmp (writer->strings[kept - 1], writer->strings[i]) != 0)
      writer->strings[kept++] = writer->strings[i];
  writer->string_count = kept;
  return true;
}

static void
write_strings (struct section_writer *writer)
{
  byte_writer_uleb128 (writer->bytes, writer->string_count);
  for (size_t i = 0; i < writer->string_count; i++)
    {
      size_t n = strlen (writer->strings[i]);
      gcov_section_index_add_string (&writer->index, place_of (writer));
      byte_writer_uleb128 (writer->bytes, n);
      byte_writer_bytes (writer->bytes, writer->strings[i], n);
    }
}

/* Write the number of TEXT.  Return that number.  */
static size_t
write_string (struct section_writer *writer, const char *text)
{
  size_t number = 0;
  if (text && *text)
    {
      const char **place
	= bsearch (&text, writer->strings, writer->string_count, sizeof text,
		   compare_strings);
      number = place - writer->strings + 1;
    }
  byte_writer_uleb128 (writer->bytes, number);
  return number;
}

static void
write_signed (struct section_writer *writer, int64_t value)
{
  uint64_t bits = (uint64_t) value << 1;
  byte_writer_uleb128 (writer->bytes, value < 0 ? ~bits : bits);
}

static void
write_counters (struct section_writer *writer, const struct gcov_vector *vector)
{
  uint32_t count = vector->count;
  byte_writer_uleb128 (writer->bytes,
		       count * UINT64_C (2) + (vector->counters != NULL));
  for (uint32_t i = 0; vector->counters && i < count;)
    {
      byte_writer_uleb128 (writer->bytes, (uint64_t) vector->counters[i]);
      if (vector->counters[i++] != 0)
	continue;
      uint32_t more = 0;
      for (; i < count && vector->counters[i] == 0; i++)
	more++;
      byte_writer_uleb128 (writer->bytes, more);
    }
}

static void
write_sites (struct section_writer *writer, const struct gcov_vector *vector)
{
  byte_writer_uleb128 (writer->bytes, vector->count);
  for (uint32_t i = 0; i < vector->count; i++)
    {
      const struct gcov_site *site = &vector->sites[i];
      write_signed (writer, site->total);
      byte_writer_uleb128 (writer->bytes, site->target_count);
      for (uint32_t j = 0; j < site->target_count; j++)
	{
	  write_signed (writer, site->targets[j].value);
	  write_signed (writer, site->targets[j].count);
	}
    }
}

static void
write_function (struct section_writer *writer,
		const struct gcov_function *function, uint32_t before)
{
  bool is_told = (function->name && *function->name
		  && gcov_ident_public (function->name) == function->ident);
  uint64_t place = place_of (writer);
  byte_writer_uleb128 (writer->bytes, function->position - before);
  byte_writer_u8 (writer->bytes, is_told ? 0 : GCOV_SECTION_HAS_IDENT);
  size_t name = write_string (writer, function->name);
  gcov_section_index_add_function (&writer->index, name, function->ident,
				   place);
  write_string (writer, function->file);
  if (!is_told)
    byte_writer_u32 (writer->bytes, function->ident);
  byte_writer_u32 (writer->bytes, function->lineno_checksum);
  byte_writer_u32 (writer->bytes, function->cfg_checksum);
  uint32_t kinds = 0;
  for (uint32_t i = 0; i < function->vector_count; i++)
    kinds |= UINT32_C (1) << function->vectors[i].kind;
  byte_writer_uleb128 (writer->bytes, kinds);
  for (uint32_t i = 0; i < function->vector_count; i++)
    if (gcov_kind_has_sites (function->vectors[i].kind))
      write_sites (writer, &function->vectors[i]);
    else
      write_counters (writer, &function->vectors[i]);
}

static void
write_unit (struct section_writer *writer, const struct gcov_unit *unit)
{
  gcov_section_index_add_unit (&writer->index, unit, place_of (writer));
  write_string (writer, unit->path);
  byte_writer_u8 (writer->bytes,
		  (unit->is_big_endian ? GCOV_SECTION_BIG_ENDIAN : 0)
		    | (unit->has_summary ? GCOV_SECTION_HAS_SUMMARY : 0));
  byte_writer_u32 (writer->bytes, unit->version);
  byte_writer_u32 (writer->bytes, unit->stamp);
  byte_writer_u32 (writer->bytes, unit->checksum);
  if (unit->has_summary)
    {
      byte_writer_uleb128 (writer->bytes, unit->runs);
      byte_writer_uleb128 (writer->bytes, unit->sum_max);
    }
  byte_writer_uleb128 (writer->bytes, unit->position_count);
  byte_writer_uleb128 (writer->bytes, unit->function_count);
  uint32_t before = 0;
  for (uint32_t i = 0; i < unit->function_count; i++)
    {
      write_function (writer, &unit->functions[i], before);
      before = unit->functions[i].position;
    }
}

bool
gcov_section_write (struct byte_writer *bytes,
		    const struct gcov_profile *profile)
{
  struct section_writer writer = { .bytes = bytes, .base = bytes->size };
  const struct gcov_unit **order = gcov_profile_order (profile);
  bool done = order && make_strings (&writer, profile);
  if (done)
    {
      write_strings (&writer);
      byte_writer_uleb128 (bytes, profile->unit_count);
      for (size_t i = 0; i < profile->unit_count; i++)
	write_unit (&writer, order[i]);
      done
	= gcov_section_index_write (&writer.index, bytes, place_of (&writer));
    }
  gcov_section_index_free (&writer.index);
  free (order);
  free (writer.strings);
  return done && !bytes->failed;
}

/* ---- Limits of readers.  */

/* Least size of a function: its numbers, strings, checksums, kinds.  */
#define LEAST_FUNCTION_BYTES 13

/* Data that takes no room of its own in a section.  */
struct unbacked
{
  uint64_t least_bytes; /* of the section */
  uint64_t counters;	/* a run of zeros takes a few bytes */
  uint64_t positions;
  uint64_t text; /* bytes of strings, counted for each use */
};

static size_t
text_bytes (const char *text)
{
  return text ? strlen (text) : 0;
}

static struct unbacked
count_unbacked (const struct gcov_profile *profile)
{
  struct unbacked sum = { 0 };
  for (size_t i = 0; i < profile->unit_count; i++)
    {
      const struct gcov_unit *unit = profile->units[i];
      sum.positions += unit->position_count;
      sum.text += text_bytes (unit->path);
      sum.least_bytes
	+= (LEAST_FUNCTION_BYTES * (uint64_t) unit->function_count);
      for (uint32_t j = 0; j < unit->function_count; j++)
	{
	  const struct gcov_function *function = &unit->functions[j];
	  sum.text
	    += (text_bytes (function->name) + text_bytes (function->file));
	  for (uint32_t k = 0; k < function->vector_count; k++)
	    if (!gcov_kind_has_sites (function->vectors[k].kind))
	      sum.counters += function->vectors[k].count;
	}
    }
  return sum;
}

/* Return false and set *ERR if a section of SIZE bytes may not hold SUM.  */
static bool
check_size (const struct unbacked *sum, uint64_t size,
	    struct profile_error *err)
{
  const struct
  {
    uint64_t number;
    uint64_t most;
    const char *what;
  } limits[] = { { sum->counters, GCOV_DATA_MOST_COUNTERS (size), "counters" },
		 { sum->positions, GCOV_DATA_MOST_COUNTERS (size),
		   "function positions" },
		 { sum->text, GCOV_SECTION_MOST_TEXT (size), "name bytes" } };
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
    if (limits[i].number > limits[i].most)
      return profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
				"%" PRIu64 " GCC %s in a section of %" PRIu64
				" bytes (expected at most %" PRIu64 ")",
				limits[i].number, limits[i].what, size,
				limits[i].most);
  return true;
}

/* Build the section, just to find its size, only if the size matters.  */
bool
gcov_section_check (const struct gcov_profile *profile,
		    struct profile_error *err)
{
  struct unbacked sum = count_unbacked (profile);
  if (check_size (&sum, sum.least_bytes, err))
    return true;
  struct byte_writer trial = { 0 };
  bool done = (gcov_section_write (&trial, profile)
		 ? check_size (&sum, trial.size, err)
		 : profile_error_set_memory (err, NULL));
  byte_writer_free (&trial);
  return done;
}
