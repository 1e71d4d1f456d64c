/* Writing the heapprof section.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof-section.h"
#include "heapprof-section-fields.h"
#include "background.h"
#include "heapprof-details.h"
#include "heapprof-addresses.h"
#include "heapprof-affinities.h"
#include "heapprof-modules.h"
#include "heapprof-leaks.h"
#include "heapprof-lifetimes.h"
#include "heapprof-places.h"
#include "heapprof-threads.h"
#include "heapprof-moments.h"
#include "canonical-order.h"
#include "deflate-pieces.h"
#include "function-id.h"
#include "gcov-section.h"
#include "heap-profile-fill.h"
#include <stdlib.h>
#include <zlib.h>

/* Of a 64-bit number, 7 bits per byte.  */
#define MOST_ULEB128_BYTES 10

/* Prefetch distance of MIBs, which are scattered in memory.  */
#define LOOK_AHEAD 12

/* Of a context, on average.  */
#define CONTEXT_BYTES 20

/* Below this number, starting a thread costs more than it saves.  */
#define LEAST_CONTEXTS_IN_BACKGROUND 16384

struct heapprof_section_making
{
  const struct heap_profile *heap;
  const struct counter_profile *counters;
  const struct gcov_profile *gcov;
  bool has_values;
  bool has_details;
  bool has_modules;
  bool has_affinities;
  bool has_leaks;
  bool has_threads;
  bool has_lifetimes;
  bool has_addresses; /* set when the blocks are made */
  bool has_moments;
  struct byte_writer blocks;
  struct byte_writer moments; /* blocks after those: */
  struct byte_writer affinities;
  struct byte_writer leaks;
  struct byte_writer threads;
  struct byte_writer places;
  struct byte_writer lifetimes; /* the block */
  struct background background;
  struct background_shared shared; /* the caller helps while it waits */
};

static void
write_totals (struct byte_writer *writer, const struct heap_profile *profile)
{
  const struct heap_totals *totals = heap_profile_read_totals (profile);
  byte_writer_uleb128 (writer, totals->runs);
  byte_writer_uleb128 (writer, totals->incomplete_runs);
  byte_writer_uleb128 (writer, totals->dropped_contexts);
  byte_writer_uleb128 (writer, totals->truncated_contexts);
  byte_writer_uleb128 (writer, totals->unprofiled_allocations);
  byte_writer_uleb128 (writer, totals->foreign_frees);
  byte_writer_uleb128 (writer, totals->ended_walks);
  byte_writer_uleb128 (writer, totals->folded_contexts);
  byte_writer_uleb128 (writer, totals->pruned_contexts);
  byte_writer_uleb128 (writer, totals->duration_ns);
  bool has_overall = (totals->overall_runs | totals->overall_accesses) != 0;
  bool has_watched = totals->watched_runs != 0 || has_overall;
  bool has_totals_only = totals->totals_only_runs != 0 || has_watched;
  bool has_sampled = totals->sampled_runs != 0 || has_totals_only;
  bool has_attached
    = (totals->attached_runs | totals->missed_frees | totals->refused_runs) != 0
      || has_sampled;
  bool has_unfinished
    = (totals->running_runs | totals->unknown_runs) != 0 || has_attached;
  if ((totals->peak_bytes | totals->memory_bytes | totals->table_bytes) == 0
      && !has_unfinished)
    return;
  byte_writer_uleb128 (writer, totals->peak_bytes);
  byte_writer_uleb128 (writer, totals->memory_bytes);
  byte_writer_uleb128 (writer, totals->table_bytes);
  if (!has_unfinished)
    return;
  byte_writer_uleb128 (writer, totals->running_runs);
  byte_writer_uleb128 (writer, totals->unknown_runs);
  if (!has_attached)
    return;
  byte_writer_uleb128 (writer, totals->attached_runs);
  byte_writer_uleb128 (writer, totals->missed_frees);
  if (totals->refused_runs == 0 && !has_sampled)
    return;
  byte_writer_uleb128 (writer, totals->refused_runs);
  if (!has_sampled)
    return;
  byte_writer_uleb128 (writer, totals->sampled_runs);
  byte_writer_uleb128 (writer, totals->sample_bytes);
  if (!has_totals_only)
    return;
  byte_writer_uleb128 (writer, totals->totals_only_runs);
  if (!has_watched)
    return;
  byte_writer_uleb128 (writer, totals->watched_runs);
  if (!has_overall)
    return;
  byte_writer_uleb128 (writer, totals->overall_runs);
  byte_writer_uleb128 (writer, totals->overall_accesses);
}

static void
write_strings (struct byte_writer *writer, const struct heap_profile *profile,
	       const struct canonical_table *strings)
{
  byte_writer_uleb128 (writer, strings->count - 1);
  for (uint32_t i = 1; i < strings->count; i++)
    {
      uint32_t id = strings->ids[i];
      size_t n = heap_profile_string_bytes (profile, id);
      byte_writer_uleb128 (writer, n);
      byte_writer_bytes (writer, heap_profile_string (profile, id), n);
    }
}

static void
write_frame (struct byte_writer *writer, const struct heap_profile *profile,
	     const struct heap_frame *frame, const uint32_t *string_places)
{
  const char *name = heap_profile_string (profile, frame->function_name);
  bool has_guid = frame->function_guid != function_canonical_guid (name);
  bool has_line_offset
    = frame->line_offset != ((frame->line - frame->start_line) & 0xffff);
  byte_writer_u8 (writer,
		  (frame->is_inline ? HEAPPROF_SECTION_IS_INLINE : 0)
		    | (frame->drop_column ? HEAPPROF_SECTION_DROP_COLUMN : 0)
		    | (has_guid ? HEAPPROF_SECTION_HAS_GUID : 0)
		    | (has_line_offset ? HEAPPROF_SECTION_HAS_LINE_OFFSET : 0));
  byte_writer_uleb128 (writer, string_places[frame->function_name]);
  byte_writer_uleb128 (writer, string_places[frame->file]);
  byte_writer_uleb128 (writer, string_places[frame->module]);
  byte_writer_uleb128 (writer, frame->start_line);
  byte_writer_uleb128 (writer, frame->line);
  byte_writer_uleb128 (writer, frame->column);
  byte_writer_uleb128 (writer, frame->discriminator);
  if (has_guid)
    byte_writer_u64 (writer, frame->function_guid);
  if (has_line_offset)
    byte_writer_uleb128 (writer, frame->line_offset);
}

static void
write_frames (struct byte_writer *writer, const struct heap_profile *profile,
	      const struct canonical_order *order)
{
  byte_writer_uleb128 (writer, order->frames.count - 1);
  for (uint32_t i = 1; i < order->frames.count; i++)
    write_frame (writer, profile,
		 heap_profile_frame (profile, order->frames.ids[i]),
		 order->strings.places);
}

/* Map small differences of either sign to small numbers.  */
static uint64_t
zigzag (uint64_t difference)
{
  return difference << 1 ^ (difference >> 63 ? UINT64_MAX : 0);
}

/* Store VALUE at TO as an unsigned LEB128 number.  Return the address after
   it.  */
static uint8_t *
put_uleb128 (uint8_t *to, uint64_t value)
{
  for (; value >= 0x80; value >>= 7)
    *to++ = value | 0x80;
  *to++ = value;
  return to;
}

static void
write_info (struct byte_writer *writer, const struct memory_info *info)
{
  uint8_t fields[HEAPPROF_SECTION_FIELDS * MOST_ULEB128_BYTES];
  uint8_t *end = fields;
  uint64_t stored = 0;
  uint64_t before = 0;
#pragma GCC unroll 64
  for (int i = 0; i < HEAPPROF_SECTION_FIELDS; i++)
    {
      const struct heapprof_section_field *field = &heapprof_section_fields[i];
      uint64_t value = heapprof_section_get (info, field);
      uint64_t guess = heapprof_section_guess (info, field, before);
      before = value;
      if (value == guess)
	continue;
      stored |= UINT64_C (1) << i;
      end = put_uleb128 (end, field->guess == HEAPPROF_SECTION_ZERO
				? value
				: zigzag (value - guess));
    }
  byte_writer_uleb128 (writer, stored);
  byte_writer_bytes (writer, fields, end - fields);
}

static void
write_contexts (struct byte_writer *writer, const struct heap_profile *profile,
		const struct canonical_order *order)
{
  const struct canonical_table *contexts = &order->contexts;
  const struct heap_profile_infos infos = heap_profile_infos (profile);
  byte_writer_expect (writer, (size_t) contexts->count * CONTEXT_BYTES);
  byte_writer_uleb128 (writer, contexts->count - 1);
  for (uint32_t i = 0; i < contexts->count; i++)
    {
      uint32_t id = contexts->ids[i];
      if (contexts->count - i > LOOK_AHEAD)
	info_place_prefetch (heap_infos_place (&infos,
					       contexts->ids[i + LOOK_AHEAD]));
      struct memory_info room;
      const struct memory_info *info
	= info_place_read (heap_infos_place (&infos, id), &room);
      uint32_t caller
	= contexts->places[heap_profile_context_caller (profile, id)];
      byte_writer_uleb128 (writer, (uint64_t) (i - caller) << 1 | !!info);
      if (i != 0)
	byte_writer_uleb128 (
	  writer,
	  order->frames.places[heap_profile_context_frame (profile, id)]);
      if (info)
	write_info (writer, info);
    }
}

/* The content and the alignment must follow.  */
static void
write_block_head (struct byte_writer *writer, enum heapprof_section_block kind,
		  enum heapprof_section_encoding encoding, size_t n,
		  size_t plain_bytes)
{
  byte_writer_u32 (writer, kind);
  byte_writer_u32 (writer, encoding);
  byte_writer_u64 (writer, n);
  byte_writer_u64 (writer, plain_bytes);
}

static void
deflate_together (void *pieces)
{
  deflate_pieces_work (pieces);
}

/* Append the bytes of PLAIN, deflated if that makes them fewer, but not too
   few.  Return false if memory is exhausted.  */
static bool
write_block (struct heapprof_section_making *making,
	     enum heapprof_section_block kind, const struct byte_writer *plain)
{
  struct byte_writer *writer = &making->blocks;
  struct deflate_pieces *pieces = deflate_pieces_new (plain->data, plain->size);
  if (!pieces)
    return false;
  background_shared_do (&making->shared, deflate_together, pieces);
  size_t n = 0;
  bool done = deflate_pieces_measure (pieces, &n);
  bool is_smaller = (done && n < plain->size
		     && plain->size / HEAPPROF_SECTION_MOST_RATIO < n);
  write_block_head (writer, kind,
		    is_smaller ? HEAPPROF_SECTION_ZLIB : HEAPPROF_SECTION_PLAIN,
		    is_smaller ? n : plain->size, plain->size);
  if (is_smaller)
    deflate_pieces_write (writer, pieces);
  else
    byte_writer_bytes (writer, plain->data, plain->size);
  byte_writer_align (writer, 8);
  deflate_pieces_free (pieces);
  return done;
}

static bool
write_heap_blocks (struct heapprof_section_making *making,
		   const struct canonical_order *order)
{
  const struct heap_profile *profile = making->heap;
  bool done = true;
  for (int kind = HEAPPROF_SECTION_TOTALS;
       done && kind <= HEAPPROF_SECTION_CONTEXTS; kind++)
    {
      struct byte_writer plain = { 0 };
      if (kind == HEAPPROF_SECTION_TOTALS)
	write_totals (&plain, profile);
      else if (kind == HEAPPROF_SECTION_STRINGS)
	write_strings (&plain, profile, &order->strings);
      else if (kind == HEAPPROF_SECTION_FRAMES)
	write_frames (&plain, profile, order);
      else
	write_contexts (&plain, profile, order);
      done = !plain.failed && write_block (making, kind, &plain);
      byte_writer_free (&plain);
    }
  return done && !making->blocks.failed;
}

static void
write_trailer (struct byte_writer *writer, size_t section)
{
  size_t section_bytes = writer->size - section;
  byte_writer_u64 (writer, section);
  byte_writer_u64 (writer, section_bytes);
  byte_writer_u32 (writer, HEAPPROF_SECTION_VERSION);
  if (!writer->failed)
    byte_writer_u32 (writer, crc32_z (0, writer->data, writer->size));
  byte_writer_bytes (writer, HEAPPROF_SECTION_MAGIC,
		     HEAPPROF_SECTION_MAGIC_BYTES);
}

/* Return which contexts lead to a MIB or a call site of the details; NULL if
   memory is exhausted.  */
static bool *
find_wanted (const struct heap_profile *profile)
{
  uint32_t count = heap_profile_context_count (profile);
  bool *wanted = calloc (count, sizeof *wanted);
  const struct heap_details *details = heap_profile_read_details (profile);
  uint32_t site_count = heap_details_call_site_count (details);
  for (uint32_t i = 0; wanted && i < site_count; i++)
    wanted[heap_details_call_site_at (details, i)->context] = true;
  const struct heap_profile_infos infos = heap_profile_infos (profile);
  for (uint32_t id = wanted ? count : 0; id-- > 0;)
    {
      if (id == 0 || heap_infos_number (&infos, id) != 0)
	wanted[id] = true;
      if (wanted[id])
	wanted[heap_profile_context_caller (profile, id)] = true;
    }
  return wanted;
}

static bool
write_heap (struct heapprof_section_making *making,
	    struct canonical_order *order)
{
  bool *wanted = find_wanted (making->heap);
  bool done = (wanted && canonical_order_make (order, making->heap, wanted)
	       && write_heap_blocks (making, order));
  free (wanted);
  return done;
}

typedef void heap_writer (struct byte_writer *writer,
			  const struct heap_profile *profile,
			  const struct canonical_order *order);

/* Write the block of KIND, which WRITE creates from the heap profile.  */
static bool
write_beside (struct heapprof_section_making *making,
	      enum heapprof_section_block kind, heap_writer *write,
	      const struct canonical_order *order)
{
  struct byte_writer plain = { 0 };
  write (&plain, making->heap, order);
  bool done = !plain.failed && write_block (making, kind, &plain);
  byte_writer_free (&plain);
  return done;
}

static bool
write_values (struct heapprof_section_making *making)
{
  struct byte_writer plain = { 0 };
  heapprof_values_write (&plain, making->counters);
  bool done
    = (!plain.failed && write_block (making, HEAPPROF_SECTION_VALUES, &plain));
  byte_writer_free (&plain);
  return done;
}

/* Write a block in which compilers look up single entries.  */
static void
write_plain_block (struct byte_writer *writer, enum heapprof_section_block kind,
		   const struct byte_writer *plain)
{
  write_block_head (writer, kind, HEAPPROF_SECTION_PLAIN, plain->size,
		    plain->size);
  byte_writer_bytes (writer, plain->data, plain->size);
  byte_writer_align (writer, 8);
}

static bool
write_gcov (struct byte_writer *writer, const struct gcov_profile *gcov)
{
  struct byte_writer plain = { 0 };
  bool done = gcov_section_write (&plain, gcov);
  write_plain_block (writer, HEAPPROF_SECTION_GCOV, &plain);
  byte_writer_free (&plain);
  return done;
}

/* Write the block of KIND, which WRITE creates and which comes after that of
   classes, to WRITER.  */
static bool
write_later (struct heapprof_section_making *making, struct byte_writer *writer,
	     enum heapprof_section_block kind, heap_writer *write,
	     const struct canonical_order *order)
{
  struct byte_writer before = making->blocks;
  making->blocks = (struct byte_writer){ 0 };
  bool done = write_beside (making, kind, write, order);
  *writer = making->blocks;
  making->blocks = before;
  return done && !writer->failed;
}

/* Write the blocks.  Alignment here equals alignment in the file, since the
   size of the section's header is a multiple of 8.  */
static void
make_blocks (void *data)
{
  struct heapprof_section_making *making = data;
  struct byte_writer *writer = &making->blocks;
  struct canonical_order order = { 0 };
  bool done = ((!making->heap || write_heap (making, &order))
	       && (!making->has_values || write_values (making))
	       && (!making->gcov || write_gcov (writer, making->gcov))
	       && (!making->has_details
		   || write_beside (making, HEAPPROF_SECTION_DETAILS,
				    heapprof_details_write, &order))
	       && (!making->has_modules
		   || write_beside (making, HEAPPROF_SECTION_MODULES,
				    heapprof_modules_write, &order)));
  making->has_addresses
    = (done && making->heap
       && heapprof_addresses_are_there (making->heap, &order));
  done = done
	 && (!making->has_addresses
	     || write_beside (making, HEAPPROF_SECTION_ADDRESSES,
			      heapprof_addresses_write, &order))
	 && (!making->has_moments
	     || write_later (making, &making->moments, HEAPPROF_SECTION_MOMENTS,
			     heapprof_moments_write, &order))
	 && (!making->has_lifetimes
	     || write_later (making, &making->lifetimes,
			     HEAPPROF_SECTION_LIFETIMES,
			     heapprof_lifetimes_write, &order));
  if (done && making->has_affinities)
    heapprof_affinities_write (&making->affinities, making->heap, &order);
  if (done && making->has_leaks)
    heapprof_leaks_write (&making->leaks, making->heap, &order);
  if (done && making->has_threads)
    heapprof_threads_write (&making->threads, making->heap);
  if (done && making->heap)
    heapprof_places_write (&making->places, making->heap, &order);
  canonical_order_free (&order);
  writer->failed |= !done;
  background_shared_end (&making->shared);
}

struct heapprof_section_making *
heapprof_section_begin (const struct heap_profile *heap,
			const struct counter_profile *counters,
			const struct gcov_profile *gcov)
{
  struct heapprof_section_making *making = calloc (1, sizeof *making);
  if (!making)
    return NULL;
  making->heap = heap;
  making->counters = counters;
  making->gcov = gcov;
  making->has_values = heapprof_values_are_needed (counters);
  making->has_details = heap && heapprof_details_are_there (heap);
  making->has_modules = heap && heapprof_modules_are_there (heap);
  making->has_affinities = heap && heapprof_affinities_are_there (heap);
  making->has_leaks = heap && heapprof_leaks_are_there (heap);
  making->has_threads = heap && heapprof_threads_are_there (heap);
  making->has_moments = heap && heapprof_moments_are_there (heap);
  making->has_lifetimes = heap && heapprof_lifetimes_are_there (heap);
  background_shared_init (&making->shared);
  background_begin (&making->background, make_blocks, making,
		    heap
		      && (heap_profile_context_count (heap)
			  >= LEAST_CONTEXTS_IN_BACKGROUND));
  return making;
}

/* Append the section of MAKING, which has BLOCK_COUNT blocks, and the
   trailer.  */
static void
write_section (struct byte_writer *writer,
	       const struct heapprof_section_making *making,
	       uint32_t block_count)
{
  byte_writer_align (writer, 8);
  size_t section = writer->size;
  byte_writer_bytes (writer, HEAPPROF_SECTION_MAGIC,
		     HEAPPROF_SECTION_MAGIC_BYTES);
  byte_writer_u32 (writer, HEAPPROF_SECTION_VERSION);
  byte_writer_u32 (writer, block_count);
  byte_writer_bytes (writer, making->blocks.data, making->blocks.size);
  write_trailer (writer, section);
}

bool
heapprof_section_end (struct heapprof_section_making *making,
		      const struct byte_writer *classes,
		      const struct byte_writer *groups,
		      struct byte_writer *writer)
{
  if (making->background.has_thread)
    background_shared_help (&making->shared);
  background_end (&making->background);
  background_shared_destroy (&making->shared);
  uint32_t block_count
    = ((making->heap ? HEAPPROF_SECTION_HEAP_BLOCKS : 0) + making->has_values
       + (making->gcov != NULL) + making->has_details + making->has_modules
       + making->has_addresses + making->has_moments + making->has_affinities
       + (classes->size > 0) + (groups->size > 0) + making->has_leaks
       + making->has_threads + (making->places.size > 0)
       + making->has_lifetimes);
  if (classes->size > 0)
    write_plain_block (&making->blocks, HEAPPROF_SECTION_CLASSES, classes);
  byte_writer_bytes (&making->blocks, making->moments.data,
		     making->moments.size);
  if (making->has_affinities)
    write_plain_block (&making->blocks, HEAPPROF_SECTION_AFFINITIES,
		       &making->affinities);
  if (groups->size > 0)
    write_plain_block (&making->blocks, HEAPPROF_SECTION_GROUPS, groups);
  if (making->has_leaks)
    write_plain_block (&making->blocks, HEAPPROF_SECTION_LEAKS, &making->leaks);
  if (making->has_threads)
    write_plain_block (&making->blocks, HEAPPROF_SECTION_THREADS,
		       &making->threads);
  byte_writer_bytes (&making->blocks, making->lifetimes.data,
		     making->lifetimes.size);
  if (making->places.size > 0)
    write_plain_block (&making->blocks, HEAPPROF_SECTION_PLACES,
		       &making->places);
  writer->failed |= making->blocks.failed || making->affinities.failed
		    || making->leaks.failed || making->threads.failed
		    || making->places.failed;
  if (!writer->failed && block_count > 0)
    write_section (writer, making, block_count);
  byte_writer_free (&making->blocks);
  byte_writer_free (&making->moments);
  byte_writer_free (&making->affinities);
  byte_writer_free (&making->leaks);
  byte_writer_free (&making->threads);
  byte_writer_free (&making->places);
  byte_writer_free (&making->lifetimes);
  free (making);
  return !writer->failed;
}
