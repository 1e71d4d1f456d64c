/* Raw profiles: unpacking MIBs.
   SPDX-License-Identifier: GPL-3.0-or-later

   Their number is only known after the last one, so the arrays grow.
   Observations are converted to MIBs of the model at once, so that the model
   can take all of them over.  */

#include "large-memory.h"
#include "raw-mib-info.h"
#include "raw-unpack.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Read observations into *INFO, which is zero.  */
static bool
read_observations (struct memory_info *info,
		   struct heapprof_packed_basis *basis,
		   struct byte_reader *reader)
{
  static const char what[] = "observations";
  struct heapprof_raw_observations seen;
  uint64_t differences[HEAPPROF_PACKED_DIFFERENCES] = { 0 };
  uint64_t stored[HEAPPROF_PACKED_DIFFERENCES];
  uint64_t cpus[2];
  size_t start = reader->position;
  seen.count = byte_reader_uleb128 (reader, what);
  uint64_t mask = byte_reader_uleb128 (reader, what);
  if (reader->failed)
    return false;
  if (seen.count == 0 || mask >> HEAPPROF_PACKED_DIFFERENCES != 0)
    return byte_reader_fail (reader, start,
			     "invalid group of %" PRIu64
			     " observations with fields 0x%" PRIx64,
			     seen.count, mask);
  byte_reader_uleb128s (reader, stored, __builtin_popcountll (mask), what);
  const uint64_t *next = stored;
  for (uint64_t rest = mask; rest != 0; rest &= rest - 1)
    differences[__builtin_ctzll (rest)] = heapprof_packed_unzigzag (*next++);
  if (reader->failed)
    return false;
  heapprof_packed_code (&seen, cpus, basis, differences, true);
  seen.alloc_cpu = cpus[0];
  seen.dealloc_cpu = cpus[1];
  /* A MIB of the mapped form could not hold more.  */
  if (cpus[0] > UINT16_MAX || cpus[1] > UINT16_MAX)
    return byte_reader_fail (reader, start,
			     "invalid CPUs %" PRIu64 " and %" PRIu64
			     " of observations (exceed 16 bits)",
			     cpus[0], cpus[1]);
  if (seen.utilization.min > UINT8_MAX || seen.utilization.max > UINT8_MAX)
    return byte_reader_fail (reader, start,
			     "invalid utilization %" PRIu64 " to %" PRIu64
			     " percent (exceeds 8 bits)",
			     seen.utilization.min, seen.utilization.max);
  raw_mib_set_info (info, &seen);
  return true;
}

/* Usual size of a packed MIB, or less.  */
#define USUAL_BYTES 16

/* Return ARRAY of COUNT records of BYTES each with room for one more, zeroed,
   and update *CAPACITY.  If READER fails, return NULL and leave ARRAY as it
   is.  */
static void *
make_room (void *array, uint64_t count, uint64_t *capacity, size_t bytes,
	   struct byte_reader *reader)
{
  char *room = array;
  if (count == *capacity)
    {
      uint64_t larger = *capacity * 2 + 1;
      room = realloc (array, larger * bytes);
      if (!room)
	{
	  byte_reader_fail_memory (reader);
	  return NULL;
	}
      large_memory_advise (room + count * bytes, (larger - count) * bytes);
      *capacity = larger;
    }
  memset (room + count * bytes, 0, bytes);
  return room;
}

/* Add a zeroed record.  */
static bool
add_mib (struct raw_tables *tables, struct byte_reader *reader)
{
  struct raw_packed_mib *mibs
    = make_room (tables->packed_mibs, tables->mib_count, &tables->mib_capacity,
		 sizeof *mibs, reader);
  if (!mibs)
    return false;
  tables->packed_mibs = mibs;
  tables->mib_count++;
  return true;
}

static bool
add_live (struct raw_tables *tables, struct byte_reader *reader)
{
  struct heapprof_raw_live *live
    = make_room (tables->live, tables->live_count, &tables->live_capacity,
		 sizeof *live, reader);
  if (!live)
    return false;
  tables->live = live;
  tables->live_count++;
  return true;
}

/* Read the context of MIB number INDEX.  */
static bool
read_mib_context (struct raw_tables *tables, uint64_t index,
		  struct byte_reader *reader)
{
  size_t start = reader->position;
  uint32_t last = tables->packed_mibs[index - 1].context;
  uint64_t number = raw_unpack_signed (reader, last, "a MIB");
  if (!reader->failed && number >= tables->context_count)
    return byte_reader_fail (reader, start,
			     "MIB %" PRIu64 ": invalid context %" PRIu64
			     " (expected less than %" PRIu64 ")",
			     index, number, tables->context_count);
  if (reader->failed)
    return false;
  tables->packed_mibs[index].context = number;
  return true;
}

static bool
read_live (struct raw_tables *tables, uint64_t index,
	   struct byte_reader *reader)
{
  if (!add_live (tables, reader))
    return false;
  struct heapprof_raw_live *live = &tables->live[tables->live_count - 1];
  live->mib = index;
  live->count = raw_unpack_signed (reader, 0, "a MIB");
  live->bytes = raw_unpack_signed (reader, 0, "a MIB");
  return !reader->failed;
}

/* Read what was live in MIB at the peak, and how many blocks were temporary,
   into *MIB and *BALANCE, which has what was live at the end.  */
static void
read_peak (struct raw_packed_mib *mib, struct raw_balance *balance,
	   uint64_t parts, struct byte_reader *reader)
{
  if (parts & HEAPPROF_PACKED_PEAK_LIVE)
    {
      balance->peak_count = balance->live_count;
      balance->peak_bytes = balance->live_bytes;
    }
  if (parts & HEAPPROF_PACKED_PEAK)
    {
      balance->peak_count = raw_unpack_signed (reader, 0, "a MIB");
      balance->peak_bytes = raw_unpack_signed (reader, 0, "a MIB");
    }
  if (parts & HEAPPROF_PACKED_TEMPORARY)
    balance->temporary_count = byte_reader_uleb128 (reader, "a MIB");
  mib->peak_count = balance->peak_count;
  mib->peak_bytes = balance->peak_bytes;
  mib->temporary_count = balance->temporary_count;
}

static void
read_lifetime (struct raw_packed_mib *mib, struct byte_reader *reader)
{
  const size_t start = reader->position;
  mib->lifetime_bytes = raw_unpack_signed (reader, 0, "a MIB");
  const uint64_t first = byte_reader_uleb128 (reader, "a MIB");
  mib->first_bytes = (uint16_t) first;
  if (!reader->failed && first > UINT16_MAX)
    byte_reader_fail (reader, start,
		      "MIB: invalid number %" PRIu64
		      " of bytes before it (exceeds 16 bits)",
		      first);
}

/* Set the lifetimes of MIB in bytes in *INFO, after raw_mib_set_live.  */
static void
set_lifetime (const struct raw_packed_mib *mib, struct memory_info *info,
	      struct raw_length run)
{
  struct raw_balance balance = { .live_count = mib->live_count };
  raw_mib_add_lifetime (&balance, mib->lifetime_bytes, mib->first_bytes);
  raw_mib_set_lifetime (info, &balance, false, run);
  if (run.bytes == 0)
    info->lifetime_bytes = info->first_alloc_bytes = 0;
}

/* The length of a run until all MIBs are read.  */
static const struct raw_length unknown_length = { .bytes = 1 };

/* Read MIB number INDEX, which has PARTS, and its observations into *INFO,
   which is zero.  */
static bool
read_mib (struct raw_tables *tables, uint64_t index, uint64_t parts,
	  struct heapprof_packed_basis *basis, struct memory_info *info,
	  struct byte_reader *reader)
{
  struct raw_balance balance = { 0 };
  uint32_t unfolded_count = 0;
  uint64_t unfolded_bytes = 0;
  if (!read_mib_context (tables, index, reader))
    return false;
  if (parts & HEAPPROF_PACKED_UNFOLDED)
    {
      unfolded_count = raw_unpack_signed (reader, 0, "a MIB");
      unfolded_bytes = raw_unpack_signed (reader, 0, "a MIB");
    }
  if (parts & HEAPPROF_PACKED_LIVE)
    {
      if (!read_live (tables, index, reader))
	return false;
      balance.live_count = tables->live[tables->live_count - 1].count;
      balance.live_bytes = tables->live[tables->live_count - 1].bytes;
    }
  struct raw_packed_mib *mib = &tables->packed_mibs[index];
  mib->live_count = balance.live_count;
  read_peak (mib, &balance, parts, reader);
  basis->live_count
    = heapprof_packed_live_count (balance.live_count, unfolded_count);
  struct heapprof_raw_variances variances;
  const bool has_variances = parts & HEAPPROF_PACKED_VARIANCES;
  if (has_variances)
    raw_read_variances (&variances, byte_reader_uleb128, reader);
  if (tables->header.version >= HEAPPROF_RAW_VERSION_LIFETIMES)
    read_lifetime (mib, reader);
  mib->is_observed = parts & HEAPPROF_PACKED_OBSERVATIONS;
  if (mib->is_observed && !read_observations (info, basis, reader))
    return false;
  if (mib->is_observed && has_variances)
    raw_mib_set_variances (info, &variances);
  if ((tables->header.more_flags & HEAPPROF_RAW_UNCOUNTED) != 0)
    memory_info_forget_accesses (info);
  mib->alloc_count = balance.alloc_count
    = (uint32_t) info->alloc_count + unfolded_count;
  mib->alloc_bytes = balance.alloc_bytes
    = info->size_bytes.total + unfolded_bytes;
  raw_mib_set_live (info, &balance, false);
  tables->peak_bytes += balance.peak_bytes;
  if (info->lifetime_ns.total > tables->most_lifetime_ns)
    tables->most_lifetime_ns = info->lifetime_ns.total;
  if (tables->header.version >= HEAPPROF_RAW_VERSION_LIFETIMES)
    {
      tables->allocated_bytes += mib->alloc_bytes;
      set_lifetime (mib, info, unknown_length);
    }
  return !reader->failed;
}

/* Add MIB number INDEX, and read it.  */
static bool
add_and_read_mib (struct raw_tables *tables, uint64_t index, uint64_t parts,
		  struct heapprof_packed_basis *basis,
		  struct byte_reader *reader)
{
  struct memory_info *info;
  uint32_t *number;
  if (!add_mib (tables, reader))
    return false;
  number = &tables->packed_mibs[index].info;
  if (tables->may_be_brief)
    {
      struct memory_info read = { 0 };
      if (!read_mib (tables, index, parts, basis, &read, reader))
	return false;
      *number = info_table_add (&tables->infos, &read);
      return *number != 0 || byte_reader_fail_memory (reader);
    }
  info = info_table_new (&tables->infos, number);
  return info ? read_mib (tables, index, parts, basis, info, reader)
	      : byte_reader_fail_memory (reader);
}

/* Set the lifetimes of MIB number INDEX, which has been read, in RUN.  */
static bool
change_lifetime (struct raw_tables *tables, uint64_t index,
		 struct raw_length run)
{
  struct raw_packed_mib *mib = &tables->packed_mibs[index];
  struct memory_info info;
  struct info_place place = info_table_place (&tables->infos, mib->info);
  if (!info_place_is_brief (place))
    {
      set_lifetime (mib, info_place_long (place), run);
      return true;
    }
  brief_info_read (info_place_brief (place), &info);
  set_lifetime (mib, &info, run);
  return info_table_set (&tables->infos, &mib->info, &info);
}

/* The length of the run is known: set the lifetimes that depend on it.  These
   are few: a pass over all MIBs would take as long as reading them.  */
static bool
finish_lifetimes (struct raw_tables *tables)
{
  const struct raw_length run = raw_tables_length (tables);
  bool done = true;
  if (tables->header.version < HEAPPROF_RAW_VERSION_LIFETIMES)
    return true;
  if (run.bytes == 0
      || raw_mib_expected_bytes (tables->most_lifetime_ns, run)
	   >= RAW_MIB_MOST_BYTES)
    for (uint64_t i = 1; done && i < tables->mib_count; i++)
      done = change_lifetime (tables, i, run);
  else
    for (uint64_t i = 0; done && i < tables->live_count; i++)
      done = change_lifetime (tables, tables->live[i].mib, run);
  return done;
}

/* Return the table that most of INFOS are in.  */
static const struct record_table *
infos_in_use (const struct info_table *infos)
{
  return infos->briefs.count > infos->longs.count ? &infos->briefs
						  : &infos->longs;
}

/* Tell the waiting thread that READER has read MIBs from START up to its
   position.  Other records follow them, and most contexts have at most one.  */
static void
report_progress (struct raw_tables *tables, const struct byte_reader *reader,
		 size_t start)
{
  const double bytes = (double) (reader->position - start);
  const double likely = (double) tables->mib_count
			* (1 + (double) byte_reader_left (reader) / bytes);
  raw_progress_report (&tables->progress, infos_in_use (&tables->infos),
		       likely < (double) tables->context_count
			 ? (uint32_t) likely
			 : (uint32_t) tables->context_count);
}

bool
raw_unpack_mibs (struct raw_tables *tables, struct byte_reader *reader)
{
  struct heapprof_packed_basis basis = { .end_ns = tables->header.end_time_ns };
  /* Unused memory costs nothing until it is touched.  */
  tables->mib_capacity = byte_reader_left (reader) / USUAL_BYTES + 1;
  tables->packed_mibs
    = large_memory_room (tables->mib_capacity * sizeof *tables->packed_mibs);
  info_table_init (&tables->infos);
  const uint32_t most = (uint32_t) heapprof_packed_min (tables->mib_capacity,
							tables->context_count);
  record_table_expect (&tables->infos.longs, most);
  record_table_expect (&tables->infos.briefs, most);
  const size_t first = reader->position;
  if (!tables->packed_mibs)
    return byte_reader_fail_memory (reader);
  /* Number 0 is unused.  */
  if (!add_mib (tables, reader))
    return false;
  for (;;)
    {
      size_t start = reader->position;
      uint64_t parts = byte_reader_uleb128 (reader, "a MIB");
      if (parts == 0)
	{
	  if (!finish_lifetimes (tables))
	    byte_reader_fail_memory (reader);
	  return !reader->failed;
	}
      if (parts >= HEAPPROF_PACKED_PARTS_END)
	return byte_reader_fail (reader, start,
				 "MIB with unknown parts 0x%" PRIx64, parts);
      uint64_t index = tables->mib_count;
      if (index > UINT32_MAX)
	return byte_reader_fail (reader, start,
				 "number of MIBs exceeds 32 bits");
      if (!add_and_read_mib (tables, index, parts, &basis, reader))
	return false;
      if (tables->mib_count % RAW_PROGRESS_STEP == 0)
	report_progress (tables, reader, first);
    }
}

bool
raw_unpack_affinities (struct raw_tables *tables, struct byte_reader *reader)
{
  static const char what[] = "an affinity";
  for (;;)
    {
      size_t start = reader->position;
      uint64_t first = byte_reader_uleb128 (reader, what);
      if (first == 0)
	return !reader->failed;
      uint64_t distance = byte_reader_uleb128 (reader, what);
      if (first >= tables->context_count
	  || distance >= tables->context_count - first)
	return byte_reader_fail (reader, start,
				 "affinity: invalid contexts %" PRIu64
				 " + %" PRIu64 " (expected less than %" PRIu64
				 ")",
				 first, distance, tables->context_count);
      struct heapprof_raw_affinity *affinities
	= make_room (tables->affinities, tables->affinity_count,
		     &tables->affinity_capacity, sizeof *affinities, reader);
      if (!affinities)
	return false;
      tables->affinities = affinities;
      affinities[tables->affinity_count++]
	= (struct heapprof_raw_affinity){ (uint32_t) first,
					  (uint32_t) (first + distance),
					  byte_reader_uleb128 (reader, what) };
    }
}

bool
raw_unpack_leaks (struct raw_tables *tables, struct byte_reader *reader)
{
  static const char what[] = "a leak";
  uint64_t before = 0; /* plus 1 */
  for (;;)
    {
      size_t start = reader->position;
      uint64_t distance = byte_reader_uleb128 (reader, what);
      if (distance == 0)
	{
	  tables->has_leaks = true;
	  tables->found_leaks = tables->leak_count;
	  return !reader->failed;
	}
      if (distance > tables->context_count - before)
	return byte_reader_fail (reader, start,
				 "leak: invalid context %" PRIu64
				 " (expected less than %" PRIu64 ")",
				 before + distance - 1, tables->context_count);
      before += distance;
      struct heapprof_raw_leak *leaks
	= make_room (tables->leaks, tables->leak_count, &tables->leak_capacity,
		     sizeof *leaks, reader);
      if (!leaks)
	return false;
      tables->leaks = leaks;
      struct heapprof_raw_leak *leak = &leaks[tables->leak_count++];
      *leak = (struct heapprof_raw_leak){ .context = before - 1 };
      leak->lost_count = byte_reader_uleb128_u32 (reader, what);
      leak->lost_bytes = byte_reader_uleb128 (reader, what);
      leak->indirect_count = byte_reader_uleb128_u32 (reader, what);
      leak->indirect_bytes = byte_reader_uleb128 (reader, what);
    }
}

bool
raw_unpack_histograms (struct raw_tables *tables, struct byte_reader *reader)
{
  static const char what[] = "a histogram";
  for (;;)
    {
      size_t start = reader->position;
      uint64_t context = byte_reader_uleb128 (reader, what);
      if (context == 0)
	return !reader->failed;
      if (context > tables->context_count)
	return byte_reader_fail (reader, start,
				 "histogram: invalid context %" PRIu64
				 " (expected less than %" PRIu64 ")",
				 context - 1, tables->context_count);
      struct heapprof_raw_histogram *histograms
	= make_room (tables->histograms, tables->histogram_count,
		     &tables->histogram_capacity, sizeof *histograms, reader);
      if (!histograms)
	return false;
      tables->histograms = histograms;
      struct heapprof_raw_histogram *histogram
	= &histograms[tables->histogram_count++];
      histogram->context = context - 1;
      histogram->first_word = byte_reader_uleb128_u32 (reader, what);
      for (int i = 0; i < HEAPPROF_RAW_HISTOGRAM_COUNTS; i++)
	histogram->counts[i] = byte_reader_uleb128 (reader, what);
    }
}
