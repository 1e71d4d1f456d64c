/* The raw profile while the program runs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "raw-file.h"
#include "bytes.h"
#include "debug-log.h"
#include "invariant.h"
#include "log.h"
#include "options.h"
#include "sys.h"
#include "text.h"
#include <errno.h>
#include <fcntl.h>

/* Maximum size of pages made writable ahead of use.  */
#define TOUCH_BYTES_MAX ((size_t) 256 << 10)

/* By how much a file is longer than what it has, if the process has
   capabilities and if it has none.  A calling context takes some 100 to 500
   bytes.  */
#define ROOM_BYTES ((uint64_t) 64 << 20)
#define LITTLE_ROOM_BYTES ((uint64_t) 4 << 20)

/* Segment records are 96 bytes: three pages hold 128 of them.  */
struct rt_table rt_tables[RT_TABLES] = {
  [RT_CONTEXTS] = { .kind = HEAPPROF_RAW_CONTEXTS,
		    .record_bytes = sizeof (struct heapprof_raw_context),
		    .unit_bytes = 4 * SYS_PAGE_BYTES,
		    .reserve_bytes = (size_t) 8 << 30 },
  [RT_MIBS] = { .kind = HEAPPROF_RAW_MIBS,
		.record_bytes = sizeof (struct heapprof_raw_mib),
		.unit_bytes = 4 * SYS_PAGE_BYTES,
		.reserve_bytes = (size_t) 16 << 30,
		.is_rare = true },
  [RT_SEGMENTS] = { .kind = HEAPPROF_RAW_SEGMENTS,
		    .record_bytes = sizeof (struct heapprof_raw_segment),
		    .unit_bytes = 3 * SYS_PAGE_BYTES,
		    .reserve_bytes = (size_t) 3 << 22 },
  [RT_STRINGS] = { .kind = HEAPPROF_RAW_STRINGS,
		   .record_bytes = 1,
		   .unit_bytes = 2 * SYS_PAGE_BYTES,
		   .reserve_bytes = (size_t) 64 << 20 },
  [RT_INTERPRETED] = { .kind = HEAPPROF_RAW_INTERPRETED,
		       .record_bytes = sizeof (struct heapprof_raw_interpreted),
		       .unit_bytes = 3 * SYS_PAGE_BYTES,
		       .is_small = true,
		       .reserve_bytes = (size_t) 3 << 27 },
  [RT_BRIEFS] = { .kind = HEAPPROF_RAW_BRIEFS,
		  .record_bytes = sizeof (struct heapprof_raw_brief),
		  .unit_bytes = 8 * SYS_PAGE_BYTES,
		  .reserve_bytes = (size_t) 8 << 30 },
  [RT_ORIGINS] = { .kind = HEAPPROF_RAW_ORIGINS,
		   .record_bytes = sizeof (struct heapprof_raw_origin),
		   .unit_bytes = 3 * SYS_PAGE_BYTES,
		   .reserve_bytes = (size_t) 3 << 30 },
  [RT_MOMENTS] = { .kind = HEAPPROF_RAW_MOMENTS,
		   .record_bytes = sizeof (struct heapprof_raw_moment),
		   .unit_bytes = 4 * SYS_PAGE_BYTES,
		   .reserve_bytes = (size_t) 4 << 30 },
  [RT_WIDE] = { .kind = HEAPPROF_RAW_WIDE,
		.record_bytes = sizeof (struct heapprof_raw_wide),
		.unit_bytes = 4 * SYS_PAGE_BYTES,
		.reserve_bytes = (size_t) 8 << 30,
		.is_rare = true },
  [RT_HISTOGRAMS] = { .kind = HEAPPROF_RAW_HISTOGRAM,
		      .record_bytes = sizeof (struct heapprof_raw_histogram),
		      .unit_bytes = 16 * SYS_PAGE_BYTES,
		      .reserve_bytes = (size_t) 4 << 30 },
  [RT_AFFINITIES] = { .kind = HEAPPROF_RAW_AFFINITY,
		      .record_bytes = sizeof (struct heapprof_raw_affinity),
		      .unit_bytes = SYS_PAGE_BYTES,
		      .reserve_bytes = (size_t) 1 << 20 },
  [RT_TIMELINE] = { .kind = HEAPPROF_RAW_TIMELINE,
		    .record_bytes = sizeof (struct heapprof_raw_timeline),
		    .unit_bytes = 6 * SYS_PAGE_BYTES,
		    .reserve_bytes = 6 * SYS_PAGE_BYTES },
  [RT_MARKS] = { .kind = HEAPPROF_RAW_MARKS,
		 .record_bytes = sizeof (struct heapprof_raw_mark),
		 .unit_bytes = SYS_PAGE_BYTES,
		 .reserve_bytes = 16 * SYS_PAGE_BYTES },
  [RT_MARKED] = { .kind = HEAPPROF_RAW_MARKED,
		  .record_bytes = sizeof (struct heapprof_raw_live),
		  .unit_bytes = 4 * SYS_PAGE_BYTES,
		  .reserve_bytes = (size_t) 1 << 30 },
  [RT_LEAKS] = { .kind = HEAPPROF_RAW_LEAK,
		 .record_bytes = sizeof (struct heapprof_raw_leak),
		 .unit_bytes = SYS_PAGE_BYTES,
		 .reserve_bytes = (size_t) 1 << 30 },
  [RT_THREADS] = { .kind = HEAPPROF_RAW_THREADS,
		   .record_bytes = sizeof (struct heapprof_raw_thread),
		   .unit_bytes = SYS_PAGE_BYTES,
		   .is_small = true,
		   .reserve_bytes = (size_t) 16 << 20 }
};

struct rt_lock rt_raw_lock;
struct heapprof_raw_header *rt_raw_header;

struct rt_raw_file rt_raw_file;

static bool is_full; /* no extents can be added */

const char *
rt_raw_path (void)
{
  return rt_raw_file.path;
}

int
rt_raw_open_again (void)
{
  const int fd = sys_open (rt_raw_file.path, O_RDWR | O_NOFOLLOW, 0);
  uint64_t device = 0, inode = 0;
  if (fd < 0)
    return fd;
  const int error = sys_file_id (fd, &device, &inode);
  if (error == 0 && device == rt_raw_file.device && inode == rt_raw_file.inode)
    return fd;
  sys_close (fd);
  return error != 0 ? error : -ENOENT;
}

/* Map BYTES of the file FD, from the end of its last extent, over ADDRESS, with
   disk space.  */

static int
map_from_file (char *address, size_t bytes, int fd)
{
  const int error = sys_allocate (fd, rt_raw_file.bytes, bytes);
  if (error != 0)
    return error;
  return sys_map_file_over (address, bytes, fd, rt_raw_file.bytes) ? 0
								   : -ENOMEM;
}

/* Do the same without opening the file; -EFBIG if it is not long enough, or the
   kernel cannot do that.  */

static int
map_from_header (char *address, size_t bytes)
{
  if (rt_raw_file.bytes + bytes > rt_raw_file.length)
    return -EFBIG;
  return sys_map_more_over (address, bytes, rt_raw_header, rt_raw_file.bytes)
	   ? sys_allocate_mapped (address, bytes)
	   : -EFBIG;
}

int
rt_raw_add_extent (struct rt_table *table, int fd, size_t bytes)
{
  struct heapprof_raw_header *const header = rt_raw_header;
  const uint64_t index = header->extent_count;
  char *const address = table->records + table->mapped_bytes;
  if (index == HEAPPROF_RAW_MAX_EXTENTS
      || table->mapped_bytes + bytes > table->reserved_bytes)
    return -EFBIG;
  const int error = fd >= 0 ? map_from_file (address, bytes, fd)
			    : map_from_header (address, bytes);
  if (error != 0)
    {
      /* Remove any mapping where records would be written.  */
      sys_reserve_over (address, bytes);
      return error;
    }
  header->extents[index]
    = (struct heapprof_raw_extent){ .kind = table->kind,
				    .record_bytes = table->record_bytes,
				    .offset = rt_raw_file.bytes,
				    .capacity = bytes / table->record_bytes };
  table->extent = (uint32_t) index;
  table->extent_first = table->mapped_bytes / table->record_bytes;
  table->mapped_bytes += bytes;
  rt_raw_file.bytes += bytes;
  __atomic_store_n (&header->extent_count, index + 1, __ATOMIC_RELEASE);
  return 0;
}

/* Return the size by which to enlarge TABLE: a quarter.  The header has space
   for enough extents to reach gigabytes that way; then by more.  Moments and
   origins are small and grow with the MIBs, in fewer steps.  */

static size_t
growth (const struct rt_table *table)
{
  const uint64_t extents = rt_raw_header->extent_count;
  const size_t share = extents < 64 ? 4 : extents < 88 ? 2 : 1;
  const bool is_small = table->kind == HEAPPROF_RAW_MOMENTS
			|| table->kind == HEAPPROF_RAW_ORIGINS;
  const size_t units
    = table->mapped_bytes / table->unit_bytes / (is_small ? 1 : share);
  return (units > 0 ? units : 1) * table->unit_bytes;
}

bool
rt_raw_is_full (void)
{
  return is_full;
}

void
rt_raw_lengthen (int fd)
{
  const uint64_t room
    = sys_has_capabilities () ? ROOM_BYTES : LITTLE_ROOM_BYTES;
  uint64_t length = rt_raw_file.bytes + room;
  if (length < rt_raw_file.length)
    length = rt_raw_file.length;
  rt_raw_file.length = sys_lengthen (fd, length) == 0 ? length : 0;
}

/* Add an extent of BYTES to TABLE, or the least one.  */

static int
add_extent (struct rt_table *table, int fd, size_t bytes)
{
  const int error = rt_raw_add_extent (table, fd, bytes);
  return error != 0 && bytes > table->unit_bytes
	   ? rt_raw_add_extent (table, fd, table->unit_bytes)
	   : error;
}

/* Do the same with the file opened.  What lies behind the extents is cut off
   first: disk space is allocated only behind the end of a file.  */

static int
add_opened (struct rt_table *table, size_t bytes)
{
  const int fd = rt_raw_open_again ();
  if (fd < 0)
    return fd;
  int error = 0;
  if (rt_raw_file.length != 0)
    error = sys_truncate (fd, rt_raw_file.bytes);
  if (error == 0)
    {
      error = add_extent (table, fd, bytes);
      if (rt_raw_file.length != 0)
	rt_raw_lengthen (fd);
    }
  sys_close (fd);
  return error;
}

/* Add space for more records to TABLE.  */

static bool
grow (struct rt_table *table)
{
  if (is_full)
    return false;
  const size_t bytes = growth (table);
  int error = add_opened (table, bytes);
  if (error != 0 && rt_raw_file.length != 0)
    {
      const int cause = error;
      error = add_extent (table, -1, bytes);
      if (error == -EFBIG)
	error = cause;
    }
  RT_DEBUG (2, "table of kind %u grows to %u bytes: %e", (uint64_t) table->kind,
	    (uint64_t) table->mapped_bytes, error);
  if (error == 0)
    return true;
  /* Lost blocks remain unknown, and so do the shares of threads.  */
  if (table == &rt_tables[RT_LEAKS] || table == &rt_tables[RT_THREADS])
    return false;
  is_full = true;
  rt_log ("%s: %e; new calling contexts are not recorded", rt_raw_file.path,
	  error);
  return false;
}

/* TABLE has reached AT: make the next pages writable in one go, an eighth of
   its size.  A page fault of a shared file costs microseconds.  Fewer pages if
   the program limits what is in its memory: those not used yet count, too.  */

static void
touch_ahead (struct rt_table *table, size_t at)
{
  const size_t start = at & -(size_t) SYS_PAGE_BYTES;
  size_t bytes = at / 8 & -(size_t) SYS_PAGE_BYTES;
  size_t most = TOUCH_BYTES_MAX;
  if (rt_options.resident_bytes != 0 && rt_options.resident_bytes / 64 < most)
    most = rt_options.resident_bytes / 64 & -(size_t) SYS_PAGE_BYTES;
  if (bytes > most)
    bytes = most;
  if (bytes > table->mapped_bytes - start)
    bytes = table->mapped_bytes - start;
  if (bytes > SYS_PAGE_BYTES)
    sys_touch (table->records + start, bytes);
  table->touched_bytes = start + (bytes > 0 ? bytes : SYS_PAGE_BYTES);
}

void *
rt_raw_next (unsigned which)
{
  struct rt_table *const table = &rt_tables[which];
  const size_t at = (size_t) table->count * table->record_bytes;
  if (at + table->record_bytes > table->mapped_bytes && !grow (table))
    return NULL;
  if (at >= table->touched_bytes)
    touch_ahead (table, at);
  return table->records + at;
}

void
rt_raw_commit (unsigned which, uint32_t records)
{
  struct rt_table *const table = &rt_tables[which];
  struct heapprof_raw_extent *const extent
    = &rt_raw_header->extents[table->extent];
  const uint32_t count = table->count + records;
  if (!RT_HOLDS ((uint64_t) count * table->record_bytes <= table->mapped_bytes))
    return;
  __atomic_store_n (&extent->count, count - table->extent_first,
		    __ATOMIC_RELEASE);
  __atomic_store_n (&table->count, count, __ATOMIC_RELEASE);
}

uint64_t
rt_raw_add_string (const char *text)
{
  struct rt_table *const table = &rt_tables[RT_STRINGS];
  const size_t bytes = own_strlen (text) + 1;
  /* Pad an extent that the string does not fit in: strings do not span
     extents.  */
  if (table->count + bytes > table->mapped_bytes)
    {
      const size_t rest = table->mapped_bytes - table->count;
      if (bytes > table->unit_bytes)
	return 0;
      rt_raw_commit (RT_STRINGS, (uint32_t) rest);
    }
  char *const record = rt_raw_next (RT_STRINGS);
  if (record == NULL)
    return 0;
  const uint64_t offset = table->count;
  own_memcpy (record, text, bytes);
  rt_raw_commit (RT_STRINGS, (uint32_t) bytes);
  return offset;
}

static size_t
used_bytes (const struct rt_table *table)
{
  return (size_t) table->count * table->record_bytes;
}

static size_t
unused_bytes (const struct rt_table *table)
{
  return table->mapped_bytes - used_bytes (table);
}

struct rt_raw_space
rt_raw_take_space (void)
{
  static const unsigned char tables[]
    = { RT_CONTEXTS, RT_SEGMENTS, RT_STRINGS };
  struct rt_table *table = &rt_tables[tables[0]];
  for (unsigned i = 1; i < sizeof tables; i++)
    if (unused_bytes (&rt_tables[tables[i]]) > unused_bytes (table))
      table = &rt_tables[tables[i]];
  struct heapprof_raw_extent *const extent
    = &rt_raw_header->extents[table->extent];
  const uint64_t offset = extent->offset + extent->count * extent->record_bytes;
  const size_t gap = -offset & 7;
  const size_t unused = unused_bytes (table);
  const struct rt_raw_space space
    = { .memory = table->records + used_bytes (table) + gap,
	.bytes = unused > gap ? unused - gap : 0,
	.offset = offset + gap };
  table->mapped_bytes = used_bytes (table);
  extent->capacity = extent->count;
  return space;
}

struct rt_raw_space
rt_raw_map_space (size_t bytes)
{
  const struct rt_raw_space none = { NULL, 0, 0 };
  bytes = (bytes + SYS_PAGE_BYTES - 1) & -(size_t) SYS_PAGE_BYTES;
  char *const memory = sys_reserve (bytes);
  if (memory == NULL)
    return none;
  if (map_from_header (memory, bytes) != 0)
    {
      sys_unmap (memory, bytes);
      return none;
    }
  const struct rt_raw_space space = { memory, bytes, rt_raw_file.bytes };
  rt_raw_file.bytes += bytes;
  return space;
}

void
rt_raw_finish (void)
{
  rt_lock (&rt_raw_lock);
  is_full = true;
  for (unsigned i = 0; i < RT_TABLES; i++)
    rt_tables[i].mapped_bytes = used_bytes (&rt_tables[i]);
  rt_unlock (&rt_raw_lock);
}

/* Space that was taken away, or has been released, is inside the same
   mappings.  */

void
rt_raw_resume (void)
{
  rt_lock (&rt_raw_lock);
  is_full = false;
  for (unsigned i = 0; i < RT_TABLES; i++)
    {
      struct rt_table *const table = &rt_tables[i];
      const size_t units
	= (used_bytes (table) + table->unit_bytes - 1) / table->unit_bytes;
      table->mapped_bytes = units * table->unit_bytes;
      table->touched_bytes = table->mapped_bytes;
    }
  rt_unlock (&rt_raw_lock);
}

int
rt_raw_open_unnamed (void)
{
  static char folder[RT_PATH_BYTES];
  own_memcpy (folder, rt_raw_file.path, sizeof folder);
  text_find_last (folder, '/')[1] = '\0';
  return sys_open_unnamed (folder, RT_RAW_MODE);
}

int
rt_raw_open_beside (const char *temporary, bool *has_name)
{
  const int fd = rt_raw_open_unnamed ();
  *has_name = fd < 0;
  if (fd >= 0)
    return fd;
  sys_remove_file (temporary);
  return sys_open (temporary, O_RDWR | O_CREAT | O_EXCL, RT_RAW_MODE);
}

/* True if extent NUMBER is valid and inside the file.  */

static bool
extent_is_valid (uint64_t number)
{
  const struct heapprof_raw_extent *const extent
    = &rt_raw_header->extents[number];
  return extent->record_bytes > 0 && extent->count <= extent->capacity
	 && extent->offset >= HEAPPROF_RAW_HEADER_BYTES
	 && extent->offset + extent->capacity * extent->record_bytes
	      <= rt_raw_file.bytes;
}

bool
rt_raw_is_valid (void)
{
  const struct heapprof_raw_header *const header = rt_raw_header;
  if (own_memcmp (header->magic, HEAPPROF_RAW_MAGIC, HEAPPROF_RAW_MAGIC_BYTES)
	!= 0
      || header->extent_count > HEAPPROF_RAW_MAX_EXTENTS)
    return false;
  for (uint64_t i = 0; i < header->extent_count; i++)
    if (!extent_is_valid (i))
      return false;
  for (unsigned i = 0; i < RT_TABLES; i++)
    if ((uint64_t) rt_tables[i].count * rt_tables[i].record_bytes
	> rt_tables[i].mapped_bytes)
      return false;
  return true;
}
