/* Writing the packed form of the raw profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Body, in this order; n is an unsigned LEB128 number, s a signed one (zigzag):

     run ID             16 bytes
     header words       n count, n each; see heapprof/raw-packed.h
     program's path     path
     segments           n count, then for each
			s start - end of the previous one
			n size
			n start - load_bias
			path
			s load time - that of the previous one
			n unload time
			s first context - that of the previous one
			n 0, or end context - first context + 1
			n bytes of build ID, and these
     contexts           n count, then for each except the root
			n distance back to the parent
			n, s address; see put_address
     interpreted        n count, then for each except the first
			path of the file
			path of the function: shared with the previous one
			s first line - that of the previous one
			s line - first line
     MIBs               for each that is not empty
			n enum heapprof_packed_mib
			s context - that of the previous one, then by part
			s blocks and s bytes not folded in
			s blocks and s bytes of a live record
			s blocks and s bytes at the peak
			n temporary blocks
			n bits of each variance
			observations
			n 0 after the last
     histograms         if flagged in the header; see histogram.c
     timeline, marks    if flagged in the header; see raw-pack-times.c
     affinities         if flagged in the header; see affinity.c
     leaks              if flagged in the header; see raw-pack-leaks.c
     threads            if flagged in the header; see raw-pack-threads.c
     observations       n count, n mask of the nonzero differences,
			s each of these; see raw-pack-mib.c
     path               n bytes shared with the previous path, n bytes that
			follow, and these  */

#include "raw-pack.h"
#include "bytes.h"
#include "crc32.h"
#include "loan.h"
#include "pack-output.h"
#include "raw-pack-leaks.h"
#include "raw-pack-mib.h"
#include "raw-pack-threads.h"
#include "raw-pack-times.h"
#include "sys.h"
#include <errno.h>

static const char *
string_at (uint64_t offset)
{
  return rt_tables[RT_STRINGS].records + offset;
}

static void
put_path (const char *path, const char *before)
{
  size_t shared = 0;
  while (shared < HEAPPROF_PACKED_SHARED_MAX && path[shared] != '\0'
	 && path[shared] == before[shared])
    shared++;
  const size_t rest = own_strlen (path + shared);
  rt_pack_end (rt_put (rt_put (rt_pack_begin (), shared), rest));
  rt_pack_bytes (path + shared, rest);
}

/* Write the part of the header that is not in the packed one.  */

static void
put_header_words (const struct heapprof_raw_header *header)
{
  uint64_t words[HEAPPROF_PACKED_WORDS];
  own_memcpy (words, (const char *) header + HEAPPROF_PACKED_FIRST_WORD,
	      sizeof words);
  words[HEAPPROF_PACKED_PROGRAM_NAME] = 0;
  unsigned count = HEAPPROF_PACKED_WORDS;
  while (count > 0 && words[count - 1] == 0)
    count--;
  rt_pack_bytes (header->run_id, sizeof header->run_id);
  uint8_t *next = rt_put (rt_pack_begin (), count);
  for (unsigned i = 0; i < count; i++)
    next = rt_put (next, words[i]);
  rt_pack_end (next);
}

/* Write SEGMENT, which comes after BEFORE, whose path is PATH.  */

static void
put_segment (const struct heapprof_raw_segment *segment,
	     const struct heapprof_raw_segment *before, const char *path)
{
  /* The module may be unloaded right now: the time is set last.  */
  const uint64_t unload_time_ns
    = __atomic_load_n (&segment->unload_time_ns, __ATOMIC_ACQUIRE);
  const uint32_t end = segment->end_context;
  uint8_t *next
    = rt_put_signed (rt_pack_begin (), segment->start - before->end);
  next = rt_put (next, segment->end - segment->start);
  next = rt_put (next, segment->start - segment->load_bias);
  rt_pack_end (next);
  put_path (string_at (segment->path), path);
  next = rt_put_signed (rt_pack_begin (),
			segment->load_time_ns - before->load_time_ns);
  next = rt_put (next, unload_time_ns);
  next = rt_put_signed (next, (uint64_t) segment->first_context
				- before->first_context);
  next = rt_put (next, end == 0 ? 0 : end - segment->first_context + 1);
  next = rt_put (next, segment->build_id_bytes);
  rt_pack_end (next);
  rt_pack_bytes (segment->build_id, segment->build_id_bytes);
}

static void
put_segments (uint32_t count, uint64_t program_name)
{
  static const struct heapprof_raw_segment none;
  const struct heapprof_raw_segment *before = &none;
  const char *path = string_at (program_name);
  put_path (path, "");
  rt_pack_end (rt_put (rt_pack_begin (), count));
  for (uint32_t i = 0; i < count; i++)
    {
      const struct heapprof_raw_segment *const segment = rt_segment_at (i);
      put_segment (segment, before, path);
      path = string_at (segment->path);
      before = segment;
    }
}

/* Return addresses already written, numbered in this order.  A call occurs in
   many contexts, so its number is shorter than its address.  A new address is
   expected near the previous new one in its segment.  */
struct address
{
  uint64_t address;
  uint32_t number; /* counted from 1, 0 in a free entry */
};

static struct
{
  struct address *entries; /* an open hash table */
  uint32_t mask;
  uint32_t count;
  uint32_t segments;
  uint32_t last_segment; /* segment of the last one, counted from 1 */
  uint64_t *expected;	 /* by segment, counted from 1; 0: none */
} addresses;

static size_t
address_table_bytes (void)
{
  return ((size_t) addresses.mask + 1) * sizeof *addresses.entries
	 + ((size_t) addresses.segments + 1) * sizeof *addresses.expected;
}

/* Allocate space for the addresses of CONTEXTS contexts in SEGMENTS
   segments.  */

static bool
start_addresses (uint32_t contexts, uint32_t segments)
{
  addresses.mask = 15;
  while (addresses.mask < contexts + contexts / 2 && addresses.mask >> 31 == 0)
    addresses.mask = addresses.mask * 2 + 1;
  addresses.segments = segments;
  addresses.count = 0;
  addresses.last_segment = 0;
  addresses.entries = rt_borrow (address_table_bytes ());
  if (addresses.entries == NULL)
    return false;
  addresses.expected = (uint64_t *) (addresses.entries + addresses.mask + 1);
  for (uint32_t i = 0; i < segments; i++)
    addresses.expected[i + 1] = rt_segment_at (i)->start;
  return true;
}

/* Return the entry of ADDRESS, a free one if there is none.  */

static struct address *
find_address (uint64_t address)
{
  uint32_t i = (uint32_t) (address * UINT64_C (0x9e3779b97f4a7c15) >> 32);
  for (;; i++)
    {
      struct address *const entry = &addresses.entries[i & addresses.mask];
      if (entry->number == 0 || entry->address == address)
	return entry;
    }
}

static bool
segment_has (uint32_t segment, uint64_t address)
{
  return segment != 0 && rt_segment_at (segment - 1)->start < address
	 && address <= rt_segment_at (segment - 1)->end;
}

/* Return a segment that contains the call before ADDRESS, counted from 1; 0:
   none.  */

static uint32_t
find_segment (uint64_t address)
{
  if (segment_has (addresses.last_segment, address))
    return addresses.last_segment;
  uint32_t segment = addresses.segments;
  while (segment > 0 && !segment_has (segment, address))
    segment--;
  return addresses.last_segment = segment;
}

/* Store the address of NODE.  Number 0 means a new address outside all
   segments, I a new one in segment I, counted from 1; both are followed by its
   difference from the expected address.  A greater number, minus the number of
   segments and 1, refers to an address written before.  */

static uint8_t *
put_address (uint8_t *next, uint32_t node)
{
  const uint64_t address = rt_context_at (node)->return_address;
  struct address *const entry = find_address (address);
  if (entry->number != 0)
    return rt_put_small (next, (uint64_t) addresses.segments + entry->number);
  const uint32_t segment = find_segment (address);
  next = rt_put (next, segment);
  next = rt_put_signed (next, address - addresses.expected[segment]);
  addresses.expected[segment] = address;
  *entry = (struct address){ .address = address, .number = ++addresses.count };
  return next;
}

static int
put_contexts (const struct rt_pack_source *source)
{
  const uint32_t count = source->context_count;
  if (!start_addresses (count, source->segment_count))
    return -ENOMEM;
  rt_pack_end (rt_put (rt_pack_begin (), count));
  for (uint32_t i = 1; i < count; i++)
    {
      uint8_t *const next
	= rt_put_small (rt_pack_begin (), i - rt_context_at (i)->parent);
      rt_pack_end (put_address (next, i));
      if (source->leave_context != NULL)
	source->leave_context (i);
    }
  rt_give_back (addresses.entries, address_table_bytes ());
  return 0;
}

/* Write the frames of interpreted code, of which there are COUNT.  */

static void
put_interpreted (uint32_t count)
{
  const char *file = "", *function = "";
  uint32_t first_line = 0;
  rt_pack_end (rt_put (rt_pack_begin (), count));
  for (uint32_t i = 1; i < count; i++)
    {
      const struct heapprof_raw_interpreted *const record
	= rt_interpreted_at (i);
      put_path (string_at (record->file), file);
      put_path (string_at (record->function), function);
      uint8_t *const next
	= rt_put_signed (rt_pack_begin (),
			 (uint64_t) record->first_line - first_line);
      rt_pack_end (rt_put_signed (next, (uint64_t) record->line
					  - record->first_line));
      file = string_at (record->file);
      function = string_at (record->function);
      first_line = record->first_line;
    }
}

/* Write the head before the body, last.  */

static int
write_head (const struct rt_pack_source *source, uint32_t interpreted_count)
{
  const struct heapprof_raw_header *const header = source->header;
  const uint8_t flags
    = HEAPPROF_RAW_PACKED
      | (source->put_histograms != NULL ? HEAPPROF_RAW_HISTOGRAMS : 0)
      | (source->timeline != NULL ? HEAPPROF_RAW_TIMED : 0)
      | (source->put_affinities != NULL ? HEAPPROF_RAW_AFFINITIES : 0)
      | (source->has_leaks ? HEAPPROF_RAW_LEAKS : 0)
      | (source->thread_count > 0 ? HEAPPROF_RAW_THREADED : 0);
  struct heapprof_packed_header head
    = { .byte_order = header->byte_order,
	.version = header->version,
	.header_bytes = sizeof head,
	.word_bytes = header->word_bytes,
	.granule_shift = header->granule_shift,
	.flags = (uint8_t) (header->flags | flags),
	.more_flags
	= (uint8_t) (header->more_flags
		     | (interpreted_count > 0 ? HEAPPROF_RAW_NAMED : 0)),
	.machine = header->machine,
	.state = header->state,
	.body_bytes = rt_pack_output.offset - sizeof head };
  own_memcpy (head.magic, header->magic, sizeof head.magic);
  head.crc
    = rt_crc32 (rt_pack_output.crc, &head, HEAPPROF_PACKED_CHECKED_BYTES);
  return sys_write_at (rt_pack_output.fd, &head, sizeof head, 0);
}

int
rt_pack (const struct rt_pack_source *source, int fd)
{
  const struct heapprof_raw_header *const header = source->header;
  rt_pack_start (fd, sizeof (struct heapprof_packed_header));
  put_header_words (header);
  put_segments (source->segment_count, header->program_name);
  const int error = put_contexts (source);
  if (error != 0)
    return error;
  /* Frames are stored before the contexts that have them.  */
  const uint32_t interpreted_count = rt_record_count (RT_INTERPRETED);
  if (interpreted_count > 0)
    put_interpreted (interpreted_count);
  rt_pack_mibs (source);
  if (source->put_histograms != NULL)
    {
      source->put_histograms (source->data, source->context_count);
      rt_pack_end (rt_put (rt_pack_begin (), 0));
    }
  if (source->timeline != NULL)
    rt_pack_times (source);
  if (source->put_affinities != NULL)
    {
      source->put_affinities (source->context_count);
      rt_pack_end (rt_put (rt_pack_begin (), 0));
    }
  if (source->has_leaks)
    rt_pack_leaks (header, source->context_count);
  if (source->thread_count > 0)
    rt_pack_threads (header, source->thread_count);
  rt_pack_finish ();
  return rt_pack_output.error != 0 ? rt_pack_output.error
				   : write_head (source, interpreted_count);
}
