/* Writing the packed form of the raw profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Body, in this order; n is an unsigned LEB128 number, s a signed one (zigzag):

     run ID             16 bytes
     header words       n count, n each; see heapprof/raw-packed.h
     program's path     path
     segments           n count, then for each
			s start - end of the one before
			n size
			n start - load_bias
			path
			s load time - that of the one before
			n unload time
			s first context - that of the one before
			n 0, or end context - first context + 1
			n bytes of build ID, and these
     contexts           n count, then for each but the root
			n distance back to the parent
			n, s address; see put_address
     MIBs               for each that says something
			n enum heapprof_packed_mib
			s context - that of the one before, and by parts
			s blocks and s bytes not folded in
			s blocks and s bytes of a live record
			observations
			n 0 behind the last
     observations       n count, n mask of the differences that are not 0,
			s each of these
     path               n bytes shared with the path before, n bytes that
			follow, and these  */

#include "raw-pack.h"
#include "crc32.h"
#include "heapprof/raw-packed.h"
#include "mib.h"
#include "sys.h"
#include <errno.h>
#include <string.h>

/* No record but a path is longer.  */
#define RECORD_BYTES_MAX 1024u

/* The file being written.  */
static struct
{
  int fd;
  int error;
  uint64_t offset;		/* of the buffer in the file */
  uint8_t *next;		/* byte of the buffer to be written */
  uint32_t crc;			/* of what was flushed */
} out;

static uint8_t buffer[16 * SYS_PAGE_BYTES];

static void
flush (void)
{
  const size_t bytes = (size_t) (out.next - buffer);
  if (out.error == 0 && bytes > 0)
    out.error = sys_write_at (out.fd, buffer, bytes, out.offset);
  out.crc = rt_crc32 (out.crc, buffer, bytes);
  out.offset += bytes;
  out.next = buffer;
}

/* Make room for a record, so that putting numbers need not look.  */

static void
begin_record (void)
{
  if (out.next + RECORD_BYTES_MAX > buffer + sizeof buffer)
    flush ();
}

static inline void
put (uint64_t number)
{
  uint8_t *next = out.next;
  for (; number >= 0x80; number >>= 7)
    *next++ = (uint8_t) (number | 0x80);
  *next++ = (uint8_t) number;
  out.next = next;
}

static inline void
put_signed (uint64_t difference)
{
  put (heapprof_packed_zigzag (difference));
}

/* Any number of bytes; a record begins after them.  */

static void
put_bytes (const void *data, size_t bytes)
{
  const uint8_t *from = data;
  while (bytes > 0)
    {
      const size_t room = (size_t) (buffer + sizeof buffer - out.next);
      const size_t step = bytes < room ? bytes : room;
      memcpy (out.next, from, step);
      out.next += step;
      from += step;
      bytes -= step;
      if (step == room)
	flush ();
    }
  begin_record ();
}

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
  const size_t rest = strlen (path + shared);
  put (shared);
  put (rest);
  put_bytes (path + shared, rest);
}

/* The part of the header that is not in the packed one.  */

static void
put_header_words (const struct heapprof_raw_header *header)
{
  uint64_t words[HEAPPROF_PACKED_WORDS];
  memcpy (words, (const char *) header + HEAPPROF_PACKED_FIRST_WORD,
	  sizeof words);
  words[HEAPPROF_PACKED_PROGRAM_NAME] = 0;
  unsigned count = HEAPPROF_PACKED_WORDS;
  while (count > 0 && words[count - 1] == 0)
    count--;
  put_bytes (header->run_id, sizeof header->run_id);
  put (count);
  for (unsigned i = 0; i < count; i++)
    put (words[i]);
}

static void
put_segments (uint32_t count, uint64_t program_name)
{
  static const struct heapprof_raw_segment none;
  const struct heapprof_raw_segment *before = &none;
  const char *path = string_at (program_name);
  begin_record ();
  put_path (path, "");
  put (count);
  for (uint32_t i = 0; i < count; i++)
    {
      const struct heapprof_raw_segment *const segment = rt_segment_at (i);
      /* The module may be unloaded at this moment: the time is set last.  */
      const uint64_t unload_time_ns
	= __atomic_load_n (&segment->unload_time_ns, __ATOMIC_ACQUIRE);
      const uint32_t end = segment->end_context;
      begin_record ();
      put_signed (segment->start - before->end);
      put (segment->end - segment->start);
      put (segment->start - segment->load_bias);
      put_path (string_at (segment->path), path);
      put_signed (segment->load_time_ns - before->load_time_ns);
      put (unload_time_ns);
      put_signed ((uint64_t) segment->first_context - before->first_context);
      put (end == 0 ? 0 : end - segment->first_context + 1);
      put (segment->build_id_bytes);
      put_bytes (segment->build_id, segment->build_id_bytes);
      path = string_at (segment->path);
      before = segment;
    }
}

/* Return addresses that were put already, numbered in this order.  A call is
   in many contexts, so this is shorter than its address.  Where a new one is
   expected: near the one that was new before it in its segment.  */
struct address
{
  uint32_t node;		/* a context that has it, 0 in a free entry */
  uint32_t number;
};

static struct
{
  struct address *entries;	/* an open hash table */
  uint32_t mask;
  uint32_t count;
  uint32_t segments;
  uint32_t last_segment;	/* where the last one was found, counted from
				   1 */
  uint64_t *expected;		/* by segment, counted from 1; 0: none */
} addresses;

static size_t
address_table_bytes (void)
{
  return ((size_t) addresses.mask + 1) * sizeof *addresses.entries
	 + ((size_t) addresses.segments + 1) * sizeof *addresses.expected;
}

/* Room for the addresses of CONTEXTS contexts in SEGMENTS segments.  */

static bool
start_addresses (uint32_t contexts, uint32_t segments)
{
  addresses.mask = 15;
  while (addresses.mask < contexts + contexts / 2 && addresses.mask >> 31 == 0)
    addresses.mask = addresses.mask * 2 + 1;
  addresses.segments = segments;
  addresses.count = 0;
  addresses.last_segment = 0;
  addresses.entries = sys_map (address_table_bytes ());
  if (addresses.entries == NULL)
    return false;
  addresses.expected = (uint64_t *) (addresses.entries + addresses.mask + 1);
  for (uint32_t i = 0; i < segments; i++)
    addresses.expected[i + 1] = rt_segment_at (i)->start;
  return true;
}

/* The entry of ADDRESS, a free one if there is none.  */

static struct address *
find_address (uint64_t address)
{
  uint32_t i
    = (uint32_t) (address * UINT64_C (0x9e3779b97f4a7c15) >> 32);
  for (;; i++)
    {
      struct address *const entry = &addresses.entries[i & addresses.mask];
      if (entry->node == 0
	  || rt_context_at (entry->node)->return_address == address)
	return entry;
    }
}

static bool
segment_has (uint32_t segment, uint64_t address)
{
  return segment != 0 && rt_segment_at (segment - 1)->start < address
	 && address <= rt_segment_at (segment - 1)->end;
}

/* A segment that has the call before ADDRESS, counted from 1; 0: none.  */

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

/* The address of NODE.  The number is 0 for a new one outside all segments, I
   for a new one in segment I, counted from 1; both are followed by its
   difference from what was expected there.  A greater one, minus the number
   of segments and 1, is an address's that was put before.  */

static void
put_address (uint32_t node)
{
  const uint64_t address = rt_context_at (node)->return_address;
  struct address *const entry = find_address (address);
  if (entry->node != 0)
    {
      put ((uint64_t) addresses.segments + 1 + entry->number);
      return;
    }
  const uint32_t segment = find_segment (address);
  put (segment);
  put_signed (address - addresses.expected[segment]);
  addresses.expected[segment] = address;
  entry->node = node;
  entry->number = addresses.count++;
}

static int
put_contexts (uint32_t count, uint32_t segments)
{
  if (!start_addresses (count, segments))
    return -ENOMEM;
  begin_record ();
  put (count);
  for (uint32_t i = 1; i < count; i++)
    {
      begin_record ();
      put (i - rt_context_at (i)->parent);
      put_address (i);
    }
  sys_unmap (addresses.entries, address_table_bytes ());
  return 0;
}

static void
put_observations (struct heapprof_raw_observations *seen,
		  struct heapprof_packed_basis *basis)
{
  uint64_t cpus[2] = { seen->alloc_cpu, seen->dealloc_cpu };
  uint64_t differences[HEAPPROF_PACKED_DIFFERENCES];
  uint32_t mask = 0;
  heapprof_packed_code (seen, cpus, basis, differences, false);
  for (unsigned i = 0; i < HEAPPROF_PACKED_DIFFERENCES; i++)
    mask |= (uint32_t) (differences[i] != 0) << i;
  put (seen->count);
  put (mask);
  for (; mask != 0; mask &= mask - 1)
    put_signed (differences[__builtin_ctz (mask)]);
}

static void
put_mib (struct rt_pack_mib *mib, uint32_t context_before,
	 struct heapprof_packed_basis *basis)
{
  const bool has_unfolded
    = mib->unfolded_count != 0 || mib->unfolded_bytes != 0;
  const bool has_live = mib->live_count != 0 || mib->live_bytes != 0;
  const unsigned parts
    = (mib->seen.count != 0 ? HEAPPROF_PACKED_OBSERVATIONS : 0)
      | (has_unfolded ? HEAPPROF_PACKED_UNFOLDED : 0)
      | (has_live ? HEAPPROF_PACKED_LIVE : 0);
  put (parts);
  put_signed ((uint64_t) mib->context - context_before);
  if (has_unfolded)
    {
      put_signed ((uint64_t) (int32_t) mib->unfolded_count);
      put_signed (mib->unfolded_bytes);
    }
  if (has_live)
    {
      put_signed ((uint64_t) (int32_t) mib->live_count);
      put_signed (mib->live_bytes);
    }
  basis->live_count = heapprof_packed_live_count (mib->live_count,
						  mib->unfolded_count);
  if (mib->seen.count != 0)
    put_observations (&mib->seen, basis);
}

static bool
mib_counts (const struct rt_pack_mib *mib)
{
  return mib->seen.count != 0 || mib->unfolded_count != 0
	 || mib->unfolded_bytes != 0 || mib->live_count != 0
	 || mib->live_bytes != 0;
}

static void
put_mibs (const struct rt_pack_source *source)
{
  struct heapprof_packed_basis basis = {
    .end_ns = source->header->end_time_ns
  };
  uint32_t context = 0;
  for (uint32_t i = 1; i < source->mib_count; i++)
    {
      struct rt_pack_mib mib;
      memset (&mib, 0, sizeof mib);
      if (!source->get_mib (source->data, i, &mib) || !mib_counts (&mib)
	  || mib.context >= source->context_count)
	continue;
      begin_record ();
      put_mib (&mib, context, &basis);
      context = mib.context;
    }
  begin_record ();
  put (0);
}

void
rt_pack_set (struct rt_pack_mib *mib, const struct heapprof_raw_mib *record,
	     const struct heapprof_raw_wide *wide)
{
  mib->context = record->context;
  mib->seen = rt_mib_observations (record, record->wide == 0 ? NULL : wide);
  mib->unfolded_count = record->alloc_count - (uint32_t) mib->seen.count;
  mib->unfolded_bytes = record->alloc_bytes - mib->seen.size.total;
}

/* The last write: what is before the body.  */

static void
write_head (const struct heapprof_raw_header *header)
{
  struct heapprof_packed_header head = {
    .byte_order = header->byte_order,
    .version = header->version,
    .header_bytes = sizeof head,
    .word_bytes = header->word_bytes,
    .granule_shift = header->granule_shift,
    .flags = (uint8_t) (header->flags | HEAPPROF_RAW_PACKED),
    .machine = header->machine,
    .state = header->state,
    .body_bytes = out.offset - sizeof head
  };
  memcpy (head.magic, header->magic, sizeof head.magic);
  head.crc = rt_crc32 (out.crc, &head, HEAPPROF_PACKED_CHECKED_BYTES);
  if (out.error == 0)
    out.error = sys_write_at (out.fd, &head, sizeof head, 0);
}

int
rt_pack (const struct rt_pack_source *source, int fd)
{
  const struct heapprof_raw_header *const header = source->header;
  rt_crc32_start ();
  out.fd = fd;
  out.error = 0;
  out.offset = sizeof (struct heapprof_packed_header);
  out.next = buffer;
  out.crc = 0;
  put_header_words (header);
  put_segments (source->segment_count, header->program_name);
  const int error = put_contexts (source->context_count,
				  source->segment_count);
  if (error != 0)
    return error;
  put_mibs (source);
  flush ();
  write_head (header);
  return out.error;
}
