/* The heapprof section: values of counters that do not fit in LLVM's part.
   SPDX-License-Identifier: GPL-3.0-or-later

     sites  number; each: u64 GUID and u64 hash of the record, its numbers of
	    counters, bitmap bytes and sites of each kind, 1 if it is hot or
	    warm else 0, then kind, site, number of values; each: its value
	    minus the previous one (the first: minus 0), and its count

   All numbers except these two are ULEB128.  Sites are in the order of the
   table of functions.  A site has the values after the first 255 in descending
   order of counts; they are stored by ascending value.  */

#include "counter-values.h"
#include "counter-tables.h"
#include "heapprof-section.h"
#include "indexed-format.h"
#include <inttypes.h>
#include <stdlib.h>

static const char what[] = "the values";

/* Return how many sites of FUNCTION have more values than LLVM's part can
   hold.  */
static uint64_t
count_sites (const struct counter_function *function)
{
  uint64_t n = 0;
  for (int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
    for (uint32_t i = 0; i < function->shape.site_counts[kind]; i++)
      n += function->sites[kind][i].count > INDEXED_SITE_VALUES;
  return n;
}

bool
heapprof_values_are_needed (const struct counter_profile *counters)
{
  uint32_t count = counter_profile_function_count (counters);
  for (uint32_t i = 0; i < count; i++)
    if (count_sites (counter_profile_function (counters, i)) > 0)
      return true;
  return false;
}

static void
write_site (struct byte_writer *writer, const struct counter_value_site *site)
{
  struct counter_value *values = counter_site_sorted (site);
  if (!values)
    {
      writer->failed = true;
      return;
    }
  struct counter_value *rest = values + INDEXED_SITE_VALUES;
  size_t n = site->count - INDEXED_SITE_VALUES;
  qsort (rest, n, sizeof *rest, counter_value_compare);
  byte_writer_uleb128 (writer, n);
  for (size_t i = 0; i < n; i++)
    {
      byte_writer_uleb128 (writer,
			   rest[i].value - (i > 0 ? rest[i - 1].value : 0));
      byte_writer_uleb128 (writer, rest[i].count);
    }
  free (values);
}

static void
write_function (struct byte_writer *writer,
		const struct counter_profile *counters,
		const struct counter_function *function)
{
  const struct counter_shape *shape = &function->shape;
  for (int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
    for (uint32_t i = 0; i < shape->site_counts[kind]; i++)
      {
	if (function->sites[kind][i].count <= INDEXED_SITE_VALUES)
	  continue;
	byte_writer_u64 (writer,
			 counter_profile_name_guid (counters, function->name));
	byte_writer_u64 (writer, function->hash);
	byte_writer_uleb128 (writer, shape->counter_count);
	byte_writer_uleb128 (writer, shape->bitmap_bytes);
	for (int k = 0; k < COUNTER_VALUE_KINDS; k++)
	  byte_writer_uleb128 (writer, shape->site_counts[k]);
	byte_writer_uleb128 (writer, shape->is_pseudo);
	byte_writer_uleb128 (writer, kind);
	byte_writer_uleb128 (writer, i);
	write_site (writer, &function->sites[kind][i]);
      }
}

void
heapprof_values_write (struct byte_writer *writer,
		       const struct counter_profile *counters)
{
  uint32_t count = counter_profile_function_count (counters);
  uint32_t *order = counter_profile_order (counters);
  if (!order)
    {
      writer->failed = true;
      return;
    }
  uint64_t sites = 0;
  for (uint32_t i = 0; i < count; i++)
    sites += count_sites (counter_profile_function (counters, i));
  byte_writer_uleb128 (writer, sites);
  for (uint32_t i = 0; i < count; i++)
    write_function (writer, counters,
		    counter_profile_function (counters, order[i]));
  free (order);
}

/* Read the record of a site; NULL if READER failed.  */
static struct counter_function *
read_function (struct byte_reader *reader, struct counter_profile *counters)
{
  size_t start = reader->position;
  struct counter_shape shape = { 0 };
  uint64_t guid = byte_reader_u64 (reader, what);
  uint64_t hash = byte_reader_u64 (reader, what);
  shape.counter_count = byte_reader_uleb128_u32 (reader, what);
  shape.bitmap_bytes = byte_reader_uleb128_u32 (reader, what);
  for (int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
    shape.site_counts[kind] = byte_reader_uleb128_u32 (reader, what);
  shape.is_pseudo = byte_reader_uleb128 (reader, what) != 0;
  if (reader->failed)
    return NULL;
  uint32_t name = counter_profile_find_guid (counters, guid);
  struct counter_function *function = NULL;
  if (name != UINT32_MAX)
    function = counter_profile_find_function (counters, name, hash, &shape);
  if (!function)
    byte_reader_fail (reader, start,
		      "values of function 0x%" PRIx64 ", which has no counters",
		      guid);
  return function;
}

/* Read the values of a site and add them.  */
static void
read_site (struct byte_reader *reader, struct counter_profile *counters)
{
  struct counter_function *function = read_function (reader, counters);
  size_t start = reader->position;
  uint64_t kind = byte_reader_uleb128 (reader, what);
  uint64_t site = byte_reader_uleb128 (reader, what);
  uint64_t n = byte_reader_uleb128 (reader, what);
  if (!reader->failed
      && (kind >= COUNTER_VALUE_KINDS
	  || site >= function->shape.site_counts[kind]))
    byte_reader_fail (reader, start,
		      "values of unknown site %" PRIu64 " of kind %" PRIu64,
		      site, kind);
  if (!byte_reader_need (reader, n, 2, what))
    return;
  struct counter_value *values = calloc (n + 1, sizeof *values);
  if (!values)
    {
      byte_reader_fail_memory (reader);
      return;
    }
  uint64_t value = 0;
  for (uint64_t i = 0; i < n; i++)
    {
      value += byte_reader_uleb128 (reader, what);
      values[i].value = value;
      values[i].count = byte_reader_uleb128 (reader, what);
    }
  if (!reader->failed
      && !counter_profile_insert_values (counters, function, kind, site, values,
					 n))
    byte_reader_fail_memory (reader);
  free (values);
}

void
heapprof_values_read (struct byte_reader *reader,
		      struct counter_profile *counters)
{
  uint64_t sites = byte_reader_uleb128 (reader, what);
  for (uint64_t i = 0; i < sites && !reader->failed; i++)
    read_site (reader, counters);
}
