/* Unit tests of the packed form of raw profiles: records are read back as they
   were packed, and damage is rejected.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "crc32.h"
#include "heapprof/raw-mib.h"
#include "heapprof/raw-packed.h"
#include "raw-mib-info.h"
#include "raw-packer.h"
#include "raw-profile.h"
#include "raw-tables.h"
#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static struct raw_builder builder;
static struct raw_tables tables;
static struct profile_error err;

/* Decode the SIZE bytes at DATA into the tables, which the caller frees.  In
   about half of the files MIBs get the short form: it makes no difference.  */
static bool
decode (const unsigned char *data, size_t size)
{
  struct byte_reader reader;
  err = (struct profile_error){ 0 };
  byte_reader_init (&reader, "packed", data, size, &err);
  if (!raw_tables_decode_start (&tables, &reader))
    return false;
  tables.may_be_brief = size % 2 == 0;
  return (raw_tables_decode_rest (&tables, &reader)
	  && raw_tables_check (&tables, &reader));
}

/* Repair the checksum and decode; the file must be rejected because of CAUSE at
   OFFSET.  */
static void
expect_error (unsigned char *data, size_t size, uint64_t offset,
	      const char *cause)
{
  raw_packed_repair (data, size);
  ck_assert (!decode (data, size));
  raw_tables_free (&tables);
  ck_assert_str_eq (err.cause, cause);
  ck_assert_uint_eq (err.offset, offset);
}

static void
check_segment (uint64_t index)
{
  struct heapprof_raw_segment packed = tables.segments[index];
  struct heapprof_raw_segment made = builder.segments[index];
  ck_assert_str_eq (tables.strings + packed.path, builder.strings + made.path);
  packed.path = made.path = 0;
  ck_assert_mem_eq (&packed, &made, sizeof made);
}

static struct heapprof_raw_observations
observations (const struct heapprof_raw_mib *mib,
	      const struct heapprof_raw_wide *wide)
{
  return heapprof_raw_mib_observations (mib, mib->wide == 0
					       ? NULL
					       : &wide[mib->wide].observations);
}

static void
check_context (uint64_t index)
{
  const struct heapprof_raw_context *packed = &tables.contexts[index];
  const struct heapprof_raw_context *made = &builder.contexts[index];
  ck_assert_uint_eq (packed->return_address, made->return_address);
  ck_assert_uint_eq (packed->parent, made->parent);
}

/* Without a moment of the last peak, the MIB has not changed since.  */
static void
check_peak (uint64_t index, const struct raw_packed_mib *packed)
{
  const struct heapprof_raw_mib *made = &builder.mibs[index];
  const struct heapprof_raw_moment *moment = &builder.moments[index];
  struct heapprof_raw_observations observed = observations (made, builder.wide);
  bool is_kept
    = (int32_t) (moment->number - (uint32_t) builder.header.peak_number) >= 0;
  ck_assert_uint_eq (packed->peak_count,
		     is_kept ? moment->count
			     : made->alloc_count - (uint32_t) observed.count);
  ck_assert_uint_eq (packed->peak_bytes,
		     is_kept ? moment->bytes
			     : made->alloc_bytes - observed.size.total);
  ck_assert_uint_eq (packed->temporary_count,
		     moment->temporary & HEAPPROF_RAW_TEMPORARY_MASK);
  ck_assert_uint_eq (packed->lifetime_bytes, moment->lifetime_bytes);
  ck_assert_uint_eq (packed->first_bytes,
		     moment->temporary >> HEAPPROF_RAW_TEMPORARY_BITS);
}

static void
check_times (void)
{
  const struct heapprof_raw_timeline *timeline = &builder.timeline;
  uint64_t count = HEAPPROF_RAW_TIMELINE_COUNT (timeline->state);
  ck_assert_int_eq (tables.has_timeline,
		    builder.counts[HEAPPROF_RAW_TIMELINE] > 0);
  if (!tables.has_timeline)
    return;
  ck_assert_uint_eq (tables.sample_count, count + 1);
  ck_assert_uint_eq (tables.time_ns, timeline->time_ns);
  ck_assert_mem_eq (tables.samples,
		    timeline
		      ->samples[HEAPPROF_RAW_TIMELINE_ARRAY (timeline->state)],
		    count * sizeof tables.samples[0]);
  ck_assert_uint_eq (tables.samples[count].max, timeline->max);
  ck_assert_uint_eq (tables.samples[count].end, timeline->live);
  ck_assert_uint_eq (tables.samples[count].mean, timeline->area[0] / 1000);
  ck_assert_uint_eq (tables.mark_count, builder.counts[HEAPPROF_RAW_MARKS]);
  for (uint64_t i = 0; i < tables.mark_count; i++)
    {
      const struct heapprof_raw_mark *made = &builder.marks[i];
      const struct raw_mark *packed = &tables.marks[i];
      ck_assert_uint_eq (packed->time_ns, made->time_ns);
      ck_assert_str_eq (packed->label, builder.strings + made->label);
      ck_assert_uint_eq (packed->first, made->first);
      ck_assert_uint_eq (packed->count, made->count);
    }
  for (uint64_t i = 0; i < tables.marked_count; i++)
    {
      const struct heapprof_raw_live *made = &builder.marked[i];
      ck_assert_uint_eq (tables.marked[i].context,
			 builder.mibs[made->mib].context);
      ck_assert_uint_eq (tables.marked[i].count, made->count);
      ck_assert_uint_eq (tables.marked[i].bytes, made->bytes);
    }
}

/* Return the observations of MIB number INDEX, valid until the next call.  */
static const struct memory_info *
info_at (uint64_t index)
{
  static struct memory_info room;
  return info_place_read (info_table_place (&tables.infos,
					    tables.packed_mibs[index].info),
			  &room);
}

static void
check_mib (uint64_t index)
{
  const struct raw_packed_mib *packed = &tables.packed_mibs[index];
  const struct heapprof_raw_mib *made = &builder.mibs[index];
  struct memory_info seen = *info_at (index);
  struct heapprof_raw_observations observed = observations (made, builder.wide);
  struct memory_info expected = { 0 };
  if (observed.count > 0)
    raw_mib_set_info (&expected, &observed);
  /* Values derived from live records are tested in profdata-raw.  */
  expected.live_count = seen.live_count;
  expected.live_bytes = seen.live_bytes;
  ck_assert_int_eq (packed->is_observed, observed.count > 0);
  ck_assert_uint_eq (packed->context, made->context);
  ck_assert_uint_eq (packed->alloc_count, made->alloc_count);
  ck_assert_uint_eq (packed->alloc_bytes, made->alloc_bytes);
  check_peak (index, packed);
  expected.peak_count = seen.peak_count;
  expected.peak_bytes = seen.peak_bytes;
  expected.temporary_count = packed->temporary_count;
  /* Whether they depend on the length of the run, which is in the header, or
     not.  */
  const struct raw_length run
    = { .ns = tables.header.end_time_ns, .bytes = tables.allocated_bytes };
  struct raw_balance lives = { .live_count = packed->live_count };
  raw_mib_add_lifetime (&lives, packed->lifetime_bytes, packed->first_bytes);
  raw_mib_set_lifetime (&expected, &lives, false, run);
  ck_assert_mem_eq (&seen, &expected, sizeof seen);
}

/* Return NUMBER, 0 if it is negative.  */
static uint64_t
balance (uint64_t number)
{
  return number > INT64_MAX ? 0 : number;
}

/* Records that are not in use, and those without blocks, are left out.  */
static void
check_threads (void)
{
  const struct raw_thread *seen = tables.threads;
  for (uint64_t i = 0; i < builder.counts[HEAPPROF_RAW_THREADS]; i++)
    {
      const struct heapprof_raw_thread *from = &builder.threads[i];
      char name[17] = "";
      if (from->threads == 0 || from->alloc_count == 0)
	continue;
      memcpy (name, from->name, 16);
      uint64_t count = from->alloc_count - from->free_count - from->other_count;
      uint64_t bytes = from->alloc_bytes - from->free_bytes - from->other_bytes;
      bool is_kept = from->moment_number >= builder.header.peak_number;
      ck_assert_uint_lt (seen - tables.threads, tables.thread_count);
      ck_assert_str_eq (seen->name, name);
      ck_assert_uint_eq (seen->tid, from->tid);
      ck_assert_uint_eq (seen->threads, from->threads);
      ck_assert_uint_eq (seen->start_ns, from->start_ns);
      ck_assert_uint_eq (seen->end_ns, from->end_ns);
      ck_assert_uint_eq (seen->alloc_count, from->alloc_count);
      ck_assert_uint_eq (seen->alloc_bytes, from->alloc_bytes);
      ck_assert_uint_eq (seen->live_count, balance (count));
      ck_assert_uint_eq (seen->live_bytes, balance (bytes));
      ck_assert_uint_eq (seen->peak_count,
			 balance (is_kept
				    ? (uint64_t) (int32_t) from->moment_count
				    : count));
      ck_assert_uint_eq (seen->peak_bytes,
			 balance (is_kept ? from->moment_bytes : bytes));
      ck_assert_uint_ge (seen->most_bytes, from->peak_bytes);
      seen++;
    }
  ck_assert_uint_eq (seen - tables.threads, tables.thread_count);
}

static void
check_interpreted (void)
{
  ck_assert_uint_eq (tables.interpreted_count,
		     builder.counts[HEAPPROF_RAW_INTERPRETED]);
  for (uint64_t i = 0; i < tables.interpreted_count; i++)
    {
      const struct heapprof_raw_interpreted *frame = &tables.interpreted[i];
      const struct heapprof_raw_interpreted *made = &builder.interpreted[i];
      ck_assert_str_eq (tables.strings + frame->function,
			builder.strings + made->function);
      ck_assert_str_eq (tables.strings + frame->file,
			builder.strings + made->file);
      ck_assert_uint_eq (frame->line, made->line);
      ck_assert_uint_eq (frame->first_line, made->first_line);
    }
}

/* The tables must contain the builder's records.  */
static void
check_tables (void)
{
  const struct heapprof_raw_header *header = &tables.header;
  ck_assert_uint_eq (header->pid, builder.header.pid);
  ck_assert_uint_eq (header->state, builder.header.state);
  ck_assert_uint_eq (header->end_time_ns, builder.header.end_time_ns);
  ck_assert_uint_eq (header->pruned_contexts, builder.header.pruned_contexts);
  ck_assert_uint_eq (header->peak_bytes, builder.header.peak_bytes);
  ck_assert_uint_eq (header->sample_accesses, builder.header.sample_accesses);
  ck_assert_uint_eq (header->other_accesses, builder.header.other_accesses);
  ck_assert_uint_eq (header->granule_shift, 6);
  ck_assert_str_eq (tables.strings + header->program_name,
		    builder.strings + builder.header.program_name);
  const uint64_t *counts = builder.counts;
  ck_assert_uint_eq (tables.context_count, counts[HEAPPROF_RAW_CONTEXTS]);
  for (uint64_t i = 0; i < tables.context_count; i++)
    check_context (i);
  ck_assert_uint_eq (tables.mib_count, counts[HEAPPROF_RAW_MIBS]);
  for (uint64_t i = 1; i < tables.mib_count; i++)
    check_mib (i);
  ck_assert_uint_eq (tables.histogram_count, counts[HEAPPROF_RAW_HISTOGRAM]);
  if (tables.histogram_count > 0)
    ck_assert_mem_eq (tables.histograms, builder.histograms,
		      tables.histogram_count * sizeof *tables.histograms);
  ck_assert_uint_eq (tables.affinity_count, counts[HEAPPROF_RAW_AFFINITY]);
  if (tables.affinity_count > 0)
    ck_assert_mem_eq (tables.affinities, builder.affinities,
		      tables.affinity_count * sizeof *tables.affinities);
  ck_assert_int_eq (tables.has_leaks, counts[HEAPPROF_RAW_LEAK] > 0);
  ck_assert_uint_eq (tables.leak_count, counts[HEAPPROF_RAW_LEAK]);
  if (tables.leak_count > 0)
    ck_assert_mem_eq (tables.leaks, builder.leaks,
		      tables.leak_count * sizeof *tables.leaks);
  ck_assert_uint_eq (tables.live_count, counts[HEAPPROF_RAW_LIVE]);
  if (tables.live_count > 0)
    ck_assert_mem_eq (tables.live, builder.live,
		      tables.live_count * sizeof *tables.live);
  check_times ();
  check_threads ();
  check_interpreted ();
  ck_assert_uint_eq (tables.segment_count, counts[HEAPPROF_RAW_SEGMENTS]);
  for (uint64_t i = 0; i < tables.segment_count; i++)
    check_segment (i);
}

static void
check_round_trip (void)
{
  size_t size;
  unsigned char *data = raw_builder_pack (&builder, &size);
  ck_assert_msg (decode (data, size), "0x%" PRIx64 ": %s", err.offset,
		 err.cause);
  check_tables ();
  raw_tables_free (&tables);
  free (data);
}

/* In the mapped form, each MIB has a wide record of its own, which refers to
   it.  */
static void
give_own_wide_records (void)
{
  static struct heapprof_raw_wide given[RAW_BUILDER_RECORDS];
  uint32_t count = 1;
  for (uint32_t i = 0; i < builder.counts[HEAPPROF_RAW_MIBS]; i++)
    if (builder.mibs[i].wide != 0)
      {
	given[count] = builder.wide[builder.mibs[i].wide];
	given[count].mib = i;
	builder.mibs[i].wide = count++;
      }
  memcpy (builder.wide, given, sizeof given);
  builder.counts[HEAPPROF_RAW_WIDE] = count;
}

/* Both forms of the same records must say the same about times.  */
START_TEST (mapped_and_packed_times_agree)
{
  size_t size;
  struct raw_timeline timelines[2];
  raw_builder_random (&builder, _i);
  give_own_wide_records ();
  unsigned char *data[2] = { raw_builder_finish (&builder, &size), NULL };
  struct raw_profile *profiles[2];
  profiles[0] = raw_profile_parse ("mapped", data[0], size, &err);
  ck_assert_msg (profiles[0] != NULL, "%s", err.cause);
  data[1] = raw_builder_pack (&builder, &size);
  profiles[1] = raw_profile_parse ("packed", data[1], size, &err);
  ck_assert_msg (profiles[1] != NULL, "%s", err.cause);
  for (uint32_t i = 0; i < raw_profile_context_count (profiles[0]); i++)
    {
      struct memory_info infos[2] = { { 0 } };
      ck_assert_int_eq (raw_profile_context_info (profiles[0], i, &infos[0]),
			raw_profile_context_info (profiles[1], i, &infos[1]));
      ck_assert_uint_eq (infos[0].peak_count, infos[1].peak_count);
      ck_assert_uint_eq (infos[0].peak_bytes, infos[1].peak_bytes);
      ck_assert_uint_eq (infos[0].temporary_count, infos[1].temporary_count);
    }
  for (int i = 0; i < 2; i++)
    ck_assert (raw_profile_timeline (profiles[i], &timelines[i]));
  ck_assert_uint_eq (timelines[0].shift, timelines[1].shift);
  ck_assert_uint_eq (timelines[0].end_ns, timelines[1].end_ns);
  ck_assert_uint_eq (timelines[0].count, timelines[1].count);
  ck_assert_mem_eq (timelines[0].samples, timelines[1].samples,
		    timelines[0].count * sizeof *timelines[0].samples);
  uint64_t marks = raw_profile_mark_count (profiles[0]);
  ck_assert_uint_eq (marks, 3);
  ck_assert_uint_eq (raw_profile_mark_count (profiles[1]), marks);
  for (uint64_t i = 0; i < marks; i++)
    {
      const struct raw_mark *mapped = raw_profile_mark (profiles[0], i);
      const struct raw_mark *packed = raw_profile_mark (profiles[1], i);
      ck_assert_str_eq (mapped->label, packed->label);
      ck_assert_uint_eq (mapped->time_ns, packed->time_ns);
      ck_assert_uint_eq (mapped->count, packed->count);
      for (uint64_t j = 0; j < mapped->count; j++)
	ck_assert_mem_eq (raw_profile_marked (profiles[0], mapped->first + j),
			  raw_profile_marked (profiles[1], packed->first + j),
			  sizeof (struct raw_marked));
    }
  for (int i = 0; i < 2; i++)
    {
      raw_profile_close (profiles[i]);
      free (data[i]);
    }
}
END_TEST

START_TEST (sample)
{
  raw_builder_sample (&builder);
  builder.header.state = _i;
  check_round_trip ();
}
END_TEST

START_TEST (whatever_numbers)
{
  raw_builder_random (&builder, _i);
  check_round_trip ();
}
END_TEST

START_TEST (nothing)
{
  raw_builder_init (&builder);
  check_round_trip ();
}
END_TEST

/* Paths with a longer common prefix than the format can express, and a repeated
   path.  */
START_TEST (long_paths)
{
  char path[1000];
  memset (path, 'p', sizeof path);
  path[sizeof path - 1] = '\0';
  raw_builder_init (&builder);
  builder.header.program_name = raw_builder_string (&builder, path);
  raw_builder_segment (&builder, 0x1000, 0x2000, path);
  path[990] = '\0';
  raw_builder_segment (&builder, 0x2000, 0x3000, path);
  raw_builder_segment (&builder, 0x3000, 0x4000, "");
  check_round_trip ();
}
END_TEST

/* All bytes of a small file, encoded by hand.  */
START_TEST (bytes)
{
  static const unsigned char body[] = {
    'r',  'u',	'n',  0,    0,	  0,	0, 0, 0, 0,    0,    0,
    0,	  0,	0,    0,    5,	  0,	7, 0, 0, 0xe8, 0x07, /* 5 words: pid
								7, end 1000 */
    0,	  4,	'/',  'b',  '/',  'p',			     /* the program */
    1,							     /* segment */
    0x80, 0x40,		 /* starts at 0x1000 */
    0x80, 0x02,		 /* 0x100 bytes */
    0x80, 0x10,		 /* p_vaddr 0x800 */
    3,	  1,	'q',	 /* /b/q */
    10,	  0,	0,    0, /* loaded at 5 ns, not unloaded; from context 0 */
    2,	  0xab, 0xcd,	 /* build ID */
    4,			 /* contexts */
    1,	  1,	0x20,	 /* caller, in segment 1: 0x1010 */
    1,	  0,	0x40,	 /* in no segment: 0x20 */
    1,	  2,		 /* address number 0 again */
    7,	  6,	2,    0x38, 2,	  0x38, /* MIB of context 3: a block of 28
					   bytes live */
    0xb7, 1,	0x40,			/* lifetimes of -92 bytes, from 64 on */
    1,	  0x0f, /* one released: size, accesses, first times */
    0x80, 0x01, 6,    0x90, 0x03, 0x28, /* 64, 3, at 200, for 20 */
    3,	  0,	1,    0x37,	  /* another one: the live block, folded */
    0x38, 0,			  /* 28 bytes */
    1,	  0x05, 0x47, 0xc8, 0x01, /* 36 bytes less, allocated 100 later */
    0				  /* end */
  };
  raw_builder_init (&builder);
  memcpy (builder.header.run_id, "run", 3);
  builder.header.pid = 7;
  builder.header.end_time_ns = 1000;
  builder.header.program_name = raw_builder_string (&builder, "/b/p");
  struct heapprof_raw_segment *segment
    = raw_builder_segment (&builder, 0x1000, 0x1100, "/b/q");
  segment->load_bias = 0x800;
  segment->load_time_ns = 5;
  segment->build_id_bytes = 2;
  memset (segment->build_id, 0, sizeof segment->build_id);
  memcpy (segment->build_id, "\xab\xcd", 2);
  uint32_t context = raw_builder_context (&builder, 0, 0x1010);
  context = raw_builder_context (&builder, context, 0x20);
  context = raw_builder_context (&builder, context, 0x1010);
  struct heapprof_raw_mib *mib = raw_builder_mib (&builder, context);
  raw_builder_observe (&builder, mib, 1, 64, 3, 20, 200);
  mib->alloc_count = 2;
  mib->alloc_bytes = 64 + 28;
  struct heapprof_raw_mib *live = raw_builder_live (&builder, context, 1, 28);
  raw_builder_observe (&builder, live, 1, 28, 0, 700, 300);
  /* All on CPU 0.  */
  mib->migrated_cpu = live->migrated_cpu = 0;
  mib->first_alloc = 200;
  mib->first_dealloc = 220;
  live->first_alloc = 300;
  live->first_dealloc = 1000;
  builder.moments[1].lifetime_bytes = -UINT64_C (92);
  builder.moments[1].temporary = UINT64_C (64) << HEAPPROF_RAW_TEMPORARY_BITS;
  builder.moments[2].lifetime_bytes = 28;

  size_t size;
  unsigned char *data = raw_builder_pack (&builder, &size);
  ck_assert_uint_eq (size, 48 + sizeof body);
  ck_assert_mem_eq (data + 48, body, sizeof body);
  ck_assert_mem_eq (data, "\x89HPRAW\r\n", 8);
  ck_assert_uint_eq (data[16], 48);
  ck_assert_uint_eq (data[22], 2);
  ck_assert_uint_eq (data[32], sizeof body);
  uint32_t crc = crc32 (crc32 (0, body, sizeof body), data, 44);
  ck_assert_mem_eq (data + 44, &crc, 4);
  free (data);
  check_round_trip ();
}
END_TEST

/* Blocks of 100 bytes that lived while 300 were allocated, after 20 others, and
   50 bytes that are live at the end, 150 - 100 bytes after them; the same if
   the run allocates so many bytes that lifetimes may exceed 64 bits, and if it
   allocates none.  */
START_TEST (lifetimes)
{
  raw_builder_init (&builder);
  uint32_t freed = raw_builder_context (&builder, 0, 0x400100);
  uint32_t kept = raw_builder_context (&builder, 0, 0x400200);
  struct heapprof_raw_mib *mib = raw_builder_mib (&builder, freed);
  raw_builder_observe (&builder, mib, 1, 100, 0, 1000, 5);
  mib->alloc_count = 1;
  mib->alloc_bytes = _i == 0   ? 100
		     : _i == 1 ? UINT64_MAX / 4 - 50
			       : -UINT64_C (50);
  mib = raw_builder_mib (&builder, kept);
  raw_builder_observe (&builder, mib, 1, 50, 0, 10, 5);
  mib->alloc_count = 1;
  mib->alloc_bytes = 50;
  builder.live[0] = (struct heapprof_raw_live){ 2, 1, 50 };
  builder.counts[HEAPPROF_RAW_LIVE] = 1;
  builder.moments[1].lifetime_bytes = 300;
  builder.moments[1].temporary = UINT64_C (20) << HEAPPROF_RAW_TEMPORARY_BITS;
  builder.moments[2].lifetime_bytes = -UINT64_C (100);
  builder.moments[2].temporary = UINT64_C (60) << HEAPPROF_RAW_TEMPORARY_BITS;
  builder.counts[HEAPPROF_RAW_MOMENTS] = 3;
  builder.header.end_time_ns = 125;
  size_t size;
  unsigned char *data = raw_builder_pack (&builder, &size);
  ck_assert_msg (decode (data, size), "%s", err.cause);
  const struct memory_info *info = info_at (1);
  ck_assert_uint_eq (info->alloc_count, 1);
  ck_assert_uint_eq (info->lifetime_bytes, _i == 0   ? 300
					   : _i == 1 ? UINT64_MAX
						     : 0);
  ck_assert_uint_eq (info->first_alloc_bytes, _i == 2 ? 0 : 21);
  info = info_at (2);
  ck_assert_uint_eq (info->lifetime_bytes, _i == 0   ? 50
					   : _i == 1 ? UINT64_MAX / 4 - 100
						     : 0);
  ck_assert_uint_eq (info->first_alloc_bytes, _i == 2 ? 0 : 61);
  raw_tables_free (&tables);
  free (data);
}
END_TEST

/* Every truncation is rejected, even if the checksum is correct.  */
START_TEST (cut_off)
{
  raw_builder_sample (&builder);
  size_t size;
  unsigned char *data = raw_builder_pack (&builder, &size);
  for (size_t n = 0; n < size; n++)
    {
      unsigned char *cut = malloc (n + 1);
      memcpy (cut, data, n);
      ck_assert_msg (!decode (cut, n), "%zu bytes", n);
      raw_tables_free (&tables);
      ck_assert_str_ne (err.cause, "");
      raw_packed_repair (cut, n);
      ck_assert_msg (!decode (cut, n), "%zu bytes, repaired", n);
      raw_tables_free (&tables);
      ck_assert_str_ne (err.cause, "");
      free (cut);
    }
  free (data);
}
END_TEST

/* Every flipped bit is detected; with the checksum repaired, the tables are
   either rejected or complete.  */
START_TEST (flipped)
{
  raw_builder_sample (&builder);
  size_t size;
  unsigned char *data = raw_builder_pack (&builder, &size);
  for (size_t bit = 0; bit < size * 8; bit++)
    {
      unsigned char saved[48];
      memcpy (saved, data, sizeof saved);
      data[bit / 8] ^= 1 << bit % 8;
      ck_assert_msg (!decode (data, size), "bit %zu", bit);
      raw_tables_free (&tables);
      raw_packed_repair (data, size);
      struct raw_profile *profile
	= raw_profile_parse ("packed", data, size, &err);
      raw_profile_close (profile);
      data[bit / 8] ^= 1 << bit % 8;
      memcpy (data, saved, sizeof saved);
    }
  free (data);
}
END_TEST

/* The offsets of values in the small file, as used in `causes'.  */
static const unsigned char small_body[] = {
  0, 0, 0,   0,	 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* 48 */
  0,						     /* 64: words */
  0, 1, 'p',					     /* 65: program */
  1, 2, 16,  0,	 1, 0, 0, 0, 0, 0, 0, /* 68: segment of [1, 17), "p" */
  3, 1, 1,   0,	 2, 2,		      /* 79: contexts */
  2, 2, 2,   0,	 0, 0,		      /* 85: MIB of context 1 */
  4, 2, 2,   20, 0, 0,		      /* 91: MIB of context 2 */
  0				      /* 97: end */
};

static const struct
{
  size_t offset; /* in the file */
  unsigned char value;
  uint64_t error_offset;
  const char *cause;
} causes[] = { { 64, 57, 64,
		 "invalid number of header words 57 (expected at "
		 "most 56)" },
	       { 65, 1, 65, "path shares 1 bytes with a path of 0 bytes" },
	       { 66, 100, 67, "a path: need 100 bytes, 31 left" },
	       { 67, 0, 65, "path contains a NUL byte" },
	       { 68, 50, 69, "the segments: need 50 * 10 bytes, 29 left" },
	       { 70, 0, 69, "invalid segment size 0 bytes at 0x1" },
	       { 72, 2, 72, "path shares 2 bytes with a path of 1 bytes" },
	       { 76, 1, 76,
		 "a segment's first context: "
		 "18446744073709551615 exceeds 32 bits" },
	       { 78, 33, 78,
		 "invalid build ID size 33 bytes (expected at "
		 "most 32)" },
	       { 79, 0, 79,
		 "the contexts: invalid count 0 (expected at "
		 "least 1)" },
	       { 79, 127, 80, "the contexts: need 126 * 2 bytes, 18 left" },
	       { 80, 0, 80, "context 1: invalid distance 0 to its parent" },
	       { 83, 3, 83, "context 2: invalid distance 3 to its parent" },
	       { 84, 3, 84, "invalid address index 1 (expected less than 1)" },
	       { 85, 128, 85, "MIB with unknown parts 0x100" },
	       { 85, 0, 86, "12 extra bytes at the end" },
	       { 86, 6, 86,
		 "MIB 1: invalid context 3 (expected less than "
		 "3)" },
	       { 97, 1, 98, "a MIB: need 1 bytes, 0 left" } };

/* Make the small file.  */
static unsigned char *
make_small (size_t *size)
{
  raw_builder_init (&builder);
  memset (builder.header.run_id, 0, sizeof builder.header.run_id);
  unsigned char *head = raw_builder_pack (&builder, size);
  *size = 48 + sizeof small_body;
  unsigned char *data = malloc (*size);
  memcpy (data, head, 48);
  memcpy (data + 48, small_body, sizeof small_body);
  raw_packed_repair (data, *size);
  free (head);
  return data;
}

START_TEST (small)
{
  size_t size;
  unsigned char *data = make_small (&size);
  ck_assert_msg (decode (data, size), "0x%" PRIx64 ": %s", err.offset,
		 err.cause);
  ck_assert_uint_eq (tables.context_count, 3);
  ck_assert_uint_eq (tables.contexts[2].return_address, 1);
  ck_assert_uint_eq (tables.packed_mibs[2].context, 2);
  ck_assert_uint_eq (tables.packed_mibs[1].alloc_count, 1);
  ck_assert_uint_eq (tables.live[0].bytes, 10);
  raw_tables_free (&tables);
  free (data);
}
END_TEST

START_TEST (errors)
{
  size_t size;
  unsigned char *data = make_small (&size);
  data[causes[_i].offset] = causes[_i].value;
  expect_error (data, size, causes[_i].error_offset, causes[_i].cause);
  free (data);
}
END_TEST

/* The same file, but what follows the contexts is said to be interpreted
   frames.  */
START_TEST (interpreted_errors)
{
  size_t size;
  unsigned char *data = make_small (&size);
  data[23] |= HEAPPROF_RAW_NAMED;
  expect_error (data, size, 86, "path shares 2 bytes with a path of 0 bytes");
  data[85] = 0;
  expect_error (data, size, 85,
		"the interpreted frames: invalid count 0 (expected at least "
		"1)");
  data[85] = 4;
  expect_error (data, size, 86,
		"the interpreted frames: need 3 * 6 bytes, 12 left");
  /* A frame without names, of line -1.  */
  static const unsigned char frame[] = { 2, 0, 0, 0, 0, 1, 0, 0 };
  memcpy (data + 85, frame, sizeof frame);
  expect_error (data, size, 90,
		"an interpreted frame's line: 18446744073709551615 exceeds 32 "
		"bits");
  data[90] = 0;
  raw_packed_repair (data, size);
  ck_assert (!decode (data, size));
  ck_assert_uint_eq (tables.interpreted_count, 2);
  raw_tables_free (&tables);
  free (data);
}
END_TEST

static const struct
{
  unsigned char bytes[8]; /* of observations */
  size_t size;
  const char *cause;
} observation_errors[] = { { { 0, 0 },
			     2,
			     "invalid group of 0 observations with fields "
			     "0x0" },
			   { { 1, 0x80, 0x80, 0x80, 0x80, 1 },
			     6,
			     "invalid group of 1 observations with fields "
			     "0x10000000" },
			   { { 1, 0x80, 0x80, 0x04, 1 },
			     5,
			     "invalid CPUs 18446744073709551615 and "
			     "18446744073709551615 of observations (exceed "
			     "16 bits)" },
			   { { 1, 0x80, 0x80, 0x04, 0x80, 0x80, 0x08 },
			     7,
			     "invalid CPUs 65536 and 65536 of observations "
			     "(exceed 16 bits)" },
			   { { 1, 0x40, 0x80, 0x04 },
			     4,
			     "invalid utilization 256 to 256 percent "
			     "(exceeds 8 bits)" } };

START_TEST (bad_observations)
{
  size_t size;
  unsigned char *data = make_small (&size);
  data = realloc (data, 89 + 8);
  data[85] = HEAPPROF_PACKED_OBSERVATIONS;
  data[87] = data[88] = 0;
  memcpy (data + 89, observation_errors[_i].bytes, 8);
  expect_error (data, 89 + observation_errors[_i].size, 89,
		observation_errors[_i].cause);
  free (data);
}
END_TEST

START_TEST (bad_head)
{
  size_t size;
  unsigned char *data = make_small (&size);
  data[16] = 40;
  expect_error (data, size, 16,
		"invalid packed header size 40 bytes (version 7 "
		"has 48)");
  data[16] = 48;
  data[20] = 3;
  expect_error (data, size, 20, "invalid word size 3 bytes (expected 4 or 8)");
  data[20] = 8;
  data[28] = HEAPPROF_RAW_RUNNING;
  expect_error (data, size, 28, "invalid state 0 for a packed profile");
  data[28] = HEAPPROF_RAW_COMPLETE;
  raw_packed_repair (data, size);
  ck_assert (!decode (data, size - 1));
  ck_assert_str_eq (err.cause, "invalid body size 50 bytes (49 follow the "
			       "header)");
  ck_assert_uint_eq (err.offset, 32);
  data[60]++;
  ck_assert (!decode (data, size));
  ck_assert_uint_eq (err.offset, 44);
  ck_assert_ptr_nonnull (strstr (err.cause, "invalid checksum 0x"));
  free (data);
}
END_TEST

/* The packer's checksum must equal zlib's, for all processor features, lengths
   and alignments.  */
START_TEST (checksum)
{
  static unsigned char data[700];
  for (size_t i = 0; i < sizeof data; i++)
    data[i] = i * i * 31 >> 4;
  rt_crc32_start ();
  for (size_t n = 0; n < 600; n++)
    {
      const unsigned char *from = data + n % 19;
      uint32_t before = n * 2654435761u;
      uint32_t expected = crc32_z (before, from, n);
      ck_assert_uint_eq (rt_crc32 (before, from, n), expected);
      ck_assert_uint_eq (rt_crc32_by_tables (before, from, n), expected);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("profdata-packed");
  TCase *good = tcase_create ("good");
  tcase_add_loop_test (good, mapped_and_packed_times_agree, 1, 20);
  tcase_add_loop_test (good, sample, HEAPPROF_RAW_COMPLETE,
		       HEAPPROF_RAW_SNAPSHOT + 1);
  tcase_add_loop_test (good, whatever_numbers, 1, 200);
  tcase_add_test (good, nothing);
  tcase_add_test (good, long_paths);
  tcase_add_test (good, bytes);
  tcase_add_test (good, small);
  tcase_add_loop_test (good, lifetimes, 0, 3);
  tcase_add_test (good, checksum);
  suite_add_tcase (suite, good);
  TCase *bad = tcase_create ("bad");
  tcase_add_test (bad, cut_off);
  tcase_add_test (bad, flipped);
  tcase_add_test (bad, interpreted_errors);
  tcase_add_loop_test (bad, errors, 0, sizeof causes / sizeof causes[0]);
  tcase_add_loop_test (bad, bad_observations, 0,
		       sizeof observation_errors
			 / sizeof observation_errors[0]);
  tcase_add_test (bad, bad_head);
  suite_add_tcase (suite, bad);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
