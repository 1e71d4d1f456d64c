/* Writing GCC's data files (.gcda).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-data.h"
#include "gcov-format.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct data_writer
{
  struct byte_writer *bytes;
  const struct gcov_unit *unit;
  bool has_words; /* lengths are in words */
};

static void
write_u32 (struct data_writer *writer, uint32_t value)
{
  byte_writer_u32 (writer->bytes, writer->unit->is_big_endian
				    ? __builtin_bswap32 (value)
				    : value);
}

static void
write_counter (struct data_writer *writer, int64_t value)
{
  write_u32 (writer, (uint64_t) value);
  write_u32 (writer, (uint64_t) value >> 32);
}

/* Write the head of a record of SIZE bytes.  All sizes are multiples of a word,
   and those of vectors were checked.  */
static void
write_head (struct data_writer *writer, uint32_t tag, int64_t size)
{
  write_u32 (writer, tag);
  write_u32 (writer, writer->has_words ? size / 4 : size);
}

static int
compare_targets (const void *element1, const void *element2)
{
  const struct gcov_target *a = element1;
  const struct gcov_target *b = element2;
  if (a->count != b->count)
    return a->count > b->count ? -1 : 1;
  return (a->value > b->value) - (a->value < b->value);
}

static uint32_t
count_targets (const struct gcov_site *site)
{
  if (site->target_count > GCOV_DATA_MOST_TARGETS)
    return GCOV_DATA_MOST_TARGETS;
  return site->target_count;
}

/* Write the total of SITE, which is negative once a value was dropped, and its
   values.  Return false if memory is exhausted.  */
static bool
write_site (struct data_writer *writer, const struct gcov_site *site)
{
  uint32_t count = count_targets (site);
  int64_t total = site->total;
  const struct gcov_target *targets = site->targets;
  struct gcov_target *sorted = NULL;
  if (count < site->target_count)
    {
      size_t size = site->target_count * sizeof *sorted;
      sorted = malloc (size);
      if (!sorted)
	return false;
      memcpy (sorted, targets, size);
      qsort (sorted, site->target_count, sizeof *sorted, compare_targets);
      targets = sorted;
      total = total > 0 ? -total : total;
    }
  write_counter (writer, total);
  write_counter (writer, count);
  for (uint32_t i = 0; i < count; i++)
    {
      write_counter (writer, targets[i].value);
      write_counter (writer, targets[i].count);
    }
  free (sorted);
  return true;
}

/* Return the size of VECTOR in bytes.  */
static int64_t
vector_size (const struct gcov_vector *vector)
{
  if (!gcov_kind_has_sites (vector->kind))
    return INT64_C (8) * vector->count;
  int64_t size = 0;
  for (uint32_t i = 0; i < vector->count; i++)
    size += 16 + INT64_C (16) * count_targets (&vector->sites[i]);
  return size;
}

/* Check that the length of VECTOR's record fits in 31 bits; the sign means that
   counters are omitted.  */
static bool
check_size (const struct data_writer *writer, const struct gcov_vector *vector,
	    const struct gcov_function *function, struct profile_error *err)
{
  int64_t size = vector_size (vector);
  if ((writer->has_words ? size / 4 : size) <= INT32_MAX)
    return true;
  return profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
			    "counters of kind %d of function %" PRIu32
			    " (ident %" PRIu32 ") take %" PRIi64
			    " bytes, too many for a record",
			    vector->kind, function->position, function->ident,
			    size);
}

static bool
write_vector (struct data_writer *writer, const struct gcov_vector *vector)
{
  uint32_t tag = GCOV_FORMAT_COUNTERS
		 + ((uint32_t) vector->kind << GCOV_FORMAT_KIND_SHIFT);
  bool is_left_out = !vector->counters && !gcov_kind_has_sites (vector->kind);
  bool done = true;
  write_head (writer, tag, vector_size (vector) * (is_left_out ? -1 : 1));
  for (uint32_t i = 0; vector->counters && i < vector->count; i++)
    write_counter (writer, vector->counters[i]);
  for (uint32_t i = 0; vector->sites && done && i < vector->count; i++)
    done = write_site (writer, &vector->sites[i]);
  return done;
}

static bool
write_function (struct data_writer *writer,
		const struct gcov_function *function, struct profile_error *err)
{
  write_head (writer, GCOV_FORMAT_FUNCTION, 12);
  write_u32 (writer, function->ident);
  write_u32 (writer, function->lineno_checksum);
  write_u32 (writer, function->cfg_checksum);
  for (uint32_t i = 0; i < function->vector_count; i++)
    {
      const struct gcov_vector *vector = &function->vectors[i];
      if (!check_size (writer, vector, function, err))
	return false;
      if (!write_vector (writer, vector))
	return profile_error_set_memory (err, NULL);
    }
  return true;
}

/* Write all positions.  No two functions may have the same position.  */
static bool
write_functions (struct data_writer *writer, struct profile_error *err)
{
  const struct gcov_unit *unit = writer->unit;
  uint32_t next = 0;
  for (uint32_t i = 0; i < unit->function_count; i++)
    {
      const struct gcov_function *function = &unit->functions[i];
      if (function->position < next)
	return profile_error_set (
	  err, NULL, PROFILE_ERROR_NO_OFFSET,
	  "function %" PRIu32 " (ident %" PRIu32
	  ") has two versions from different builds: one "
	  "data file cannot hold both",
	  function->position, function->ident);
      for (; next < function->position; next++)
	write_head (writer, GCOV_FORMAT_FUNCTION, 0);
      if (!write_function (writer, function, err))
	return false;
      next++;
    }
  for (; next < unit->position_count; next++)
    write_head (writer, GCOV_FORMAT_FUNCTION, 0);
  return true;
}

bool
gcov_data_check (const struct gcov_unit *unit, uint64_t size,
		 struct profile_error *err)
{
  /* Zeros may take no room.  */
  uint64_t counters = 0;
  for (uint32_t i = 0; i < unit->function_count; i++)
    for (uint32_t k = 0; k < unit->functions[i].vector_count; k++)
      counters += unit->functions[i].vectors[k].count;
  return (counters <= GCOV_DATA_MOST_COUNTERS (size)
	  || profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
				"too many counters: %" PRIu64
				" in a data file of %" PRIu64
				" bytes (expected at most %" PRIu64 ")",
				counters, size,
				GCOV_DATA_MOST_COUNTERS (size)));
}

bool
gcov_data_serialize (struct byte_writer *bytes, const struct gcov_unit *unit,
		     struct profile_error *err)
{
  struct data_writer writer = { bytes, unit, false };
  writer.has_words = gcov_format_has_words (gcov_format_major (unit->version));
  write_u32 (&writer, GCOV_FORMAT_DATA_MAGIC);
  write_u32 (&writer, unit->version);
  write_u32 (&writer, unit->stamp);
  if (!writer.has_words)
    write_u32 (&writer, unit->checksum);
  if (unit->has_summary)
    {
      write_head (&writer, GCOV_FORMAT_SUMMARY, 8);
      write_u32 (&writer, unit->runs);
      write_u32 (&writer, unit->sum_max);
    }
  if (!write_functions (&writer, err))
    return false;
  write_u32 (&writer, GCOV_FORMAT_END);
  return !bytes->failed || profile_error_set_memory (err, NULL);
}
