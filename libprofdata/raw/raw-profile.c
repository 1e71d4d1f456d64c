/* Raw profiles: opening and queries.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "raw-profile-begin.h"
#include "background.h"
#include "raw-content.h"
#include "heapprof/raw-mib.h"
#include "raw-mib-info.h"
#include "raw-tables.h"
#include <stdlib.h>
#include <string.h>

/* Below this size, starting a thread costs more than it saves.  */
#define LEAST_BYTES_IN_BACKGROUND (256u << 10)

/* A segment, sorted by address.  */
struct place
{
  uint64_t start;
  uint64_t greatest_end; /* of this place and those before it */
  uint32_t segment;
};

struct raw_profile
{
  struct raw_tables tables;
  struct place *places; /* sorted by start, then by segment */
  uint32_t in_flight;
  struct byte_reader reader; /* positioned at the start of the rest */
  struct background rest;
  struct profile_error rest_error;
  bool has_begun_rest;
  bool is_whole;
};

bool
raw_profile_has_magic (const void *data, size_t n)
{
  return (n >= HEAPPROF_RAW_MAGIC_BYTES
	  && memcmp (data, HEAPPROF_RAW_MAGIC, HEAPPROF_RAW_MAGIC_BYTES) == 0);
}

static int
compare_places (const void *element1, const void *element2)
{
  const struct place *place1 = element1;
  const struct place *place2 = element2;
  if (place1->start != place2->start)
    return place1->start < place2->start ? -1 : 1;
  return place1->segment < place2->segment ? -1 : 1;
}

static bool
index_segments (struct raw_profile *profile)
{
  const struct raw_tables *tables = &profile->tables;
  profile->places = calloc (tables->segment_count + 1, sizeof *profile->places);
  if (!profile->places)
    return false;
  for (uint32_t i = 0; i < tables->segment_count; i++)
    profile->places[i]
      = (struct place){ .start = tables->segments[i].start, .segment = i };
  qsort (profile->places, tables->segment_count, sizeof *profile->places,
	 compare_places);
  uint64_t greatest_end = 0;
  for (uint32_t i = 0; i < tables->segment_count; i++)
    {
      struct place *place = &profile->places[i];
      uint64_t end = tables->segments[place->segment].end;
      greatest_end = end > greatest_end ? end : greatest_end;
      place->greatest_end = greatest_end;
    }
  return true;
}

/* A packed file has no MIBs in flight.  */
static void
count_in_flight (struct raw_profile *profile)
{
  if (profile->tables.is_packed)
    return;
  for (uint64_t i = 1; i < profile->tables.mib_count; i++)
    profile->in_flight
      += (profile->tables.mibs[i].state & HEAPPROF_RAW_CHANGING) != 0;
}

/* Read what raw_tables_decode_start left, and check everything.  */
static void
read_rest (void *data)
{
  struct raw_profile *profile = data;
  profile->is_whole
    = (raw_tables_decode_rest (&profile->tables, &profile->reader)
       && raw_tables_check (&profile->tables, &profile->reader)
       && raw_times_convert (&profile->tables, &profile->reader)
       && raw_threads_convert (&profile->tables, &profile->reader));
  if (profile->is_whole)
    count_in_flight (profile);
}

/* Read what is accessible before the rest; everything, if no part of the file
   can be read later.  */
static bool
read_start (struct raw_profile *profile)
{
  struct byte_reader *reader = &profile->reader;
  if (!raw_tables_decode_start (&profile->tables, reader))
    return false;
  if (!profile->tables.is_packed)
    read_rest (profile);
  if (profile->tables.is_packed
	? !raw_tables_check_segments (&profile->tables, reader)
	: !profile->is_whole)
    return false;
  return index_segments (profile) || byte_reader_fail_memory (reader);
}

/* raw_profile_begin.  The rest is read on demand unless it is larger than
   LEAST_BYTES.  */
static struct raw_profile *
begin (const char *path, const void *data, size_t size, size_t least_bytes,
       bool may_be_brief, struct profile_error *err)
{
  struct raw_profile *profile = calloc (1, sizeof *profile);
  if (!profile)
    {
      profile_error_set_memory (err, path);
      return NULL;
    }
  byte_reader_init (&profile->reader, path, data, size, err);
  if (!read_start (profile))
    {
      raw_profile_close (profile);
      return NULL;
    }
  if (!profile->tables.is_packed)
    return profile;
  profile->tables.may_be_brief = may_be_brief;
  profile->reader.err = &profile->rest_error;
  profile->has_begun_rest = true;
  background_begin (&profile->rest, read_rest, profile,
		    byte_reader_left (&profile->reader) > least_bytes);
  return profile;
}

struct raw_profile *
raw_profile_begin (const char *path, const void *data, size_t size,
		   bool may_be_brief, struct profile_error *err)
{
  return begin (path, data, size, LEAST_BYTES_IN_BACKGROUND, may_be_brief, err);
}

bool
raw_profile_finish (struct raw_profile *profile, struct profile_error *err)
{
  if (!profile->has_begun_rest)
    return true;
  if (profile->rest.has_thread)
    raw_progress_provide (&profile->tables.progress);
  background_end (&profile->rest);
  profile->has_begun_rest = false;
  if (!profile->is_whole)
    *err = profile->rest_error;
  return profile->is_whole;
}

struct raw_profile *
raw_profile_parse (const char *path, const void *data, size_t size,
		   struct profile_error *err)
{
  struct raw_profile *profile = begin (path, data, size, SIZE_MAX, false, err);
  if (!profile || raw_profile_finish (profile, err))
    return profile;
  raw_profile_close (profile);
  return NULL;
}

struct raw_profile *
raw_profile_open (const char *path, struct profile_error *err)
{
  void *data;
  size_t size;
  if (!raw_content_read (path, &data, &size, err))
    return NULL;
  struct raw_profile *profile = raw_profile_parse (path, data, size, err);
  free (data);
  return profile;
}

void
raw_profile_close (struct raw_profile *profile)
{
  if (!profile)
    return;
  if (profile->has_begun_rest)
    background_end (&profile->rest);
  raw_tables_free (&profile->tables);
  free (profile->places);
  free (profile);
}

const struct heapprof_raw_header *
raw_profile_header (const struct raw_profile *profile)
{
  return &profile->tables.header;
}

const char *
raw_profile_program_name (const struct raw_profile *profile)
{
  return profile->tables.strings + profile->tables.header.program_name;
}

uint32_t
raw_profile_in_flight_count (const struct raw_profile *profile)
{
  return profile->in_flight;
}

uint32_t
raw_profile_context_count (const struct raw_profile *profile)
{
  return profile->tables.context_count;
}

const struct heapprof_raw_context *
raw_profile_context (const struct raw_profile *profile, uint32_t index)
{
  return &profile->tables.contexts[index];
}

uint32_t
raw_profile_segment_count (const struct raw_profile *profile)
{
  return profile->tables.segment_count;
}

const struct heapprof_raw_segment *
raw_profile_segment (const struct raw_profile *profile, uint32_t index)
{
  return &profile->tables.segments[index];
}

const char *
raw_profile_segment_path (const struct raw_profile *profile, uint32_t index)
{
  return profile->tables.strings + profile->tables.segments[index].path;
}

bool
raw_profile_interpreted (const struct raw_profile *profile, uint32_t context,
			 struct raw_interpreted *frame)
{
  const struct raw_tables *tables = &profile->tables;
  uint64_t number
    = tables->contexts[context].return_address - HEAPPROF_RAW_INTERPRETED_FIRST;
  if (number >= tables->interpreted_count)
    return false;
  const struct heapprof_raw_interpreted *record = &tables->interpreted[number];
  *frame
    = (struct raw_interpreted){ .function = tables->strings + record->function,
				.file = tables->strings + record->file,
				.line = record->line,
				.first_line = record->first_line };
  return true;
}

/* Return true if ADDRESS, in context number CONTEXT, belongs to SEGMENT.  */
static bool
segment_has (const struct heapprof_raw_segment *segment, uint64_t address,
	     uint32_t context)
{
  return (address >= segment->start && address < segment->end
	  && context >= segment->first_context
	  && (segment->end_context == 0 || context < segment->end_context));
}

/* Return the number of places that start at or before ADDRESS.  */
static uint64_t
places_up_to (const struct raw_profile *profile, uint64_t address)
{
  uint64_t low = 0;
  uint64_t high = profile->tables.segment_count;
  while (low < high)
    {
      uint64_t middle = low + (high - low) / 2;
      if (profile->places[middle].start <= address)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

/* Return true if places_up_to would return N, which is not 0, for ADDRESS.  */
static bool
is_number_up_to (const struct raw_profile *profile, uint64_t n,
		 uint64_t address)
{
  return (profile->places[n - 1].start <= address
	  && (n == profile->tables.segment_count
	      || profile->places[n].start > address));
}

int64_t
raw_profile_find_segment (const struct raw_profile *profile, uint32_t context)
{
  uint64_t near = 0;
  return raw_profile_find_segment_near (profile, context, &near);
}

int64_t
raw_profile_find_segment_near (const struct raw_profile *profile,
			       uint32_t context, uint64_t *near)
{
  uint64_t return_address = profile->tables.contexts[context].return_address;
  if (return_address == 0)
    return -1;
  uint64_t address = return_address - 1;
  if (*near == 0 || !is_number_up_to (profile, *near, address))
    *near = places_up_to (profile, address);
  for (uint64_t i = *near; i > 0; i--)
    {
      const struct place *place = &profile->places[i - 1];
      if (place->greatest_end <= address)
	break;
      if (segment_has (&profile->tables.segments[place->segment], address,
		       context))
	return place->segment;
    }
  return -1;
}

/* Return the observations of MIB number INDEX; all zeros without observations,
   as minima and maxima are undefined then.  */
static struct memory_info
convert_mib (const struct raw_tables *tables, uint32_t index)
{
  struct memory_info room;
  if (tables->is_packed)
    return *info_place_read (info_table_place (&tables->infos,
					       tables->packed_mibs[index].info),
			     &room);
  const struct heapprof_raw_observations whole
    = raw_tables_observations (tables, index);
  if (whole.count == 0)
    return (struct memory_info){ 0 };
  struct memory_info info = { 0 };
  raw_mib_set_info (&info, &whole);
  if (tables->mibs[index].wide != 0)
    raw_mib_set_variances (&info,
			   &tables->wide[tables->mibs[index].wide].variances);
  if ((tables->header.more_flags & HEAPPROF_RAW_UNCOUNTED) != 0)
    memory_info_forget_accesses (&info);
  return info;
}

/* Add the counts of MIB number INDEX to *BALANCE.  */
static void
add_balance (struct raw_balance *balance, const struct raw_tables *tables,
	     uint32_t index)
{
  if (tables->is_packed)
    {
      balance->alloc_count += tables->packed_mibs[index].alloc_count;
      balance->alloc_bytes += tables->packed_mibs[index].alloc_bytes;
      balance->peak_count += tables->packed_mibs[index].peak_count;
      balance->peak_bytes += tables->packed_mibs[index].peak_bytes;
      balance->temporary_count += tables->packed_mibs[index].temporary_count;
      raw_mib_add_lifetime (balance, tables->packed_mibs[index].lifetime_bytes,
			    tables->packed_mibs[index].first_bytes);
    }
  else
    {
      balance->alloc_count += tables->mibs[index].alloc_count;
      balance->alloc_bytes += tables->mibs[index].alloc_bytes;
      uint32_t count;
      uint64_t bytes;
      raw_tables_peak (tables, index, &count, &bytes);
      balance->peak_count += count;
      balance->peak_bytes += bytes;
      if (index < tables->moment_count)
	{
	  const struct heapprof_raw_moment *moment = &tables->moments[index];
	  balance->temporary_count
	    += moment->temporary & HEAPPROF_RAW_TEMPORARY_MASK;
	  raw_mib_add_lifetime (balance, moment->lifetime_bytes,
				(uint16_t) (moment->temporary
					    >> HEAPPROF_RAW_TEMPORARY_BITS));
	}
    }
  if (tables->live_of_mib[index] == 0)
    return;
  const struct heapprof_raw_live *live
    = &tables->live[tables->live_of_mib[index] - 1];
  balance->live_count += live->count;
  balance->live_bytes += live->bytes;
}

bool
raw_profile_context_info (const struct raw_profile *profile, uint32_t context,
			  struct memory_info *info)
{
  const struct raw_tables *tables = &profile->tables;
  struct raw_balance balance = { 0 };
  uint32_t first = tables->first_mib[context];
  /* Most contexts have one MIB: nothing to add.  */
  *info = first ? convert_mib (tables, first) : (struct memory_info){ 0 };
  for (uint32_t i = first; i != 0; i = tables->next_mib[i])
    {
      if (i != first)
	{
	  struct memory_info own = convert_mib (tables, i);
	  memory_info_add (info, &own);
	}
      add_balance (&balance, tables, i);
    }
  const bool running = tables->header.state == HEAPPROF_RAW_RUNNING;
  raw_mib_set_live (info, &balance, running);
  raw_mib_set_lifetime (info, &balance, running, raw_tables_length (tables));
  return info->alloc_count != 0 || info->unfinished_count != 0;
}

bool
raw_profile_has_info (const struct raw_profile *profile, uint32_t context)
{
  struct memory_info info;
  const struct raw_tables *tables = &profile->tables;
  uint32_t first = tables->first_mib[context];
  if (first == 0)
    return false;
  /* The low bits of the count; if they are not 0, neither is the count.  */
  return ((tables->is_packed ? tables->packed_mibs[first].is_observed
			     : tables->mibs[first].count != 0)
	  || raw_profile_context_info (profile, context, &info));
}

struct info_table *
raw_profile_infos (struct raw_profile *profile)
{
  return profile->tables.is_packed ? &profile->tables.infos : NULL;
}

uint32_t
raw_profile_gather_info (struct raw_profile *profile, uint32_t context)
{
  struct raw_tables *tables = &profile->tables;
  uint32_t first = tables->first_mib[context];
  uint32_t *number = &tables->packed_mibs[first].info;
  if (tables->next_mib[first] != 0)
    {
      struct memory_info info;
      raw_profile_context_info (profile, context, &info);
      if (!info_table_set (&tables->infos, number, &info))
	return 0;
    }
  return *number;
}

bool
raw_profile_has_moments (const struct raw_profile *profile)
{
  return profile->tables.header.version >= HEAPPROF_RAW_VERSION_MOMENTS;
}

uint64_t
raw_profile_allocated_bytes (const struct raw_profile *profile)
{
  return profile->tables.allocated_bytes;
}

uint64_t
raw_profile_peak_bytes (const struct raw_profile *profile)
{
  return raw_mib_positive64 (profile->tables.peak_bytes);
}

bool
raw_profile_timeline (const struct raw_profile *profile,
		      struct raw_timeline *timeline)
{
  const struct raw_tables *tables = &profile->tables;
  *timeline = (struct raw_timeline){ .shift = tables->shift,
				     .end_ns = tables->time_ns,
				     .count = tables->sample_count,
				     .samples = tables->samples };
  return tables->has_timeline;
}

uint64_t
raw_profile_mark_count (const struct raw_profile *profile)
{
  return profile->tables.mark_count;
}

const struct raw_mark *
raw_profile_mark (const struct raw_profile *profile, uint64_t number)
{
  return &profile->tables.marks[number];
}

const struct raw_marked *
raw_profile_marked (const struct raw_profile *profile, uint64_t number)
{
  return &profile->tables.marked[number];
}

bool
raw_profile_is_peak_now (const struct raw_profile *profile)
{
  return profile->tables.is_peak_now;
}

uint64_t
raw_profile_affinity_count (const struct raw_profile *profile)
{
  return profile->tables.affinity_count;
}

const struct heapprof_raw_affinity *
raw_profile_affinity (const struct raw_profile *profile, uint64_t number)
{
  return &profile->tables.affinities[number];
}

bool
raw_profile_has_leaks (const struct raw_profile *profile)
{
  return profile->tables.has_leaks;
}

uint64_t
raw_profile_leak_count (const struct raw_profile *profile)
{
  return profile->tables.found_leaks;
}

const struct heapprof_raw_leak *
raw_profile_leak (const struct raw_profile *profile, uint64_t number)
{
  return &profile->tables.leaks[profile->tables.first_leak + number];
}

uint64_t
raw_profile_thread_count (const struct raw_profile *profile)
{
  return profile->tables.thread_count;
}

const struct raw_thread *
raw_profile_thread (const struct raw_profile *profile, uint64_t number)
{
  return &profile->tables.threads[number];
}

uint64_t
raw_profile_histogram_count (const struct raw_profile *profile)
{
  return profile->tables.histogram_count;
}

const struct heapprof_raw_histogram *
raw_profile_histogram (const struct raw_profile *profile, uint64_t number)
{
  return &profile->tables.histograms[number];
}
