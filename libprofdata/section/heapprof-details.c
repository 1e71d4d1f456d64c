/* The heapprof section: details besides calling contexts.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof-details.h"
#include "heap-types.h"
#include <inttypes.h>
#include <stdlib.h>

bool
heapprof_details_are_there (const struct heap_profile *profile)
{
  const struct heap_details *details = heap_profile_read_details (profile);
  return (heap_details_histogram_count (details)
	  || heap_details_call_site_count (details)
	  || heap_details_data_access_count (details)
	  || heap_details_type_count (details));
}

/* ---- Writing.  */

/* A record and its sort key.  */
struct place
{
  uint64_t key1;
  uint64_t key2;
  uint32_t number;
};

static int
compare_places (const void *element1, const void *element2)
{
  const struct place *place1 = element1;
  const struct place *place2 = element2;
  if (place1->key1 != place2->key1)
    return place1->key1 < place2->key1 ? -1 : 1;
  return (place1->key2 > place2->key2) - (place1->key2 < place2->key2);
}

/* Allocate the places of COUNT records; WRITER fails if memory is
   exhausted.  */
static struct place *
allocate_places (struct byte_writer *writer, uint32_t count)
{
  struct place *places = calloc ((size_t) count + 1, sizeof *places);
  writer->failed |= !places;
  return places;
}

static void
write_histograms (struct byte_writer *writer,
		  const struct heap_details *details,
		  const struct canonical_order *order)
{
  uint32_t count = heap_details_histogram_count (details);
  struct place *places = allocate_places (writer, count);
  if (!places)
    return;
  for (uint32_t i = 0; i < count; i++)
    places[i] = (struct place){
      order->contexts.places[heap_details_histogram_at (details, i)->context],
      0, i
    };
  qsort (places, count, sizeof *places, compare_places);
  byte_writer_uleb128 (writer, count);
  for (uint32_t i = 0; i < count; i++)
    {
      const struct heap_histogram *histogram
	= heap_details_histogram_at (details, places[i].number);
      byte_writer_uleb128 (writer, places[i].key1);
      byte_writer_uleb128 (writer, histogram->count);
      for (uint32_t j = 0; j < histogram->count; j++)
	byte_writer_uleb128 (writer, histogram->counts[j]);
    }
  free (places);
}

static void
write_call_sites (struct byte_writer *writer,
		  const struct heap_details *details,
		  const struct canonical_order *order)
{
  uint32_t count = heap_details_call_site_count (details);
  struct place *places = allocate_places (writer, count);
  if (!places)
    return;
  for (uint32_t i = 0; i < count; i++)
    {
      const struct heap_call_site *site
	= heap_details_call_site_at (details, i);
      places[i] = (struct place){ order->contexts.places[site->context],
				  site->function_guid, i };
    }
  qsort (places, count, sizeof *places, compare_places);
  byte_writer_uleb128 (writer, count);
  for (uint32_t i = 0; i < count; i++)
    {
      const struct heap_call_site *site
	= heap_details_call_site_at (details, places[i].number);
      byte_writer_uleb128 (writer, places[i].key1);
      byte_writer_u64 (writer, site->function_guid);
      byte_writer_uleb128 (writer, site->callee_count);
      for (uint32_t j = 0; j < site->callee_count; j++)
	byte_writer_u64 (writer, site->callees[j]);
    }
  free (places);
}

static void
write_locations (struct byte_writer *writer,
		 const struct heap_data_access *access,
		 const struct canonical_order *order)
{
  struct place *places = allocate_places (writer, access->location_count);
  if (!places)
    return;
  for (uint32_t i = 0; i < access->location_count; i++)
    places[i]
      = (struct place){ order->strings.places[access->locations[i].file],
			access->locations[i].line, i };
  qsort (places, access->location_count, sizeof *places, compare_places);
  byte_writer_uleb128 (writer, access->location_count);
  for (uint32_t i = 0; i < access->location_count; i++)
    {
      byte_writer_uleb128 (writer, places[i].key1);
      byte_writer_uleb128 (writer, places[i].key2);
    }
  free (places);
}

static void
write_data_accesses (struct byte_writer *writer,
		     const struct heap_details *details,
		     const struct canonical_order *order)
{
  uint32_t count = heap_details_data_access_count (details);
  struct place *places = allocate_places (writer, count);
  if (!places)
    return;
  for (uint32_t i = 0; i < count; i++)
    {
      const struct heap_data_access *access
	= heap_details_data_access_at (details, i);
      places[i] = (struct place){ order->strings.places[access->symbol],
				  access->hash, i };
    }
  qsort (places, count, sizeof *places, compare_places);
  byte_writer_uleb128 (writer, count);
  for (uint32_t i = 0; i < count; i++)
    {
      const struct heap_data_access *access
	= heap_details_data_access_at (details, places[i].number);
      byte_writer_uleb128 (writer, places[i].key1);
      if (places[i].key1 == 0)
	byte_writer_u64 (writer, access->hash);
      byte_writer_u8 (writer,
		      (access->is_sampled ? HEAPPROF_DETAILS_SAMPLED : 0)
			| (access->is_cold ? HEAPPROF_DETAILS_COLD : 0));
      byte_writer_uleb128 (writer, access->access_count);
      write_locations (writer, access, order);
    }
  free (places);
}

static void
write_type (struct byte_writer *writer, const struct heap_type *type,
	    const struct canonical_order *order)
{
  const uint32_t *strings = order->strings.places;
  byte_writer_u64 (writer, type->number);
  byte_writer_uleb128 (writer, strings[type->name]);
  byte_writer_uleb128 (writer, type->kind);
  byte_writer_uleb128 (writer, type->size);
  byte_writer_uleb128 (writer, type->alignment);
  byte_writer_uleb128 (writer, type->start);
  byte_writer_uleb128 (writer, type->member_count);
  for (uint32_t i = 0; i < type->member_count; i++)
    {
      const struct heap_member *member = &type->members[i];
      byte_writer_uleb128 (writer, member->offset);
      byte_writer_uleb128 (writer, member->size);
      byte_writer_uleb128 (writer, member->alignment);
      byte_writer_uleb128 (writer, member->kind);
      byte_writer_uleb128 (writer, strings[member->name]);
      byte_writer_uleb128 (writer, strings[member->type_name]);
    }
}

static void
write_types (struct byte_writer *writer, const struct heap_details *details,
	     const struct canonical_order *order)
{
  uint32_t count = heap_details_type_count (details);
  struct place *places = allocate_places (writer, count);
  if (!places)
    return;
  for (uint32_t i = 0; i < count; i++)
    places[i]
      = (struct place){ heap_details_type_at (details, i)->number, 0, i };
  qsort (places, count, sizeof *places, compare_places);
  byte_writer_uleb128 (writer, count);
  for (uint32_t i = 0; i < count; i++)
    write_type (writer, heap_details_type_at (details, places[i].number),
		order);
  free (places);
}

void
heapprof_details_write (struct byte_writer *writer,
			const struct heap_profile *profile,
			const struct canonical_order *order)
{
  const struct heap_details *details = heap_profile_read_details (profile);
  write_histograms (writer, details, order);
  write_call_sites (writer, details, order);
  write_data_accesses (writer, details, order);
  write_types (writer, details, order);
}

/* ---- Reading.  */

/* Read an index into MAP, which has COUNT elements.  Return the element.  */
static uint32_t
read_mapped (struct byte_reader *reader, const uint32_t *map, uint32_t count,
	     const char *what)
{
  size_t start = reader->position;
  uint64_t number = byte_reader_uleb128 (reader, what);
  if (!reader->failed && number >= count)
    byte_reader_fail (reader, start,
		      "%s: invalid index %" PRIu64
		      " (expected less than %" PRIu32 ")",
		      what, number, count);
  return reader->failed ? 0 : map[number];
}

uint32_t
heapprof_details_read_string (struct byte_reader *reader,
			      const struct heapprof_details_maps *maps,
			      const char *what)
{
  return read_mapped (reader, maps->strings, maps->string_count, what);
}

/* Read a number of WHAT, each of at least LEAST_BYTES, and allocate records of
   RECORD_BYTES for them.  NULL if READER failed.  */
static void *
read_count (struct byte_reader *reader, size_t least_bytes, size_t record_bytes,
	    uint32_t *count, const char *what)
{
  size_t start = reader->position;
  uint64_t n = byte_reader_uleb128 (reader, what);
  byte_reader_need (reader, n, least_bytes, what);
  if (!reader->failed && n > UINT32_MAX - 1)
    byte_reader_fail (reader, start, "%s: count %" PRIu64 " exceeds 32 bits",
		      what, n);
  if (reader->failed)
    return NULL;
  *count = n;
  void *records = malloc ((n + 1) * record_bytes);
  if (!records)
    byte_reader_fail_memory (reader);
  return records;
}

static void
read_histogram (struct byte_reader *reader, struct heap_details *details,
		const struct heapprof_details_maps *maps)
{
  static const char what[] = "a histogram";
  uint32_t context
    = read_mapped (reader, maps->contexts, maps->context_count, what);
  uint32_t count = 0;
  uint64_t *counts = read_count (reader, 1, sizeof *counts, &count, what);
  for (uint32_t i = 0; counts && i < count; i++)
    counts[i] = byte_reader_uleb128 (reader, what);
  if (counts && !reader->failed
      && !heap_details_add_histogram (details, context, counts, count))
    byte_reader_fail_memory (reader);
  free (counts);
}

static void
read_call_site (struct byte_reader *reader, struct heap_details *details,
		const struct heapprof_details_maps *maps)
{
  static const char what[] = "a call site";
  struct heap_call_site site = { 0 };
  site.context
    = read_mapped (reader, maps->contexts, maps->context_count, what);
  site.function_guid = byte_reader_u64 (reader, what);
  site.callees
    = read_count (reader, 8, sizeof *site.callees, &site.callee_count, what);
  for (uint32_t i = 0; site.callees && i < site.callee_count; i++)
    site.callees[i] = byte_reader_u64 (reader, what);
  if (site.callees && !reader->failed
      && !heap_details_add_call_site (details, &site))
    byte_reader_fail_memory (reader);
  free (site.callees);
}

static void
read_data_access (struct byte_reader *reader, struct heap_details *details,
		  const struct heapprof_details_maps *maps)
{
  static const char what[] = "static data";
  struct heap_data_access access
    = { .symbol = heapprof_details_read_string (reader, maps, what) };
  if (access.symbol == 0)
    access.hash = byte_reader_u64 (reader, what);
  size_t start = reader->position;
  uint8_t flags = byte_reader_u8 (reader, what);
  if (flags & ~(HEAPPROF_DETAILS_SAMPLED | HEAPPROF_DETAILS_COLD))
    byte_reader_fail (reader, start, "static data with unknown flags 0x%02x",
		      flags);
  access.is_sampled = flags & HEAPPROF_DETAILS_SAMPLED;
  access.is_cold = flags & HEAPPROF_DETAILS_COLD;
  access.access_count = byte_reader_uleb128 (reader, what);
  access.locations = read_count (reader, 2, sizeof *access.locations,
				 &access.location_count, what);
  for (uint32_t i = 0; access.locations && i < access.location_count; i++)
    {
      access.locations[i].file
	= heapprof_details_read_string (reader, maps, what);
      access.locations[i].line = byte_reader_uleb128_u32 (reader, what);
    }
  if (access.locations && !reader->failed
      && !heap_details_add_data_access (details, &access))
    byte_reader_fail_memory (reader);
  free (access.locations);
}

/* Read the kind of WHAT, a number less than END.  */
static uint32_t
read_kind (struct byte_reader *reader, uint32_t end, const char *what)
{
  size_t start = reader->position;
  uint32_t kind = byte_reader_uleb128_u32 (reader, what);
  if (!reader->failed && kind >= end)
    byte_reader_fail (reader, start, "%s: unknown kind %" PRIu32, what, kind);
  return kind;
}

static void
read_member (struct byte_reader *reader, const struct heap_type *type,
	     struct heap_member *member,
	     const struct heapprof_details_maps *maps)
{
  static const char what[] = "a member of a type";
  size_t start = reader->position;
  member->offset = byte_reader_uleb128_u32 (reader, what);
  member->size = byte_reader_uleb128_u32 (reader, what);
  member->alignment = byte_reader_uleb128_u32 (reader, what);
  if (!reader->failed
      && ((uint64_t) member->offset + member->size > type->size
	  || member->alignment == 0 || member->alignment > type->size))
    byte_reader_fail (reader, start, "member does not fit in its type");
  member->kind = read_kind (reader, HEAP_MEMBER_MADE + 1, what);
  member->name = heapprof_details_read_string (reader, maps, what);
  member->type_name = heapprof_details_read_string (reader, maps, what);
}

static void
read_type (struct byte_reader *reader, struct heap_details *details,
	   const struct heapprof_details_maps *maps)
{
  static const char what[] = "a type";
  size_t start = reader->position;
  struct heap_type type = { .number = byte_reader_u64 (reader, what) };
  type.name = heapprof_details_read_string (reader, maps, what);
  type.kind = read_kind (reader, HEAP_TYPE_UNION + 1, what);
  type.size = byte_reader_uleb128 (reader, what);
  type.alignment = byte_reader_uleb128_u32 (reader, what);
  type.start = byte_reader_uleb128 (reader, what);
  if (!reader->failed && (type.number == 0 || type.size == 0))
    byte_reader_fail (reader, start, "type without number or size");
  type.members
    = read_count (reader, 6, sizeof *type.members, &type.member_count, what);
  for (uint32_t i = 0; type.members && !reader->failed && i < type.member_count;
       i++)
    read_member (reader, &type, &type.members[i], maps);
  if (type.members && !reader->failed
      && !heap_details_add_type (details, &type))
    byte_reader_fail_memory (reader);
  free (type.members);
}

typedef void detail_reader (struct byte_reader *reader,
			    struct heap_details *details,
			    const struct heapprof_details_maps *maps);

static void
read_list (struct byte_reader *reader, struct heap_profile *profile,
	   const struct heapprof_details_maps *maps, detail_reader *read)
{
  uint64_t count = byte_reader_uleb128 (reader, "the details");
  byte_reader_need (reader, count, 2, "the details");
  for (uint64_t i = 0; i < count && !reader->failed; i++)
    read (reader, heap_profile_details (profile), maps);
}

void
heapprof_details_read (struct byte_reader *reader, struct heap_profile *profile,
		       const struct heapprof_details_maps *maps)
{
  read_list (reader, profile, maps, read_histogram);
  read_list (reader, profile, maps, read_call_site);
  read_list (reader, profile, maps, read_data_access);
  read_list (reader, profile, maps, read_type);
}
