/* Creating the raw profile: its name, its first extents, a child's copy.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The file gets its name when it is complete enough to be read, so that a
   process killed in its first moments leaves no file rather than garbage.  If
   the file system does not support files without names, it has one from the
   start.  */

#include "raw-file.h"
#include "bytes.h"
#include "clock.h"
#include "debug-log.h"
#include "heapprof/abi.h"
#include "heapprof/raw-packed.h"
#include "identity.h"
#include "format.h"
#include "log.h"
#include "mib-table.h"
#include "path.h"
#include "resident.h"
#include "sampling.h"
#include "shadow.h"
#include "sys.h"
#include "text.h"
#include "timeline.h"
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>

/* The header's mapping ends at a page.  */
#define FIRST_EXTENT                                                           \
  (HEAPPROF_RAW_HEADER_BYTES > SYS_PAGE_BYTES ? HEAPPROF_RAW_HEADER_BYTES      \
					      : SYS_PAGE_BYTES)

/* Reserve addresses for all tables, fewer if the address space is small or
   limited.  */

static bool
reserve_tables (void)
{
  const uint64_t space
    = RT_SHADOW_BYTES / HEAPPROF_COUNTER_BYTES * HEAPPROF_GRANULE_BYTES;
  uint64_t limit = sys_memory_limit ();
  if (limit > space)
    limit = space;
  for (unsigned i = 0; i < RT_TABLES; i++)
    {
      struct rt_table *const table = &rt_tables[i];
      const uint64_t share = limit / (table->is_small ? 1024 : 64);
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

/* Identity of the process that owns the file.  */
static struct rt_identity identity;

/* Utilizations are unknown.  */
static bool has_totals_only;

/* The program has code that counts accesses, and code that was compiled to be
   profiled and does not.  */
static bool is_counted, is_uncounted;

/* Accesses are estimated by watching words.  */
static bool is_watched;

/* Say in HEADER what is known.  Readers that do not know the flags do not know
   the version either.  */

static void
flag_counting (struct heapprof_raw_header *header)
{
  header->more_flags
    = (uint8_t) ((has_totals_only ? HEAPPROF_RAW_TOTALS : 0)
		 | (is_watched ? HEAPPROF_RAW_WATCHED | HEAPPROF_RAW_TOTALS
		    : is_counted && !is_uncounted ? 0
						  : HEAPPROF_RAW_UNCOUNTED));
}

void
rt_raw_note_watching (bool watches)
{
  is_watched = watches;
  if (rt_raw_header != NULL)
    flag_counting (rt_raw_header);
}

void
rt_raw_set_totals_only (void)
{
  has_totals_only = true;
  if (rt_raw_header != NULL)
    flag_counting (rt_raw_header);
}

void
rt_raw_note_counting (bool counts)
{
  if (counts)
    is_counted = true;
  else
    is_uncounted = true;
  if (rt_raw_header != NULL)
    flag_counting (rt_raw_header);
}

/* Fill in HEADER so that readers accept it; the magic comes last.  */

static void
describe_process (struct heapprof_raw_header *header)
{
  header->byte_order = HEAPPROF_RAW_BYTE_ORDER;
  header->version = HEAPPROF_RAW_VERSION;
  header->sample_bytes = rt_sample_bytes;
  header->header_bytes = HEAPPROF_RAW_HEADER_BYTES;
  header->word_bytes = sizeof (void *);
  header->granule_shift = HEAPPROF_GRANULE_SHIFT;
  header->flags = rt_options.folds_recursion ? HEAPPROF_RAW_FOLDED : 0;
  flag_counting (header);
  header->machine = MACHINE_ELF;
  header->pid = identity.pid;
  header->start_ticks = identity.start_ticks;
  header->pid_namespace = identity.pid_namespace;
  header->boot_id[0] = identity.boot[0];
  header->boot_id[1] = identity.boot[1];
  header->parent_pid = (uint64_t) sys_parent_pid ();
  rt_make_run_id (header->run_id, sizeof header->run_id);
  header->epoch = rt_epoch_of_mibs (rt_epoch);
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
  own_memcpy (header->magic, HEAPPROF_RAW_MAGIC, HEAPPROF_RAW_MAGIC_BYTES);
}

/* What exists under the name that the file is to get.  */

enum name_state
{
  NAME_IS_FREE,
  NAME_IS_IN_USE,
  NAME_IS_NO_FILE
};

/* True if the profile with HEADER must not be replaced: another living process
   is writing it, such as the parent if the pattern has no %p, or this process
   wrote it before exec.  */

static bool
is_in_use (const struct heapprof_raw_header *header)
{
  return rt_identity_is_of (&identity, header)
	 || (header->state == HEAPPROF_RAW_RUNNING
	     && sys_process_exists (header->pid)
	     && !rt_process_is_other (header->pid, header->start_ticks));
}

/* Read the header of the profile in FD, in either form; return false if it is
   not a profile.  */

static bool
read_header (int fd, struct heapprof_raw_header *header)
{
  static uint8_t data[HEAPPROF_RAW_HEADER_BYTES];
  size_t got = 0;
  sys_read_all (fd, data, sizeof data, &got);
  own_memset (header, 0, sizeof *header);
  own_memcpy (header, data, got);
  if (own_memcmp (header->magic, HEAPPROF_RAW_MAGIC, HEAPPROF_RAW_MAGIC_BYTES)
      != 0)
    return false;
  if ((header->flags & HEAPPROF_RAW_PACKED) == 0)
    return got == sizeof data;
  uint64_t words[HEAPPROF_PACKED_WORDS + 1] = { 0 };
  size_t at = HEAPPROF_PACKED_HEADER_BYTES + sizeof header->run_id;
  for (uint64_t i = 0;
       i <= (i == 0 ? 0 : words[0]) && i <= HEAPPROF_PACKED_WORDS; i++)
    {
      unsigned shift = 0;
      uint8_t byte = 0;
      do
	{
	  byte = at < got ? data[at++] : 0;
	  words[i] |= (uint64_t) (byte & 0x7f) << shift;
	  shift += 7;
	}
      while (byte >= 0x80 && shift < 64);
    }
  own_memcpy ((char *) header + HEAPPROF_PACKED_FIRST_WORD, words + 1,
	      HEAPPROF_PACKED_WORDS * sizeof words[0]);
  return true;
}

static enum name_state
look_at_name (void)
{
  static struct heapprof_raw_header header;
  const int fd
    = sys_open (rt_raw_file.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
  if (fd < 0)
    return NAME_IS_FREE;
  enum name_state state = NAME_IS_NO_FILE;
  if (sys_is_regular (fd))
    {
      state = read_header (fd, &header) && is_in_use (&header) ? NAME_IS_IN_USE
							       : NAME_IS_FREE;
    }
  sys_close (fd);
  return state;
}

enum naming
{
  NAME_AT_LAST,
  NAME_AT_ONCE
};

/* Give FD the chosen path as its name or, if *FD is negative, create a new file
   of that name.  */

static int
try_name (int *fd)
{
  if (*fd >= 0)
    return sys_give_name (*fd, rt_raw_file.path);
  const int opened
    = sys_open (rt_raw_file.path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW,
		RT_RAW_MODE);
  if (opened >= 0)
    *fd = opened;
  return opened < 0 ? opened : 0;
}

/* Add -NUMBER to the running file's path of LENGTH bytes; before the suffix if
   that is the usual one, as users may look for that suffix.  */

static void
number_path (size_t length, uint64_t number)
{
  static const char suffix[] = ".hpraw";
  const size_t suffix_bytes = sizeof suffix - 1;
  char *const path = rt_raw_file.path;
  const bool has_suffix
    = length >= suffix_bytes
      && own_memcmp (path + length - suffix_bytes, suffix, suffix_bytes) == 0;
  const size_t at = has_suffix ? length - suffix_bytes : length;
  rt_format (path + at, sizeof rt_raw_file.path - at, "-%u%s", number,
	     has_suffix ? suffix : "");
}

/* Do the same, with -2, -3 ... if the name is in use.  Another file of that
   name is removed, not overwritten: a dead process may have left it, and a
   reader may have it open.  */

static int
take_name (int *fd)
{
  static char wanted[RT_PATH_BYTES];
  char *const path = rt_raw_file.path;
  const size_t length = own_strlen (path);
  own_memcpy (wanted, path, sizeof wanted);
  for (uint64_t number = 2; number < 1000; number++)
    {
      const enum name_state state = look_at_name ();
      if (state == NAME_IS_NO_FILE)
	return -EEXIST;
      if (state == NAME_IS_FREE)
	{
	  sys_remove_file (path);
	  const int error = try_name (fd);
	  if (error != -EEXIST)
	    return error;
	}
      own_memcpy (path, wanted, sizeof wanted);
      number_path (length, number);
    }
  return -EEXIST;
}

/* Make FD, an empty file, the running one, and map its header, still zero.  */

static int
map_header (int fd)
{
  int error = sys_file_id (fd, &rt_raw_file.device, &rt_raw_file.inode);
  if (error == 0)
    error = sys_allocate (fd, 0, HEAPPROF_RAW_HEADER_BYTES);
  if (error != 0)
    return error;
  if (rt_raw_header == NULL)
    rt_raw_header = sys_reserve (HEAPPROF_RAW_HEADER_BYTES);
  if (rt_raw_header == NULL
      || !sys_map_file_over (rt_raw_header, HEAPPROF_RAW_HEADER_BYTES, fd, 0))
    return -ENOMEM;
  rt_raw_file.bytes = FIRST_EXTENT;
  rt_raw_file.length = 0;
  return 0;
}

/* Create the file, and map its header.  */

static int
create_file (int *fd, enum naming naming)
{
  rt_identify (&identity);
  *fd = naming == NAME_AT_LAST ? rt_raw_open_unnamed () : -1;
  const int error = naming == NAME_AT_ONCE ? take_name (fd) : *fd < 0 ? *fd : 0;
  return error != 0 ? error : map_header (*fd);
}

/* Give every table an extent of BYTES, unless that is 0.  */

static int
add_extents (int fd, const size_t bytes[RT_TABLES])
{
  int error = 0;
  for (unsigned i = 0; error == 0 && i < RT_TABLES; i++)
    {
      struct rt_table *const table = &rt_tables[i];
      /* A child may still have its parent's records mapped.  */
      if (bytes[i] < table->mapped_bytes)
	sys_reserve_over (table->records, table->mapped_bytes);
      table->mapped_bytes = 0;
      table->count = 0;
      table->extent_first = 0;
      if (bytes[i] > 0)
	error = rt_raw_add_extent (table, fd, bytes[i]);
    }
  return error;
}

/* Add the root's wide record at the start: it serves when other MIBs cannot get
   one.  Number 0 is unused.  */

static void
add_wide_of_root (void)
{
  struct heapprof_raw_wide *const records
    = (struct heapprof_raw_wide *) rt_tables[RT_WIDE].records;
  records[1].mib = RT_ROOT_MIB;
  rt_raw_commit (RT_WIDE, 2);
  rt_mib_at (RT_ROOT_MIB)->wide = 1;
}

/* Add the first records of a profile: "", the root, MIB 0, which is unused, and
   the root's MIB, for allocations whose context cannot be stored.  */

static void
add_first_records (void)
{
  struct heapprof_raw_header *const header = rt_raw_header;
  rt_raw_file.start_ns = rt_clock_ns ();
  header->start_time_ns = sys_calendar_ns ();
  rt_raw_commit (RT_STRINGS, 1);
  rt_context_at (0)->mib = RT_ROOT_MIB;
  rt_raw_commit (RT_CONTEXTS, 1);
  rt_raw_commit (RT_MOMENTS, RT_MIB_CHUNK);
  rt_raw_commit (RT_MIBS, RT_MIB_CHUNK);
  rt_raw_commit (RT_TIMELINE, 1);
  rt_raw_commit (RT_THREADS, 1);
  add_wide_of_root ();
  header->program_name = rt_raw_add_string (rt_path_of_program ());
}

/* True if table WHICH has no records unless something is asked for, or
   happens.  */

static bool
is_optional (unsigned which)
{
  return which == RT_HISTOGRAMS || which == RT_AFFINITIES || which == RT_MARKS
	 || which == RT_MARKED || which == RT_LEAKS || which == RT_INTERPRETED;
}

static int
build (int fd)
{
  size_t bytes[RT_TABLES];
  for (unsigned i = 0; i < RT_TABLES; i++)
    bytes[i] = is_optional (i)	      ? 0
	       : rt_tables[i].is_rare ? SYS_PAGE_BYTES
				      : rt_tables[i].unit_bytes;
  const int error = add_extents (fd, bytes);
  if (error == 0)
    add_first_records ();
  return error;
}

/* The file that a new one continues: its header, and the number of records of
   each table to copy: a parent's at the fork or, if IS_OWN, all of the
   process's own.  */
struct parent
{
  struct heapprof_raw_header header;
  const uint32_t *counts;
  bool is_own;
};

/* Return the bytes of table WHICH in the file that continues PARENT's.  Tables
   that a child does not copy follow those that it does.  */

static size_t
bytes_to_copy (unsigned which, const struct parent *parent)
{
  const bool is_copied = parent->is_own || which <= RT_MOMENTS;
  return is_copied ? rt_tables[which].mapped_bytes : 0;
}

/* Return the context number CONTEXT, 0 if the child of PARENT does not have
   it.  */

static uint32_t
context_in_child (const struct parent *parent, uint32_t context)
{
  return context < parent->counts[RT_CONTEXTS] ? context : 0;
}

/* Write the origins of PARENT's brief MIBs, which are empty, to their place in
   FD. */

static int
empty_origins (const struct parent *parent, int fd, uint64_t offset)
{
  const uint32_t count = parent->counts[RT_BRIEFS];
  struct heapprof_raw_origin origins[16];
  own_memset (origins, 0, sizeof origins);
  int error = 0;
  for (uint32_t i = 0; error == 0 && i < count; i += 16)
    {
      const uint32_t n = count - i < 16 ? count - i : 16;
      for (uint32_t j = 0; j < n; j++)
	origins[j].context
	  = context_in_child (parent,
			      rt_mib_context ((i + j) | HEAPPROF_RAW_BRIEF));
      error = sys_write_at (fd, origins, n * sizeof origins[0],
			    offset + i * sizeof origins[0]);
    }
  return error;
}

/* Copy PARENT's records of table WHICH, whose mapping is still the parent's, to
   their place in FD; a child gets empty MIBs.  The parent may have used some of
   them since the fork, for contexts that the child does not have.  */

static int
copy_records (unsigned which, const struct parent *parent, int fd,
	      uint64_t offset)
{
  const struct rt_table *const table = &rt_tables[which];
  const uint32_t count = parent->counts[which];
  if ((which == RT_MOMENTS || which == RT_BRIEFS) && !parent->is_own)
    return 0; /* zeros: nothing was live, and none has grown */
  if (which == RT_ORIGINS && !parent->is_own)
    return empty_origins (parent, fd, offset);
  if (which != RT_MIBS || parent->is_own)
    return sys_write_at (fd, table->records,
			 (size_t) count * table->record_bytes, offset);
  struct heapprof_raw_mib mibs[16];
  own_memset (mibs, 0, sizeof mibs);
  int error = 0;
  for (uint32_t i = 0; error == 0 && i < count; i += 16)
    {
      const uint32_t n = count - i < 16 ? count - i : 16;
      for (uint32_t j = 0; j < n; j++)
	mibs[j].context = context_in_child (parent, rt_mib_at (i + j)->context);
      error = sys_write_at (fd, mibs, n * sizeof mibs[0],
			    offset + i * sizeof mibs[0]);
    }
  return error;
}

/* Fill FD from the tables, which are still PARENT's, and map them to FD.  */

static int
copy_tables (int fd, const struct parent *parent)
{
  size_t bytes[RT_TABLES];
  uint64_t offset = FIRST_EXTENT;
  int error = 0;
  for (unsigned i = 0; error == 0 && i < RT_TABLES; i++)
    {
      bytes[i] = bytes_to_copy (i, parent);
      if (bytes[i] == 0)
	continue;
      error = sys_allocate (fd, offset, bytes[i]);
      if (error == 0)
	error = copy_records (i, parent, fd, offset);
      offset += bytes[i];
    }
  if (!parent->is_own)
    {
      bytes[RT_WIDE] = SYS_PAGE_BYTES;
      bytes[RT_TIMELINE] = rt_tables[RT_TIMELINE].unit_bytes;
      bytes[RT_THREADS] = rt_tables[RT_THREADS].unit_bytes;
    }
  if (error == 0)
    error = add_extents (fd, bytes);
  if (error != 0)
    return error;
  for (unsigned i = 0; i < RT_TABLES; i++)
    if (bytes_to_copy (i, parent) > 0)
      rt_raw_commit (i, parent->counts[i]);
  return 0;
}

/* Return the number of a MIB, MIB, if the child of PARENT has it, otherwise
   0.  */

static uint32_t
mib_in_child (const struct parent *parent, uint32_t mib)
{
  const unsigned table = rt_mib_is_brief (mib) ? RT_BRIEFS : RT_MIBS;
  return (mib & ~HEAPPROF_RAW_BRIEF) < parent->counts[table] ? mib : 0;
}

/* The parent may have given contexts MIBs that it took after the fork: their
   numbers are still free here.  */

static void
forget_new_mibs (const struct parent *parent)
{
  const uint32_t count = parent->counts[RT_CONTEXTS];
  for (uint32_t i = 0; i < count; i++)
    {
      struct heapprof_raw_context *const context = rt_context_at (i);
      const uint32_t mib = rt_link_mib (rt_nodes[i].link);
      if (mib_in_child (parent, mib) != mib)
	rt_nodes[i].link = 0;
      if (mib_in_child (parent, context->mib) != context->mib)
	context->mib = HEAPPROF_RAW_NO_INDEX;
      rt_resident_leave_behind (i);
    }
}

static int
build_for_child (int fd, const struct parent *parent)
{
  const int error = copy_tables (fd, parent);
  if (error != 0)
    return error;
  forget_new_mibs (parent);
  add_wide_of_root ();
  rt_raw_commit (RT_TIMELINE, 1);
  rt_raw_commit (RT_THREADS, 1);
  rt_timeline_forget (rt_timeline (), rt_raw_now_ns ());
  rt_peak_begin ();
  rt_raw_header->start_time_ns = parent->header.start_time_ns;
  rt_raw_header->program_name = parent->header.program_name;
  return 0;
}

/* Create the file, for the child of PARENT unless that is NULL.  */

static int
create (enum naming naming, const struct parent *parent)
{
  int fd;
  int error = create_file (&fd, naming);
  const bool has_name = fd >= 0 && naming == NAME_AT_ONCE;
  if (error == 0)
    error = parent == NULL ? build (fd) : build_for_child (fd, parent);
  if (error == 0)
    {
      rt_raw_lengthen (fd);
      describe_process (rt_raw_header);
      if (naming == NAME_AT_LAST)
	error = take_name (&fd);
    }
  if (error != 0 && has_name)
    sys_remove_file (rt_raw_file.path);
  if (fd >= 0)
    sys_close (fd);
  return error;
}

/* True if the tables are still PARENT's, not yet mapped to another file.  */

static bool
tables_are_whole (const struct parent *parent)
{
  for (unsigned i = 0; i < RT_TABLES; i++)
    if (i != RT_WIDE && rt_tables[i].count < parent->counts[i])
      return false;
  return true;
}

static bool
create_either_way (const struct parent *parent)
{
  int error = create (NAME_AT_LAST, parent);
  if (error != 0 && (parent == NULL || tables_are_whole (parent)))
    error = create (NAME_AT_ONCE, parent);
  RT_DEBUG (1, "file %s: %e", rt_raw_file.path, error);
  if (error != 0)
    rt_log ("%s: %e; no profile is written%s", rt_raw_file.path, error,
	    rt_path_advice (error));
  return error == 0;
}

/* The running file's path before a number was added.  */
static char chosen[RT_PATH_BYTES];

static bool
choose_path (void)
{
  if (!rt_path_choose (rt_raw_file.path, sizeof rt_raw_file.path))
    return false;
  own_memcpy (chosen, rt_raw_file.path, sizeof chosen);
  return true;
}

bool
rt_raw_create (void)
{
  if (!choose_path ())
    return false;
  if (reserve_tables ())
    return create_either_way (NULL);
  rt_log ("%s: %e; no profile is written", rt_raw_file.path, -ENOMEM);
  return false;
}

/* Choose a path that differs from the parent's: if the pattern has no %p, add
   the process ID.  */

static bool
choose_path_of_child (void)
{
  static char parent[RT_PATH_BYTES];
  own_memcpy (parent, chosen, sizeof parent);
  if (!choose_path ())
    return false;
  if (text_is (chosen, parent))
    number_path (own_strlen (chosen), (uint64_t) sys_pid ());
  return true;
}

bool
rt_raw_create_for_child (const uint32_t counts[RT_TABLES])
{
  static struct parent parent;
  parent.header = *rt_raw_header;
  parent.counts = counts;
  return choose_path_of_child () && create_either_way (&parent);
}

void
rt_raw_begin_now (void)
{
  const uint64_t passed_ns = rt_raw_now_ns ();
  rt_raw_file.start_ns += passed_ns;
  rt_raw_header->start_time_ns += passed_ns;
  for (uint32_t i = 0; i < rt_record_count (RT_SEGMENTS); i++)
    {
      struct heapprof_raw_segment *const segment = rt_segment_at (i);
      segment->load_time_ns = 0;
      if (segment->unload_time_ns != 0)
	segment->unload_time_ns = 1;
    }
  rt_timeline_forget (rt_timeline (), 0);
}

/* Fill FD with PARENT's contents, and make its header valid.  */

static int
build_again (int fd, const struct parent *parent)
{
  struct heapprof_raw_header *const header = rt_raw_header;
  const int error = copy_tables (fd, parent);
  if (error != 0)
    return error;
  const size_t extents = offsetof (struct heapprof_raw_header, extent_count);
  const size_t magic = sizeof header->magic;
  own_memcpy ((char *) header + magic, (const char *) &parent->header + magic,
	      extents - magic);
  header->epoch = parent->header.epoch;
  header->memory_bytes = header->table_bytes = 0;
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
  own_memcpy (header->magic, parent->header.magic, magic);
  return 0;
}

int
rt_raw_create_again (void)
{
  static char temporary[RT_PATH_BYTES + 8];
  static struct parent parent;
  uint32_t counts[RT_TABLES];
  for (unsigned i = 0; i < RT_TABLES; i++)
    counts[i] = rt_tables[i].count;
  parent = (struct parent){ .header = *rt_raw_header,
			    .counts = counts,
			    .is_own = true };
  rt_format (temporary, sizeof temporary, "%s.tmp", rt_raw_file.path);
  bool has_name;
  const int fd = rt_raw_open_beside (temporary, &has_name);
  if (fd < 0)
    return fd;
  int error = map_header (fd);
  if (error == 0)
    error = build_again (fd, &parent);
  if (error == 0)
    rt_raw_lengthen (fd);
  if (error == 0 && !has_name)
    {
      sys_remove_file (temporary);
      error = sys_give_name (fd, temporary);
      has_name = error == 0;
    }
  sys_close (fd);
  if (error == 0)
    error = sys_rename (temporary, rt_raw_file.path);
  if (error != 0 && has_name)
    sys_remove_file (temporary);
  return error;
}
