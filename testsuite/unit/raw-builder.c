/* Make raw profiles from records.
   SPDX-License-Identifier: GPL-3.0-or-later

   Independent code stores the bytes at the offsets in heapprof/raw-format.h, so
   that an error of the reader is not repeated here.  */

#include "raw-builder.h"
#include <stdlib.h>
#include <string.h>

static const size_t record_bytes[] = {
  0, 16, 128, 96, 1, 16, 256, 64, 32, 24576, 32, 16, 16, 32, 128, 24, 64, 24
};

void
raw_builder_init (struct raw_builder *builder)
{
  memset (builder, 0, sizeof *builder);
  struct heapprof_raw_header *header = &builder->header;
  memcpy (header->magic, HEAPPROF_RAW_MAGIC, HEAPPROF_RAW_MAGIC_BYTES);
  header->byte_order = HEAPPROF_RAW_BYTE_ORDER;
  header->version = HEAPPROF_RAW_VERSION;
  header->header_bytes = HEAPPROF_RAW_HEADER_BYTES;
  header->word_bytes = 8;
  header->granule_shift = 6;
  header->machine = 62;
  header->state = HEAPPROF_RAW_COMPLETE;
  builder->counts[HEAPPROF_RAW_CONTEXTS] = 1;
  builder->counts[HEAPPROF_RAW_MIBS] = 1;
  builder->counts[HEAPPROF_RAW_STRINGS] = 1;
  builder->header.epoch = 1;
}

uint64_t
raw_builder_string (struct raw_builder *builder, const char *text)
{
  uint64_t offset = builder->counts[HEAPPROF_RAW_STRINGS];
  strcpy (builder->strings + offset, text);
  builder->counts[HEAPPROF_RAW_STRINGS] += strlen (text) + 1;
  return offset;
}

uint32_t
raw_builder_context (struct raw_builder *builder, uint32_t parent,
		     uint64_t return_address)
{
  uint32_t index = builder->counts[HEAPPROF_RAW_CONTEXTS]++;
  builder->contexts[index].parent = parent;
  builder->contexts[index].return_address = return_address;
  return index;
}

struct heapprof_raw_mib *
raw_builder_mib (struct raw_builder *builder, uint32_t context)
{
  uint32_t index = builder->counts[HEAPPROF_RAW_MIBS]++;
  builder->mibs[index].context = context;
  builder->mibs[index].state = 1;
  builder->contexts[context].mib = index;
  return &builder->mibs[index];
}

struct heapprof_raw_mib *
raw_builder_live (struct raw_builder *builder, uint32_t context, uint32_t count,
		  uint64_t bytes)
{
  struct heapprof_raw_live *live
    = &builder->live[builder->counts[HEAPPROF_RAW_LIVE]++];
  live->mib = builder->contexts[context].mib;
  live->count = count;
  live->bytes = bytes;
  struct heapprof_raw_mib *mib
    = &builder->mibs[builder->counts[HEAPPROF_RAW_MIBS]++];
  mib->context = context;
  mib->state = 1;
  return mib;
}

void
raw_builder_histogram (struct raw_builder *builder, uint32_t context,
		       uint32_t first_word, uint64_t count)
{
  struct heapprof_raw_histogram *histogram
    = &builder->histograms[builder->counts[HEAPPROF_RAW_HISTOGRAM]++];
  histogram->context = context;
  histogram->first_word = first_word;
  for (int i = 0; i < HEAPPROF_RAW_HISTOGRAM_COUNTS; i++)
    histogram->counts[i] = count;
}

void
raw_builder_affinity (struct raw_builder *builder, uint32_t first,
		      uint32_t second, uint64_t lines)
{
  builder->affinities[builder->counts[HEAPPROF_RAW_AFFINITY]++]
    = (struct heapprof_raw_affinity){ first, second, lines };
}

void
raw_builder_leak (struct raw_builder *builder,
		  const struct heapprof_raw_leak *leak)
{
  builder->leaks[builder->counts[HEAPPROF_RAW_LEAK]++] = *leak;
  builder->header.leak_state = HEAPPROF_RAW_LEAKS_KNOWN;
  builder->header.leak_records = builder->counts[HEAPPROF_RAW_LEAK] << 32;
}

uint64_t
raw_builder_interpreted (struct raw_builder *builder, const char *function,
			 const char *file, uint32_t first_line, uint32_t line)
{
  uint64_t *count = &builder->counts[HEAPPROF_RAW_INTERPRETED];
  if (*count == 0)
    builder->interpreted[(*count)++] = (struct heapprof_raw_interpreted){ 0 };
  builder->interpreted[*count] = (struct heapprof_raw_interpreted){
    .function = raw_builder_string (builder, function),
    .file = raw_builder_string (builder, file),
    .line = line,
    .first_line = first_line
  };
  return HEAPPROF_RAW_INTERPRETED_FIRST + (*count)++;
}

void
raw_builder_thread (struct raw_builder *builder,
		    const struct heapprof_raw_thread *thread)
{
  struct heapprof_raw_thread *added
    = &builder->threads[builder->counts[HEAPPROF_RAW_THREADS]++];
  *added = *thread;
  added->epoch = builder->header.epoch;
}

void
raw_builder_timeline (struct raw_builder *builder, uint32_t count,
		      uint64_t seed)
{
  struct heapprof_raw_timeline *timeline = &builder->timeline;
  builder->counts[HEAPPROF_RAW_TIMELINE] = 1;
  timeline->state = HEAPPROF_RAW_TIMELINE_STATE (20, seed & 1, count);
  timeline->time_ns = ((uint64_t) count << 20) + 1000;
  timeline->live = seed >> 20;
  timeline->max = seed >> 19;
  timeline->area[0] = seed / 2;
  for (uint32_t i = 0; i < count; i++)
    timeline->samples[seed & 1][i] = (struct heapprof_raw_sample){
      .max = seed >> i % 50, .end = seed >> i % 60, .mean = seed >> i % 40
    };
}

void
raw_builder_mark (struct raw_builder *builder, const char *label, uint64_t ns)
{
  builder->marks[builder->counts[HEAPPROF_RAW_MARKS]++]
    = (struct heapprof_raw_mark){ .time_ns = ns,
				  .label = raw_builder_string (builder, label),
				  .first
				  = builder->counts[HEAPPROF_RAW_MARKED] };
}

void
raw_builder_marked (struct raw_builder *builder, uint32_t mib, uint32_t count,
		    uint64_t bytes)
{
  struct heapprof_raw_mark *mark
    = &builder->marks[builder->counts[HEAPPROF_RAW_MARKS] - 1];
  builder->marked[builder->counts[HEAPPROF_RAW_MARKED]++]
    = (struct heapprof_raw_live){ .mib = mib, .count = count, .bytes = bytes };
  mark->count++;
  mark->bytes += bytes;
}

struct heapprof_raw_segment *
raw_builder_segment (struct raw_builder *builder, uint64_t start, uint64_t end,
		     const char *path)
{
  struct heapprof_raw_segment *segment
    = &builder->segments[builder->counts[HEAPPROF_RAW_SEGMENTS]++];
  segment->start = start;
  segment->end = end;
  segment->path = raw_builder_string (builder, path);
  segment->build_id_bytes = 20;
  memset (segment->build_id, 0xb1, 20);
  return segment;
}

static struct heapprof_raw_range
equal_range (uint64_t count, uint64_t value)
{
  return (struct heapprof_raw_range){ count * value, value, value };
}

static uint32_t
narrow_value (uint64_t value)
{
  return value < UINT32_MAX ? value : UINT32_MAX;
}

/* Set *NARROW from *WIDE.  Return true if a wide record is needed.  */
static bool
set_range (struct heapprof_raw_narrow_range *narrow,
	   const struct heapprof_raw_range *wide)
{
  *narrow
    = (struct heapprof_raw_narrow_range){ wide->total, narrow_value (wide->min),
					  narrow_value (wide->max) };
  return wide->total >> 31 != 0;
}

void
raw_builder_observe (struct raw_builder *builder, struct heapprof_raw_mib *mib,
		     uint64_t count, uint64_t size, uint64_t accesses,
		     uint64_t lifetime_ns, uint64_t first_ns)
{
  uint64_t density = accesses * 100 / size;
  uint64_t last_ns = first_ns + (count - 1) * lifetime_ns;
  uint64_t used = accesses ? 100 : 0;
  const struct heapprof_raw_observations all
    = { .count = count,
	.access_count = equal_range (count, accesses),
	.size = equal_range (count, size),
	.lifetime_ns = equal_range (count, lifetime_ns),
	.utilization = equal_range (count, used),
	.access_density = equal_range (count, density),
	.lifetime_access_density
	= equal_range (count, density * 1000 / (lifetime_ns / 1000000 + 1)),
	.last_alloc_ns = last_ns };
  mib->count = count;
  mib->utilization_total = all.utilization.total;
  mib->lifetime = all.lifetime_ns.total & HEAPPROF_RAW_TIME_MASK;
  mib->min_lifetime_ns = mib->max_lifetime_ns = mib->last_lifetime_ns
    = narrow_value (lifetime_ns);
  mib->first_alloc = first_ns | UINT64_C (1) << 48;
  mib->first_dealloc = (first_ns + lifetime_ns) | UINT64_C (2) << 48;
  mib->last_dealloc = (last_ns + lifetime_ns) | used << 48 | used << 56;
  mib->migrated_cpu = count;
  mib->same_alloc_cpu = mib->same_dealloc_cpu = count - 1;
  bool is_wide
    = all.lifetime_ns.total >> 47 != 0 || mib->max_lifetime_ns == UINT32_MAX;
  is_wide |= set_range (&mib->access_count, &all.access_count);
  is_wide |= set_range (&mib->size, &all.size);
  is_wide |= set_range (&mib->access_density, &all.access_density);
  is_wide
    |= set_range (&mib->lifetime_access_density, &all.lifetime_access_density);
  if (!is_wide)
    return;
  if (builder->counts[HEAPPROF_RAW_WIDE] == 0)
    builder->counts[HEAPPROF_RAW_WIDE] = 1;
  mib->wide = builder->counts[HEAPPROF_RAW_WIDE]++;
  builder->wide[mib->wide].mib = mib - builder->mibs;
  builder->wide[mib->wide].observations = all;
}

/* ---- Bytes.  */

struct output
{
  unsigned char *data;
  size_t at;
  bool big_endian;
};

static void
put (struct output *output, uint64_t value, size_t n)
{
  for (size_t i = 0; i < n; i++)
    output->data[output->at++]
      = value >> 8 * (output->big_endian ? n - 1 - i : i);
}

static void
put_bytes (struct output *output, const void *bytes, size_t n)
{
  memcpy (output->data + output->at, bytes, n);
  output->at += n;
}

static void
put_range (struct output *output, const struct heapprof_raw_range *range)
{
  put (output, range->total, 8);
  put (output, range->min, 8);
  put (output, range->max, 8);
}

static void
put_narrow_range (struct output *output,
		  const struct heapprof_raw_narrow_range *range)
{
  put (output, range->total, 4);
  put (output, range->min, 4);
  put (output, range->max, 4);
}

static void
put_mib (struct output *output, const struct heapprof_raw_mib *mib)
{
  put (output, mib->context, 4);
  put (output, mib->wide, 4);
  put (output, mib->alloc_bytes, 8);
  put (output, mib->alloc_count, 4);
  put (output, mib->state, 2);
  put (output, mib->migrated_cpu, 2);
  put (output, mib->count, 4);
  put (output, mib->utilization_total, 4);
  put_narrow_range (output, &mib->access_count);
  put_narrow_range (output, &mib->size);
  put (output, mib->lifetime, 8);
  put (output, mib->min_lifetime_ns, 4);
  put (output, mib->max_lifetime_ns, 4);
  put_narrow_range (output, &mib->access_density);
  put_narrow_range (output, &mib->lifetime_access_density);
  put (output, mib->same_alloc_cpu, 2);
  put (output, mib->same_dealloc_cpu, 2);
  put (output, mib->last_lifetime_ns, 4);
  put (output, mib->first_alloc, 8);
  put (output, mib->first_dealloc, 8);
  put (output, mib->last_dealloc, 8);
}

static void
put_observations (struct output *output,
		  const struct heapprof_raw_observations *observations)
{
  put (output, observations->count, 8);
  put_range (output, &observations->access_count);
  put_range (output, &observations->size);
  put_range (output, &observations->lifetime_ns);
  put_range (output, &observations->utilization);
  put_range (output, &observations->access_density);
  put_range (output, &observations->lifetime_access_density);
  put (output, observations->first_alloc_ns, 8);
  put (output, observations->last_alloc_ns, 8);
  put (output, observations->first_dealloc_ns, 8);
  put (output, observations->last_dealloc_ns, 8);
  put (output, observations->alloc_cpu, 4);
  put (output, observations->dealloc_cpu, 4);
  put (output, observations->migrated_cpu, 8);
  put (output, observations->lifetime_overlaps, 8);
  put (output, observations->same_alloc_cpu, 8);
  put (output, observations->same_dealloc_cpu, 8);
}

static void
put_timeline (struct output *output,
	      const struct heapprof_raw_timeline *timeline)
{
  put (output, timeline->state, 8);
  put (output, timeline->live, 8);
  put (output, timeline->time_ns, 8);
  put (output, timeline->max, 8);
  put (output, timeline->area[0], 8);
  put (output, timeline->area[1], 8);
  output->at += sizeof timeline->reserved;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < HEAPPROF_RAW_SAMPLES; j++)
      {
	put (output, timeline->samples[i][j].max, 8);
	put (output, timeline->samples[i][j].end, 8);
	put (output, timeline->samples[i][j].mean, 8);
      }
}

static void
put_live (struct output *output, const struct heapprof_raw_live *live)
{
  put (output, live->mib, 4);
  put (output, live->count, 4);
  put (output, live->bytes, 8);
}

static void
put_thread (struct output *output, const struct heapprof_raw_thread *thread)
{
  put (output, thread->tid, 4);
  put (output, thread->epoch, 4);
  put (output, thread->start_ns, 8);
  put (output, thread->end_ns, 8);
  put (output, thread->alloc_bytes, 8);
  put (output, thread->alloc_count, 8);
  put (output, thread->free_bytes, 8);
  put (output, thread->free_count, 8);
  put (output, thread->peak_bytes, 8);
  put (output, thread->other_bytes, 8);
  put (output, thread->other_count, 8);
  put (output, thread->moment_number, 8);
  put (output, thread->moment_bytes, 8);
  put (output, thread->moment_count, 4);
  put (output, thread->threads, 4);
  put (output, thread->before, 4);
  put (output, thread->owner, 4);
  put_bytes (output, thread->name, 16);
}

static void
put_brief (struct output *output, const struct heapprof_raw_brief *brief)
{
  put (output, brief->state, 2);
  put (output, brief->alloc_count, 1);
  put (output, brief->count, 1);
  if (brief->state == HEAPPROF_RAW_GROWN)
    put (output, brief->full, 4);
  else
    {
      put (output, brief->size, 2);
      put (output, brief->accesses, 2);
    }
  put (output, brief->number, 4);
  put (output, brief->lifetime_access_density, 4);
  put (output, brief->lifetime, 8);
  put (output, brief->min_lifetime, 8);
  put (output, brief->max_lifetime, 8);
  put (output, brief->last_lifetime, 8);
  put (output, brief->last_dealloc, 8);
  put (output, brief->lifetime_bytes, 8);
}

static void
put_origin (struct output *output, const struct heapprof_raw_origin *origin)
{
  put (output, origin->context, 4);
  put (output, origin->first_bytes, 2);
  put (output, origin->reserved0, 2);
  put (output, origin->first_alloc, 8);
  put (output, origin->first_dealloc, 8);
}

static void
put_brief_6 (struct output *output, const struct heapprof_raw_brief_6 *brief)
{
  put (output, brief->context, 4);
  put (output, brief->alloc_cpu, 1);
  put (output, brief->dealloc_cpu, 1);
  put (output, brief->migrated_cpu, 1);
  put (output, brief->lifetime_overlaps, 1);
  put (output, brief->state, 2);
  put (output, brief->alloc_count, 1);
  put (output, brief->count, 1);
  if (brief->state == HEAPPROF_RAW_GROWN)
    put (output, brief->full, 4);
  else
    {
      put (output, brief->size, 2);
      put (output, brief->accesses, 2);
    }
  put (output, brief->lifetime, 8);
  put (output, brief->min_lifetime_ns, 4);
  put (output, brief->max_lifetime_ns, 4);
  put (output, brief->first_alloc, 8);
  put (output, brief->last_dealloc, 8);
  put (output, brief->last_lifetime_ns, 4);
  put (output, brief->first_lifetime_ns, 4);
  put (output, brief->lifetime_access_density, 4);
  put (output, brief->number, 4);
  put (output, brief->lifetime_bytes, 8);
}

static void
put_number (struct output *output, double number)
{
  uint64_t bits;
  memcpy (&bits, &number, sizeof bits);
  put (output, bits, sizeof bits);
}

static void
put_moment (struct output *output, const struct heapprof_raw_moment *moment,
	    uint32_t version)
{
  if (version < 5)
    {
      put (output, moment->number, 8);
      put (output, moment->bytes, 8);
      put (output, moment->count, 4);
      put (output, 0, 4);
    }
  else
    {
      put (output, moment->number, 4);
      put (output, moment->count, 4);
      put (output, moment->bytes, 8);
      put (output, moment->lifetime_bytes, 8);
    }
  put (output, moment->temporary, 8);
}

static void
put_record (struct output *output, const struct raw_builder *builder,
	    uint32_t kind, uint64_t index)
{
  const struct heapprof_raw_context *context = &builder->contexts[index];
  const struct heapprof_raw_wide *wide = &builder->wide[index];
  const struct heapprof_raw_segment *segment = &builder->segments[index];
  const struct heapprof_raw_moment *moment = &builder->moments[index];
  const struct heapprof_raw_mark *mark = &builder->marks[index];
  const struct heapprof_raw_histogram *histogram = &builder->histograms[index];
  const struct heapprof_raw_affinity *affinity = &builder->affinities[index];
  const struct heapprof_raw_leak *leak = &builder->leaks[index];
  const struct heapprof_raw_interpreted *frame = &builder->interpreted[index];
  switch (kind)
    {
    case HEAPPROF_RAW_CONTEXTS:
      put (output, context->return_address, 8);
      put (output, context->parent, 4);
      put (output, context->mib, 4);
      break;
    case HEAPPROF_RAW_MIBS:
      put_mib (output, &builder->mibs[index]);
      break;
    case HEAPPROF_RAW_BRIEFS:
      if (builder->header.version < HEAPPROF_RAW_VERSION_ORIGINS)
	put_brief_6 (output, &builder->briefs_6[index]);
      else
	put_brief (output, &builder->briefs[index]);
      break;
    case HEAPPROF_RAW_ORIGINS:
      put_origin (output, &builder->origins[index]);
      break;
    case HEAPPROF_RAW_SEGMENTS:
      put (output, segment->start, 8);
      put (output, segment->end, 8);
      put (output, segment->load_bias, 8);
      put (output, segment->path, 8);
      put (output, segment->load_time_ns, 8);
      put (output, segment->unload_time_ns, 8);
      put (output, segment->first_context, 4);
      put (output, segment->end_context, 4);
      put (output, segment->build_id_bytes, 4);
      put (output, segment->reserved, 4);
      put_bytes (output, segment->build_id, sizeof segment->build_id);
      break;
    case HEAPPROF_RAW_STRINGS:
      put_bytes (output, builder->strings + index, 1);
      break;
    case HEAPPROF_RAW_LIVE:
      put_live (output, &builder->live[index]);
      break;
    case HEAPPROF_RAW_MOMENTS:
      put_moment (output, moment, builder->header.version);
      break;
    case HEAPPROF_RAW_TIMELINE:
      put_timeline (output, &builder->timeline);
      break;
    case HEAPPROF_RAW_MARKS:
      put (output, mark->time_ns, 8);
      put (output, mark->label, 8);
      put (output, mark->first, 4);
      put (output, mark->count, 4);
      put (output, mark->bytes, 8);
      break;
    case HEAPPROF_RAW_MARKED:
      put_live (output, &builder->marked[index]);
      break;
    case HEAPPROF_RAW_WIDE:
      put (output, wide->mib, 4);
      put (output, wide->reserved0, 4);
      put_observations (output, &wide->observations);
      put_number (output, wide->variances.count);
      put_number (output, wide->variances.bytes);
      put_number (output, wide->variances.accesses);
      break;
    case HEAPPROF_RAW_HISTOGRAM:
      put (output, histogram->context, 4);
      put (output, histogram->first_word, 4);
      for (int i = 0; i < HEAPPROF_RAW_HISTOGRAM_COUNTS; i++)
	put (output, histogram->counts[i], 8);
      break;
    case HEAPPROF_RAW_AFFINITY:
      put (output, affinity->first, 4);
      put (output, affinity->second, 4);
      put (output, affinity->lines, 8);
      break;
    case HEAPPROF_RAW_LEAK:
      put (output, leak->context, 4);
      put (output, 0, 4);
      put (output, leak->lost_count, 4);
      put (output, leak->indirect_count, 4);
      put (output, leak->lost_bytes, 8);
      put (output, leak->indirect_bytes, 8);
      break;
    case HEAPPROF_RAW_THREADS:
      put_thread (output, &builder->threads[index]);
      break;
    case HEAPPROF_RAW_INTERPRETED:
      put (output, frame->function, 8);
      put (output, frame->file, 8);
      put (output, frame->line, 4);
      put (output, frame->first_line, 4);
      break;
    }
}

static void
put_header (struct output *output, const struct heapprof_raw_header *header)
{
  put_bytes (output, header->magic, sizeof header->magic);
  put (output, header->byte_order, 4);
  put (output, header->version, 4);
  put (output, header->header_bytes, 4);
  put (output, header->word_bytes, 1);
  put (output, header->granule_shift, 1);
  put (output, header->flags, 1);
  put (output, 0, 1);
  put (output, header->machine, 4);
  put (output, header->state, 4);
  put_bytes (output, header->run_id, sizeof header->run_id);
  put (output, header->snapshot, 8);
  put (output, header->pid, 8);
  put (output, header->parent_pid, 8);
  put (output, header->start_time_ns, 8);
  put (output, header->end_time_ns, 8);
  put (output, header->program_name, 8);
  put (output, header->dropped_contexts, 8);
  put (output, header->truncated_contexts, 8);
  put (output, header->unprofiled_allocations, 8);
  put (output, header->foreign_frees, 8);
  put (output, header->ended_walks, 8);
  put (output, header->folded_contexts, 8);
  put (output, header->pruned_contexts, 8);
  put (output, header->peak_bytes, 8);
  put (output, header->memory_bytes, 8);
  put (output, header->table_bytes, 8);
  output->at = 208;
  put (output, header->peak_number, 8);
  put (output, header->peak_ns, 8);
  output->at = 296;
  put (output, header->leak_state, 8);
  put (output, header->leak_ns, 8);
  put (output, header->leak_records, 8);
  put (output, header->missed_frees, 8);
  put (output, header->sample_bytes, 8);
  put (output, header->sample_accesses, 8);
  put (output, header->other_accesses, 8);
  output->at = 496;
  put (output, header->extent_count, 8);
  put (output, header->epoch, 8);
  for (int i = 0; i < HEAPPROF_RAW_MAX_EXTENTS; i++)
    {
      put (output, header->extents[i].kind, 4);
      put (output, header->extents[i].record_bytes, 4);
      put (output, header->extents[i].offset, 8);
      put (output, header->extents[i].capacity, 8);
      put (output, header->extents[i].count, 8);
    }
}

/* ---- Layout.  */

/* Add an extent.  Return where the next one starts, a multiple of
   ALIGNMENT.  */
static uint64_t
add_extent (struct heapprof_raw_header *header, uint32_t kind, uint64_t offset,
	    uint64_t count, uint64_t extra_capacity, uint64_t alignment)
{
  const bool is_6 = kind == HEAPPROF_RAW_BRIEFS
		    && header->version < HEAPPROF_RAW_VERSION_ORIGINS;
  const size_t bytes
    = is_6 ? sizeof (struct heapprof_raw_brief_6) : record_bytes[kind];
  header->extents[header->extent_count++]
    = (struct heapprof_raw_extent){ .kind = kind,
				    .record_bytes = (uint32_t) bytes,
				    .offset = offset,
				    .capacity = count + extra_capacity,
				    .count = count };
  uint64_t end = offset + (count + extra_capacity) * bytes;
  return (end + alignment - 1) / alignment * alignment;
}

/* Set the extents of *HEADER.  Return the file's size.  */
static uint64_t
lay_out (const struct raw_builder *builder, struct heapprof_raw_header *header)
{
  const uint64_t alignment = builder->is_small ? 8 : 4096;
  uint64_t offset = HEAPPROF_RAW_HEADER_BYTES;
  header->extent_count = 0;
  for (uint32_t kind = HEAPPROF_RAW_CONTEXTS; kind <= HEAPPROF_RAW_ORIGINS;
       kind++)
    {
      uint64_t first = builder->first_extent[kind];
      if (first != 0)
	offset = add_extent (header, kind, offset, first, 0, alignment);
      if (builder->counts[kind] + builder->extra_capacity[kind] > first)
	offset
	  = add_extent (header, kind, offset, builder->counts[kind] - first,
			builder->extra_capacity[kind], alignment);
    }
  return offset;
}

unsigned char *
raw_builder_finish (const struct raw_builder *builder, size_t *size)
{
  struct heapprof_raw_header header = builder->header;
  *size = lay_out (builder, &header);
  struct output output
    = { .data = calloc (1, *size), .big_endian = builder->big_endian };
  if (!output.data)
    abort ();
  put_header (&output, &header);
  uint64_t next[HEAPPROF_RAW_ORIGINS + 1] = { 0 };
  for (uint64_t i = 0; i < header.extent_count; i++)
    {
      const struct heapprof_raw_extent *extent = &header.extents[i];
      output.at = extent->offset;
      for (uint64_t j = 0; j < extent->count; j++)
	put_record (&output, builder, extent->kind, next[extent->kind]++);
    }
  return output.data;
}

struct raw_profile *
raw_builder_parse (const struct raw_builder *builder, struct profile_error *err)
{
  size_t size;
  unsigned char *data = raw_builder_finish (builder, &size);
  *err = (struct profile_error){ 0 };
  struct raw_profile *profile = raw_profile_parse ("made", data, size, err);
  free (data);
  return profile;
}

uint64_t
raw_builder_offset (const struct raw_builder *builder, uint32_t kind)
{
  struct heapprof_raw_header header = { 0 };
  lay_out (builder, &header);
  for (uint64_t i = 0; i < header.extent_count; i++)
    if (header.extents[i].kind == kind)
      return header.extents[i].offset;
  return 0;
}

void
raw_builder_sample (struct raw_builder *builder)
{
  raw_builder_init (builder);
  builder->header.program_name = raw_builder_string (builder, "/bin/sample");
  builder->header.pid = 4711;
  builder->header.end_time_ns = 5000000000;
  struct heapprof_raw_segment *old
    = raw_builder_segment (builder, 0x1000, 0x2000, "/lib/old.so");
  old->end_context = 3;
  struct heapprof_raw_segment *new
    = raw_builder_segment (builder, 0x1000, 0x3000, "/lib/new.so");
  new->first_context = 3;
  raw_builder_segment (builder, 0x400000, 0x500000, "/bin/sample");
  uint32_t main_context = raw_builder_context (builder, 0, 0x400100);
  uint32_t hot = raw_builder_context (builder, main_context, 0x1100);
  uint32_t cold = raw_builder_context (builder, main_context, 0x1200);
  uint32_t leak = raw_builder_context (builder, cold, 0x400200);

  struct heapprof_raw_mib *mib = raw_builder_mib (builder, hot);
  mib->alloc_count = 10;
  mib->alloc_bytes = 640;
  raw_builder_observe (builder, mib, 8, 64, 1000, 2000000, 100);
  mib = raw_builder_mib (builder, leak);
  mib->alloc_count = 1;
  mib->alloc_bytes = 4096;
  raw_builder_observe (builder, raw_builder_live (builder, hot, 2, 128), 2, 64,
		       3, 400000000, 4000000);
  raw_builder_observe (builder, raw_builder_live (builder, leak, 1, 4096), 1,
		       4096, 0, 7000000000, 7000);
  raw_builder_histogram (builder, hot, 0, 1000);
  raw_builder_histogram (builder, hot, 7, 3);
  raw_builder_histogram (builder, leak, 504, 0);
  raw_builder_histogram (builder, hot, 0, 7);
  raw_builder_affinity (builder, hot, hot, 12);
  raw_builder_affinity (builder, hot, leak, 3);
  const struct heapprof_raw_leak hot_leak
    = { .context = hot, .indirect_count = 1, .indirect_bytes = 64 };
  const struct heapprof_raw_leak cold_leak
    = { .context = leak, .lost_count = 1, .lost_bytes = 4096 };
  raw_builder_leak (builder, &hot_leak);
  raw_builder_leak (builder, &cold_leak);
  raw_builder_interpreted (builder, "main", "/src/main.py", 1, 3);
  raw_builder_interpreted (builder, "Class.method", "/src/main.py", 7, 0);
}
