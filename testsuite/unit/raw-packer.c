/* Make packed raw profiles from records.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "raw-packer.h"
#include "heapprof/raw-mib.h"
#include "heapprof/raw-packed.h"
#include "pack-output.h"
#include "profile-text.h"
#include "raw-pack.h"
#include "sys.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---- What the packer uses of the run-time library.  */

struct rt_table rt_tables[RT_TABLES];
static unsigned char *file;
static size_t file_bytes;

void *
sys_map (size_t bytes)
{
  return calloc (1, bytes);
}

void
sys_unmap (void *address, size_t bytes)
{
  (void) bytes;
  free (address);
}

int
sys_write_at (int fd, const void *data, size_t bytes, uint64_t offset)
{
  (void) fd;
  if (offset + bytes > file_bytes)
    {
      file = realloc (file, offset + bytes);
      if (!file)
	abort ();
      memset (file + file_bytes, 0, offset + bytes - file_bytes);
      file_bytes = offset + bytes;
    }
  memcpy (file + offset, data, bytes);
  return 0;
}

void
sys_allocate_ahead (int fd, uint64_t offset, uint64_t bytes)
{
  (void) fd;
  (void) offset;
  (void) bytes;
}

int
sys_truncate (int fd, uint64_t bytes)
{
  (void) fd;
  if (bytes > file_bytes)
    abort ();
  file_bytes = bytes;
  return 0;
}

/* ---- Files.  */

/* DATA is the builder.  */
static bool
get_mib (void *data, uint32_t index, struct rt_pack_mib *mib)
{
  const struct raw_builder *builder = data;
  mib->record = builder->mibs[index];
  mib->wide = builder->wide[mib->record.wide];
  mib->moment = builder->moments[index];
  for (uint64_t i = 0; i < builder->counts[HEAPPROF_RAW_LIVE]; i++)
    if (builder->live[i].mib == index)
      {
	mib->live_count = builder->live[i].count;
	mib->live_bytes = builder->live[i].bytes;
      }
  return true;
}

/* The builder being packed.  */
static const struct raw_builder *packed;

/* DATA is the builder.  */
static void
put_histograms (void *data, uint32_t context_count)
{
  const struct raw_builder *builder = data;
  for (uint64_t i = 0; i < builder->counts[HEAPPROF_RAW_HISTOGRAM]; i++)
    {
      const struct heapprof_raw_histogram *histogram = &builder->histograms[i];
      if (histogram->context >= context_count)
	continue;
      uint8_t *next
	= rt_put (rt_pack_begin (), (uint64_t) histogram->context + 1);
      next = rt_put (next, histogram->first_word);
      for (int j = 0; j < HEAPPROF_RAW_HISTOGRAM_COUNTS; j++)
	next = rt_put (next, histogram->counts[j]);
      rt_pack_end (next);
    }
}

static void
put_affinities (uint32_t context_count)
{
  for (uint64_t i = 0; i < packed->counts[HEAPPROF_RAW_AFFINITY]; i++)
    {
      const struct heapprof_raw_affinity *affinity = &packed->affinities[i];
      if (affinity->second >= context_count)
	continue;
      uint8_t *next = rt_put (rt_pack_begin (), affinity->first);
      next = rt_put (next, affinity->second - affinity->first);
      rt_pack_end (rt_put (next, affinity->lines));
    }
}

unsigned char *
raw_builder_pack (struct raw_builder *builder, size_t *size)
{
  rt_tables[RT_CONTEXTS].records = (char *) builder->contexts;
  rt_tables[RT_MIBS].records = (char *) builder->mibs;
  rt_tables[RT_MARKS].records = (char *) builder->marks;
  rt_tables[RT_MARKED].records = (char *) builder->marked;
  rt_tables[RT_LEAKS].records = (char *) builder->leaks;
  rt_tables[RT_THREADS].records = (char *) builder->threads;
  rt_tables[RT_INTERPRETED].records = (char *) builder->interpreted;
  rt_tables[RT_INTERPRETED].count
    = (uint32_t) builder->counts[HEAPPROF_RAW_INTERPRETED];
  rt_tables[RT_SEGMENTS].records = (char *) builder->segments;
  rt_tables[RT_STRINGS].records = builder->strings;
  struct rt_pack_source source
    = { .header = &builder->header,
	.context_count = builder->counts[HEAPPROF_RAW_CONTEXTS],
	.segment_count = builder->counts[HEAPPROF_RAW_SEGMENTS],
	.mib_count = builder->counts[HEAPPROF_RAW_MIBS],
	.data = builder,
	.get_mib = get_mib,
	.timeline = builder->counts[HEAPPROF_RAW_TIMELINE] > 0
		      ? &builder->timeline
		      : NULL,
	.mark_count = builder->counts[HEAPPROF_RAW_MARKS],
	.thread_count = builder->counts[HEAPPROF_RAW_THREADS],
	.put_histograms
	= builder->counts[HEAPPROF_RAW_HISTOGRAM] > 0 ? put_histograms : NULL,
	.put_affinities
	= builder->counts[HEAPPROF_RAW_AFFINITY] > 0 ? put_affinities : NULL,
	.has_leaks = builder->counts[HEAPPROF_RAW_LEAK] > 0 };
  packed = builder;
  file = NULL;
  file_bytes = 0;
  if (rt_pack (&source, -1) != 0)
    abort ();
  *size = file_bytes;
  return file;
}

void
raw_packed_repair (unsigned char *data, size_t size)
{
  struct heapprof_packed_header head;
  if (size < sizeof head)
    return;
  memcpy (&head, data, sizeof head);
  head.body_bytes = size - sizeof head;
  memcpy (data, &head, sizeof head);
  head.crc = crc32_z (crc32_z (0, data + sizeof head, head.body_bytes), data,
		      HEAPPROF_PACKED_CHECKED_BYTES);
  memcpy (data, &head, sizeof head);
}

/* ---- Random numbers.  */

static uint64_t state;

/* Return a random number with a random number of bits.  */
static uint64_t
number (void)
{
  uint64_t bits = next_random (&state);
  return bits >> next_random (&state) % 64;
}

static void
random_range (struct heapprof_raw_range *range)
{
  range->total = number ();
  range->min = number ();
  range->max = number ();
}

static struct heapprof_raw_observations
random_observations (void)
{
  struct heapprof_raw_observations seen
    = { .count = next_random (&state) % 4 == 0 ? 1 : number () | 1 };
  random_range (&seen.access_count);
  random_range (&seen.size);
  random_range (&seen.lifetime_ns);
  random_range (&seen.utilization);
  random_range (&seen.access_density);
  random_range (&seen.lifetime_access_density);
  seen.utilization.min &= 0xff;
  seen.utilization.max &= 0xff;
  seen.first_alloc_ns = number ();
  seen.last_alloc_ns = number ();
  seen.first_dealloc_ns = number ();
  seen.last_dealloc_ns = number ();
  seen.alloc_cpu = (uint16_t) number ();
  seen.dealloc_cpu = (uint16_t) number ();
  seen.migrated_cpu = number ();
  seen.lifetime_overlaps = number ();
  seen.same_alloc_cpu = number ();
  seen.same_dealloc_cpu = number ();
  return seen;
}

/* Set *MIB, and its wide record if needed, to random observations.  */
static void
observe_random (struct raw_builder *builder, struct heapprof_raw_mib *mib)
{
  const struct heapprof_raw_observations seen = random_observations ();
  heapprof_raw_set_mib (mib, &seen);
  mib->wide = ++builder->counts[HEAPPROF_RAW_WIDE];
  builder->wide[mib->wide].mib = mib - builder->mibs;
  builder->wide[mib->wide].observations = seen;
}

static void
random_segment (struct raw_builder *builder)
{
  static const char *const paths[]
    = { "/bin/random", "/bin/random", "/bin/randomly", "", "/lib/x.so" };
  uint64_t start = number ();
  uint64_t end = start + number () / 2;
  if (end <= start)
    {
      start = 1;
      end = UINT64_MAX;
    }
  struct heapprof_raw_segment *segment
    = raw_builder_segment (builder, start, end,
			   paths[next_random (&state) % 5]);
  segment->load_bias = number ();
  segment->load_time_ns = number ();
  segment->unload_time_ns = number ();
  segment->first_context = (uint32_t) number ();
  segment->end_context = segment->unload_time_ns == 0
			   ? 0
			   : segment->first_context + (uint32_t) number () / 3;
  if (segment->end_context < segment->first_context)
    segment->end_context = 0;
  segment->build_id_bytes = next_random (&state) % 33;
  memset (segment->build_id, 0, sizeof segment->build_id);
  memset (segment->build_id, 0x5a, segment->build_id_bytes);
}

static void
random_threads (struct raw_builder *builder)
{
  for (uint64_t i = next_random (&state) % 20; i > 0; i--)
    {
      struct heapprof_raw_thread thread
	= { .tid = (uint32_t) number (),
	    .start_ns = number (),
	    .end_ns = number (),
	    .alloc_bytes = number (),
	    .alloc_count = number (),
	    .free_bytes = number (),
	    .free_count = number (),
	    .peak_bytes = number (),
	    .other_bytes = number (),
	    .other_count = number (),
	    .moment_number = next_random (&state) % 10,
	    .moment_bytes = number (),
	    .moment_count = (uint32_t) number (),
	    .threads = next_random (&state) % 3 };
      for (uint64_t n = next_random (&state) % 17; n-- > 0;)
	thread.name[n] = (char) (next_random (&state) % 255 + 1);
      raw_builder_thread (builder, &thread);
    }
}

static void
random_times (struct raw_builder *builder)
{
  uint64_t mibs = builder->counts[HEAPPROF_RAW_MIBS];
  builder->counts[HEAPPROF_RAW_MOMENTS] = mibs;
  /* A MIB that counted no block had nothing live.  */
  for (uint64_t i = 1; i < mibs; i++)
    if (builder->mibs[i].alloc_count != 0 || builder->mibs[i].count != 0)
      builder->moments[i] = (struct heapprof_raw_moment){
	.number = next_random (&state) % 10,
	.bytes = number (),
	.count = (uint32_t) number (),
	.lifetime_bytes = number (),
	.temporary = next_random (&state) % 2 == 0 ? 0 : number ()
      };
  raw_builder_timeline (builder,
			next_random (&state) % (HEAPPROF_RAW_SAMPLES + 1),
			next_random (&state));
  for (uint64_t i = 0; i < 3; i++)
    {
      raw_builder_mark (builder, i == 0 ? "one" : "another", number ());
      for (uint64_t j = next_random (&state) % 50; j > 0; j--)
	raw_builder_marked (builder, 1 + next_random (&state) % (mibs - 1),
			    (uint32_t) number (), number ());
    }
}

void
raw_builder_random (struct raw_builder *builder, uint64_t seed)
{
  state = seed;
  raw_builder_init (builder);
  builder->header.program_name = raw_builder_string (builder, "/bin/random");
  builder->header.pid = number ();
  builder->header.end_time_ns = number ();
  builder->header.pruned_contexts = number ();
  builder->header.peak_bytes = number ();
  builder->header.sample_accesses = number ();
  builder->header.other_accesses = number ();
  builder->header.peak_number = 1 + next_random (&state) % 9;
  for (int i = 0; i < 20; i++)
    random_segment (builder);
  for (uint32_t i = 1; i < RAW_BUILDER_RECORDS; i++)
    {
      uint64_t address = number ();
      if (next_random (&state) % 2 == 0)
	address = builder->contexts[next_random (&state) % i].return_address;
      raw_builder_context (builder, next_random (&state) % i, address);
    }
  for (uint32_t i = RAW_BUILDER_RECORDS - 1; i > 100; i -= 3)
    {
      struct heapprof_raw_mib *mib = raw_builder_mib (builder, i);
      if (next_random (&state) % 4 == 0)
	raw_builder_observe (builder, mib, 1 + next_random (&state) % 9, 8, i,
			     number () >> 20, number () >> 20);
      else if (next_random (&state) % 4 != 0)
	observe_random (builder, mib);
      mib->alloc_count = next_random (&state) % 2 ? mib->count : number ();
      mib->alloc_bytes = number () | 1;
      if (next_random (&state) % 2 == 0)
	raw_builder_live (builder, i, number () | 1, number ())->alloc_count
	  = 1;
      if (i % 5 == 0)
	raw_builder_histogram (builder, i, i % 505, number ());
      if (i % 7 == 0)
	raw_builder_affinity (builder, i - i % 3, i, number ());
    }
  for (uint32_t i = next_random (&state) % 20; i < RAW_BUILDER_RECORDS;
       i += 1 + next_random (&state) % 60)
    {
      const struct heapprof_raw_leak leak
	= { .context = i,
	    .lost_count = (uint32_t) number (),
	    .indirect_count = (uint32_t) number (),
	    .lost_bytes = number (),
	    .indirect_bytes = number () };
      raw_builder_leak (builder, &leak);
    }
  for (unsigned i = 0; i < 20; i++)
    raw_builder_interpreted (builder, i % 3 == 0 ? "same" : "f",
			     i % 4 == 0 ? "/a/b.py" : "/a/c.py",
			     (uint32_t) number (), (uint32_t) number ());
  random_times (builder);
  random_threads (builder);
}
