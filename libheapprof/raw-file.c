/* The raw profile while the program runs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "raw-file.h"
#include "clock.h"
#include "log.h"
#include "options.h"
#include "path.h"
#include "sys.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#define EXTENT_BYTES_MAX ((size_t) 64 << 20)

/* Modules' records are 96 bytes: three pages hold 128 of them.  */
struct rt_table rt_tables[RT_TABLES] = {
  [RT_CONTEXTS] = { .kind = HEAPPROF_RAW_CONTEXTS,
    .record_bytes = sizeof (struct heapprof_raw_context),
    .unit_bytes = 4 * SYS_PAGE_BYTES, .reserve_bytes = (size_t) 8 << 30 },
  [RT_MIBS] = { .kind = HEAPPROF_RAW_MIBS,
    .record_bytes = sizeof (struct heapprof_raw_mib),
    .unit_bytes = 16 * SYS_PAGE_BYTES, .reserve_bytes = (size_t) 16 << 30 },
  [RT_SEGMENTS] = { .kind = HEAPPROF_RAW_SEGMENTS,
    .record_bytes = sizeof (struct heapprof_raw_segment),
    .unit_bytes = 3 * SYS_PAGE_BYTES,
    .reserve_bytes = (size_t) 3 << 22 },
  [RT_STRINGS] = { .kind = HEAPPROF_RAW_STRINGS, .record_bytes = 1,
    .unit_bytes = 2 * SYS_PAGE_BYTES, .reserve_bytes = (size_t) 64 << 20 }
};

struct rt_lock rt_raw_lock;
struct heapprof_raw_header *rt_raw_header;

static char path[RT_PATH_BYTES];
static uint64_t file_bytes;	/* end of the last extent */
static uint64_t file_device, file_inode;
static uint64_t start_steady_ns;
static bool is_full;		/* no extents can be added */
static bool said_full;

const char *
rt_raw_path (void)
{
  return path;
}

uint64_t
rt_raw_now_ns (void)
{
  return rt_clock_ns () - start_steady_ns;
}

int
rt_raw_open_again (void)
{
  const int fd = sys_open (path, O_RDWR | O_NOFOLLOW, 0);
  uint64_t device = 0, inode = 0;
  if (fd < 0)
    return fd;
  const int error = sys_file_id (fd, &device, &inode);
  if (error == 0 && device == file_device && inode == file_inode)
    return fd;
  sys_close (fd);
  return error != 0 ? error : -ENOENT;
}

/* Map BYTES more bytes of TABLE from a new extent of the open file FD.  */

static int
add_extent (struct rt_table *table, int fd, size_t bytes)
{
  struct heapprof_raw_header *const header = rt_raw_header;
  const uint64_t index = header->extent_count;
  if (index == HEAPPROF_RAW_MAX_EXTENTS
      || table->mapped_bytes + bytes > table->reserved_bytes)
    return -EFBIG;
  const int error = sys_allocate (fd, file_bytes, bytes);
  if (error != 0)
    return error;
  if (!sys_map_file_over (table->records + table->mapped_bytes, bytes, fd,
			  file_bytes))
    {
      /* Nothing may be left where records would be written.  */
      sys_reserve_over (table->records + table->mapped_bytes, bytes);
      return -ENOMEM;
    }
  header->extents[index] = (struct heapprof_raw_extent) {
    .kind = table->kind, .record_bytes = table->record_bytes,
    .offset = file_bytes, .capacity = bytes / table->record_bytes
  };
  table->extent = (uint32_t) index;
  table->extent_first = table->mapped_bytes / table->record_bytes;
  table->mapped_bytes += bytes;
  file_bytes += bytes;
  __atomic_store_n (&header->extent_count, index + 1, __ATOMIC_RELEASE);
  return 0;
}

/* Give TABLE room for more records: as many as it has, within limits.  */

static bool
grow (struct rt_table *table)
{
  if (is_full)
    return false;
  size_t bytes = table->mapped_bytes;
  if (bytes > EXTENT_BYTES_MAX)
    bytes = EXTENT_BYTES_MAX / table->unit_bytes * table->unit_bytes;
  const int fd = rt_raw_open_again ();
  int error = fd;
  if (fd >= 0)
    {
      error = add_extent (table, fd, bytes);
      if (error != 0 && bytes > table->unit_bytes)
	error = add_extent (table, fd, table->unit_bytes);
      sys_close (fd);
    }
  if (error == 0)
    return true;
  is_full = true;
  rt_log_once (&said_full, "%s: %e; new calling contexts are not recorded",
	       path, error);
  return false;
}

void *
rt_raw_next (unsigned which)
{
  struct rt_table *const table = &rt_tables[which];
  const size_t at = (size_t) table->count * table->record_bytes;
  if (at + table->record_bytes > table->mapped_bytes && !grow (table))
    return NULL;
  return table->records + at;
}

void
rt_raw_commit (unsigned which, uint32_t records)
{
  struct rt_table *const table = &rt_tables[which];
  struct heapprof_raw_extent *const extent
    = &rt_raw_header->extents[table->extent];
  const uint32_t count = table->count + records;
  __atomic_store_n (&extent->count, count - table->extent_first,
		    __ATOMIC_RELEASE);
  __atomic_store_n (&table->count, count, __ATOMIC_RELEASE);
}

uint64_t
rt_raw_add_string (const char *text)
{
  struct rt_table *const table = &rt_tables[RT_STRINGS];
  const size_t bytes = strlen (text) + 1;
  /* Fill up an extent that the string does not fit in: a string lies in one
     extent.  */
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
  memcpy (record, text, bytes);
  rt_raw_commit (RT_STRINGS, (uint32_t) bytes);
  return offset;
}

uint64_t
rt_raw_finish (void)
{
  rt_lock (&rt_raw_lock);
  is_full = true;
  for (unsigned i = 0; i < RT_TABLES; i++)
    rt_tables[i].mapped_bytes
      = (size_t) rt_tables[i].count * rt_tables[i].record_bytes;
  rt_unlock (&rt_raw_lock);
  return file_bytes;
}

/* Find addresses for all tables, fewer where address space is limited.  */

static bool
reserve_tables (void)
{
  const uint64_t share = sys_memory_limit () / 64;
  for (unsigned i = 0; i < RT_TABLES; i++)
    {
      struct rt_table *const table = &rt_tables[i];
      size_t bytes = table->reserve_bytes;
      if (bytes > share)
	bytes = share > table->unit_bytes ? share : table->unit_bytes;
      while (table->records == NULL && bytes >= table->unit_bytes)
	{
	  bytes = bytes / table->unit_bytes * table->unit_bytes;
	  table->records = sys_reserve (bytes);
	  table->reserved_bytes = bytes;
	  bytes /= 2;
	}
      if (table->records == NULL)
	return false;
    }
  return true;
}

void
rt_raw_describe_process (struct heapprof_raw_header *header)
{
  memcpy (header->magic, HEAPPROF_RAW_MAGIC, HEAPPROF_RAW_MAGIC_BYTES);
  header->byte_order = HEAPPROF_RAW_BYTE_ORDER;
  header->version = HEAPPROF_RAW_VERSION;
  header->header_bytes = HEAPPROF_RAW_HEADER_BYTES;
  header->word_bytes = sizeof (void *);
  header->granule_shift = 6;
  header->machine = 62;
  header->pid = (uint64_t) sys_pid ();
  header->parent_pid = (uint64_t) sys_parent_pid ();
  sys_random (header->run_id, sizeof header->run_id);
}

/* What has the name that the file is to have.  */

enum name_state { NAME_IS_FREE, NAME_IS_IN_USE, NAME_IS_NO_FILE };

/* A profile that a living process is writing keeps its name: the parent's, if
   the pattern has no %p, or the one of this process before exec.  */

static enum name_state
look_at_name (void)
{
  struct heapprof_raw_header header;
  size_t got = 0;
  const int fd = sys_open (path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
  if (fd < 0)
    return NAME_IS_FREE;
  enum name_state state = NAME_IS_NO_FILE;
  if (sys_is_regular (fd))
    {
      sys_read_all (fd, &header, sizeof header, &got);
      const bool is_running
	= got == sizeof header
	  && memcmp (header.magic, HEAPPROF_RAW_MAGIC,
		     HEAPPROF_RAW_MAGIC_BYTES) == 0
	  && header.state == HEAPPROF_RAW_RUNNING
	  && sys_process_exists (header.pid);
      state = is_running ? NAME_IS_IN_USE : NAME_IS_FREE;
    }
  sys_close (fd);
  return state;
}

/* Open a new file under the path chosen, or that with -2, -3 ... if it is in
   use.  What else has the name is not touched but removed: a process that died
   may have left it, and a reader may have it open.  */

static int
open_new (void)
{
  const size_t length = strlen (path);
  for (uint64_t number = 2; number < 1000; number++)
    {
      const enum name_state state = look_at_name ();
      if (state == NAME_IS_NO_FILE)
	return -EEXIST;
      if (state == NAME_IS_FREE)
	{
	  sys_remove_file (path);
	  const int fd
	    = sys_open (path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
	  if (fd != -EEXIST)
	    return fd;
	}
      rt_format (path + length, sizeof path - length, "-%u", number);
    }
  return -EEXIST;
}

/* Create the file, and map a header that is still zero.  */

static int
create_file (int *fd)
{
  *fd = open_new ();
  if (*fd < 0)
    return *fd;
  int error = sys_file_id (*fd, &file_device, &file_inode);
  if (error == 0)
    error = sys_allocate (*fd, 0, HEAPPROF_RAW_HEADER_BYTES);
  if (error != 0)
    return error;
  if (rt_raw_header == NULL)
    rt_raw_header = sys_reserve (HEAPPROF_RAW_HEADER_BYTES);
  if (rt_raw_header == NULL
      || !sys_map_file_over (rt_raw_header, HEAPPROF_RAW_HEADER_BYTES, *fd, 0))
    return -ENOMEM;
  file_bytes = HEAPPROF_RAW_HEADER_BYTES;
  return 0;
}

/* Give up on the file FD after ERROR.  */

static bool
abandon (int fd, int error)
{
  if (fd >= 0)
    {
      sys_close (fd);
      sys_remove_file (path);
    }
  rt_log ("%s: %e; no profile is written", path, error);
  return false;
}

/* Give every table its first extent, or, for a child's file, as much room as
   it had.  */

static int
add_first_extents (int fd, const size_t bytes[RT_TABLES])
{
  int error = 0;
  for (unsigned i = 0; error == 0 && i < RT_TABLES; i++)
    {
      rt_tables[i].mapped_bytes = 0;
      rt_tables[i].count = 0;
      error = add_extent (&rt_tables[i], fd, bytes[i]);
    }
  return error;
}

bool
rt_raw_create (void)
{
  int fd = -1;
  if (!rt_path_choose (path, sizeof path))
    return false;
  int error = reserve_tables () ? create_file (&fd) : -ENOMEM;
  if (error == 0)
    {
      size_t bytes[RT_TABLES];
      for (unsigned i = 0; i < RT_TABLES; i++)
	bytes[i] = rt_tables[i].unit_bytes;
      error = add_first_extents (fd, bytes);
    }
  if (error != 0)
    return abandon (fd, error);
  sys_close (fd);

  start_steady_ns = rt_clock_ns ();
  struct heapprof_raw_header *const header = rt_raw_header;
  header->start_time_ns = sys_calendar_ns ();
  /* Record 0 of strings is "", of contexts the root, of MIBs unused; MIB 1 is
     the root's, for allocations whose context finds no room.  */
  rt_raw_commit (RT_STRINGS, 1);
  rt_context_at (0)->mib = 1;
  rt_raw_commit (RT_CONTEXTS, 1);
  rt_raw_commit (RT_MIBS, 2);
  header->program_name = rt_raw_add_string (rt_path_of_program ());
  rt_raw_describe_process (header);
  return true;
}

/* Copy the first COUNT records of TABLE, whose mapping is still the parent's,
   to where they will be in FD.  */

static int
copy_records (unsigned which, uint32_t count, int fd, uint64_t offset)
{
  const struct rt_table *const table = &rt_tables[which];
  if (which != RT_MIBS)
    return sys_write_at (fd, table->records,
			 (size_t) count * table->record_bytes, offset);
  struct heapprof_raw_mib mibs[16];
  memset (mibs, 0, sizeof mibs);
  int error = 0;
  for (uint32_t i = 0; error == 0 && i < count; i += 16)
    {
      const uint32_t n = count - i < 16 ? count - i : 16;
      for (uint32_t j = 0; j < n; j++)
	mibs[j].context = rt_mib_at (i + j)->context;
      error = sys_write_at (fd, mibs, n * sizeof mibs[0],
			    offset + i * sizeof mibs[0]);
    }
  return error;
}

/* Choose a path that is not the parent's: if the pattern has no %p, add the
   process to the parent's.  */

static bool
choose_path_of_child (void)
{
  static char parent[RT_PATH_BYTES];
  memcpy (parent, path, sizeof parent);
  if (!rt_path_choose (path, sizeof path))
    return false;
  const size_t length = strlen (path);
  if (strncmp (path, parent, length) == 0)
    rt_format (path + length, sizeof path - length, "-%u",
	       (uint64_t) sys_pid ());
  return true;
}

bool
rt_raw_create_for_child (const uint32_t counts[RT_TABLES])
{
  const struct heapprof_raw_header parent = *rt_raw_header;
  size_t bytes[RT_TABLES];
  uint64_t offset = HEAPPROF_RAW_HEADER_BYTES;
  int fd = -1;
  if (!choose_path_of_child ())
    return false;
  int error = create_file (&fd);
  for (unsigned i = 0; error == 0 && i < RT_TABLES; i++)
    {
      bytes[i] = rt_tables[i].mapped_bytes;
      error = sys_allocate (fd, offset, bytes[i]);
      if (error == 0)
	error = copy_records (i, counts[i], fd, offset);
      offset += bytes[i];
    }
  if (error == 0)
    error = add_first_extents (fd, bytes);
  if (error != 0)
    return abandon (fd, error);
  sys_close (fd);
  for (unsigned i = 0; i < RT_TABLES; i++)
    rt_raw_commit (i, counts[i]);
  rt_raw_header->start_time_ns = parent.start_time_ns;
  rt_raw_header->program_name = parent.program_name;
  rt_raw_describe_process (rt_raw_header);
  return true;
}
