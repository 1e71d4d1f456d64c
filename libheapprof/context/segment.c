/* Loaded modules and their segments.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "segment.h"
#include "bytes.h"
#include "debug-log.h"
#include "invariant.h"
#include "options.h"
#include "path.h"
#include "python.h"
#include "raw-file.h"
#include "sys.h"
#include "text.h"
#include <elf.h>
#include <link.h>

#define NOTE_NAME_BYTES 4 /* "GNU" */

/* No count of loaded modules.  musl's is 0 until the program loads one.  */
#define NOT_SCANNED UINT64_MAX

/* The dynamic linker's count of loaded modules at the last complete scan, and
   of unloaded modules at the last search for those.  */
static unsigned long long scanned_loads = NOT_SCANNED, scanned_unloads;

uint32_t rt_segment_closing;

/* .eh_frame_hdr of the module of each segment, or NULL.  Valid only in this
   process, so not in the file.  */
#define UNWIND_TABLES_MAX 4096u
static const void *unwind_tables[UNWIND_TABLES_MAX];

/* Buffer for a module's path: RT_PATH_BYTES long, guarded by rt_raw_lock.  */
static char absolute[RT_PATH_BYTES];

/* True if NOTE is a build ID whose name and content are within BYTES bytes.  */

static bool
is_build_id (const ElfW (Nhdr) *note, size_t bytes)
{
  return note->n_type == NT_GNU_BUILD_ID && note->n_namesz == NOTE_NAME_BYTES
	 && sizeof *note + NOTE_NAME_BYTES + note->n_descsz <= bytes
	 && own_memcmp (note + 1, "GNU", NOTE_NAME_BYTES) == 0;
}

/* Search for a build ID in BYTES bytes of notes at START, which are aligned to
   ALIGNMENT.  */

static bool
read_build_id (const char *start, size_t bytes, size_t alignment,
	       struct heapprof_raw_segment *segment)
{
  const size_t mask = alignment == 8 ? 7 : 3;
  for (size_t at = 0; at + sizeof (ElfW (Nhdr)) <= bytes;)
    {
      const ElfW (Nhdr) *const note = (const ElfW (Nhdr) *) (start + at);
      if (is_build_id (note, bytes - at))
	{
	  const size_t n = note->n_descsz < HEAPPROF_RAW_BUILD_ID_BYTES
			     ? note->n_descsz
			     : HEAPPROF_RAW_BUILD_ID_BYTES;
	  segment->build_id_bytes = (uint32_t) n;
	  own_memcpy (segment->build_id,
		      (const char *) (note + 1) + NOTE_NAME_BYTES, n);
	  return true;
	}
      const size_t name_end
	= (sizeof *note + (size_t) note->n_namesz + mask) & ~mask;
      at += (name_end + note->n_descsz + mask) & ~mask;
    }
  return false;
}

static void
find_build_id (const struct dl_phdr_info *info,
	       struct heapprof_raw_segment *segment)
{
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *const header = &info->dlpi_phdr[i];
      if (header->p_type == PT_NOTE
	  && read_build_id ((const char *) (info->dlpi_addr + header->p_vaddr),
			    header->p_memsz, header->p_align, segment))
	return;
    }
}

/* True if INFO is of the kernel's functions, which have no file.  */

static bool
is_vdso (const struct dl_phdr_info *info)
{
  const uintptr_t start = sys_auxiliary (AT_SYSINFO_EHDR);
  const uintptr_t headers = (uintptr_t) info->dlpi_phdr;
  return start != 0 && start < headers && headers - start < SYS_PAGE_BYTES;
}

/* Return the absolute path of a module; rt_raw_lock is held.  */

static const char *
path_of (const struct dl_phdr_info *info)
{
  const char *name = info->dlpi_name;
  /* musl gives the former no name, and the latter the name that it was started
     by, which is relative to the folder at that time.  */
  if ((name == NULL || name[0] == '\0') && is_vdso (info))
    return "linux-vdso.so.1";
  if (name == NULL || name[0] == '\0'
      || (uintptr_t) info->dlpi_phdr == sys_auxiliary (AT_PHDR))
    return rt_path_of_program ();
  if (name[0] == '/' || text_find (name, '/') == NULL
      || !sys_current_directory (absolute, sizeof absolute))
    return name;
  while (name[0] == '.' && name[1] == '/')
    name += 2;
  const size_t used = own_strlen (absolute);
  if (used + 1 + own_strlen (name) >= sizeof absolute)
    return name;
  absolute[used] = '/';
  text_copy (absolute + used + 1, name, sizeof absolute - used - 1);
  return absolute;
}

/* Return the index of the loaded segment that overlaps [START, END), or the
   number of segments.  */

static uint32_t
find_loaded (uintptr_t start, uintptr_t end)
{
  const uint32_t count = rt_record_count (RT_SEGMENTS);
  uint32_t i = 0;
  while (i < count
	 && (rt_segment_at (i)->unload_time_ns != 0
	     || rt_segment_at (i)->start >= end
	     || rt_segment_at (i)->end <= start))
    i++;
  return i;
}

/* Return the index of the loaded segment that contains return address ADDRESS,
   or the number of segments.  Usually it is the same as last time.  */

static uint32_t
find_segment (uintptr_t address)
{
  static uint32_t last;
  uint32_t index = __atomic_load_n (&last, __ATOMIC_RELAXED);
  if (index < rt_record_count (RT_SEGMENTS)
      && rt_segment_at (index)->start < address
      && address <= rt_segment_at (index)->end
      && rt_segment_at (index)->unload_time_ns == 0)
    return index;
  index = find_loaded (address - 1, address);
  __atomic_store_n (&last, index, __ATOMIC_RELAXED);
  return index;
}

/* Functions that drop other data about addresses.  */
#define FORGETTING_MAX 3u
static void (*forgetting[FORGETTING_MAX]) (uintptr_t start, uintptr_t end);
static unsigned forgetting_count;

void
rt_segment_when_gone (void (*forget) (uintptr_t start, uintptr_t end))
{
  if (forgetting_count < FORGETTING_MAX)
    forgetting[forgetting_count++] = forget;
}

/* Record that the module of segment INDEX was unloaded.  rt_raw_lock is
   held.  */

static void
unload (uint32_t index)
{
  struct heapprof_raw_segment *const segment = rt_segment_at (index);
  const uint64_t now = rt_raw_now_ns ();
  RT_DEBUG (1, "segment %u unloaded: 0x%x-0x%x", (uint64_t) index,
	    segment->start, segment->end);
  segment->end_context = rt_tables[RT_CONTEXTS].count;
  __atomic_store_n (&segment->unload_time_ns, now != 0 ? now : 1,
		    __ATOMIC_RELEASE);
  for (unsigned i = 0; i < forgetting_count; i++)
    forgetting[i](segment->start, segment->end);
}

/* True if the known segment INDEX is the one that FRESH describes.  */

static bool
is_same (uint32_t index, const struct heapprof_raw_segment *fresh,
	 const char *path)
{
  const struct heapprof_raw_segment *const known = rt_segment_at (index);
  return known->start == fresh->start && known->end == fresh->end
	 && known->load_bias == fresh->load_bias
	 && known->build_id_bytes == fresh->build_id_bytes
	 && own_memcmp (known->build_id, fresh->build_id,
			sizeof known->build_id)
	      == 0
	 && text_is (rt_tables[RT_STRINGS].records + known->path, path);
}

/* Add FRESH unless it is known.  Any other segment at its addresses must have
   been unloaded.  rt_raw_lock is held.  */

static void
add_segment (const struct heapprof_raw_segment *fresh, const char *path,
	     const void *unwind_table)
{
  uint32_t old;
  while ((old = find_loaded (fresh->start, fresh->end))
	 < rt_record_count (RT_SEGMENTS))
    {
      if (is_same (old, fresh, path))
	return;
      unload (old);
    }
  struct heapprof_raw_segment *const record = rt_raw_next (RT_SEGMENTS);
  if (record == NULL)
    return;
  *record = *fresh;
  record->path = rt_raw_add_string (path);
  record->load_time_ns = rt_raw_now_ns ();
  record->first_context = rt_tables[RT_CONTEXTS].count;
  const uint32_t index = rt_tables[RT_SEGMENTS].count;
  if (index < UNWIND_TABLES_MAX)
    unwind_tables[index] = unwind_table;
  RT_DEBUG (1, "segment %u: 0x%x-0x%x %s", (uint64_t) index, record->start,
	    record->end, path);
  rt_raw_commit (RT_SEGMENTS, 1);
}

/* Return the module's .eh_frame_hdr, NULL if it has none.  */

static const void *
find_unwind_table (const struct dl_phdr_info *info)
{
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
      return (const void *) (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  return NULL;
}

/* Add the segments of a module.  DATA is the count of loaded modules at the
   first one.  */

static int
add_module (struct dl_phdr_info *info, size_t bytes, void *data)
{
  (void) bytes;
  unsigned long long *const loads = data;
  if (*loads == NOT_SCANNED)
    *loads = info->dlpi_adds;
  struct heapprof_raw_segment segment;
  own_memset (&segment, 0, sizeof segment);
  segment.load_bias = info->dlpi_addr;
  find_build_id (info, &segment);
  const void *const unwind_table = find_unwind_table (info);
  rt_lock (&rt_raw_lock);
  const char *const path = path_of (info);
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *const header = &info->dlpi_phdr[i];
      if (header->p_type != PT_LOAD || (header->p_flags & PF_X) == 0)
	continue;
      segment.start = info->dlpi_addr + header->p_vaddr;
      segment.end = segment.start + header->p_memsz;
      add_segment (&segment, path, unwind_table);
    }
  rt_unlock (&rt_raw_lock);
  rt_python_notice (info);
  return 0;
}

/* Number of threads in ask_linker, and whether a fork waits for them.  */
static uint32_t asking;
static uint32_t is_forking;

/* Call dl_iterate_phdr, but not during a fork by another thread, which has
   rt_raw_lock and needs nothing from this one.  */

static void
ask_linker (int (*visit) (struct dl_phdr_info *, size_t, void *), void *data)
{
  for (bool done = false; !done;)
    {
      while (__atomic_load_n (&is_forking, __ATOMIC_SEQ_CST) != 0)
	sys_yield ();
      __atomic_fetch_add (&asking, 1, __ATOMIC_SEQ_CST);
      done = __atomic_load_n (&is_forking, __ATOMIC_SEQ_CST) == 0;
      if (done)
	dl_iterate_phdr (visit, data);
      __atomic_fetch_sub (&asking, 1, __ATOMIC_SEQ_CST);
    }
}

void
rt_segment_before_fork (void)
{
  __atomic_store_n (&is_forking, 1, __ATOMIC_SEQ_CST);
  /* Bounded: the dynamic linker may itself wait for this thread.  */
  for (int tries = 0;
       tries < 100000 && __atomic_load_n (&asking, __ATOMIC_SEQ_CST) != 0;
       tries++)
    sys_yield ();
}

void
rt_segment_after_fork (bool is_child)
{
  if (is_child)
    asking = rt_segment_closing = 0;
  __atomic_store_n (&is_forking, 0, __ATOMIC_SEQ_CST);
}

void
rt_segment_scan (void)
{
  unsigned long long loads = NOT_SCANNED;
  ask_linker (add_module, &loads);
  /* Not before the last module was added: meanwhile, other threads must search
     for theirs.  */
  if (loads != NOT_SCANNED)
    __atomic_store_n (&scanned_loads, loads, __ATOMIC_RELEASE);
}

/* Number of modules loaded and unloaded since the program started.  */
struct changes
{
  unsigned long long loads, unloads;
};

static int
get_changes (struct dl_phdr_info *info, size_t bytes, void *data)
{
  (void) bytes;
  *(struct changes *) data
    = (struct changes){ info->dlpi_adds, info->dlpi_subs };
  return 1;
}

void
rt_segment_notice (uintptr_t address)
{
  if (find_segment (address) < rt_record_count (RT_SEGMENTS))
    return;
  /* For code that is in no module, generated at run time, there is nothing to
     scan for.  */
  struct changes now = { 0, 0 };
  ask_linker (get_changes, &now);
  if (now.loads != __atomic_load_n (&scanned_loads, __ATOMIC_ACQUIRE))
    rt_segment_scan ();
}

const void *
rt_segment_unwind_table (uintptr_t address)
{
  rt_segment_notice (address);
  const uint32_t index = find_segment (address);
  return index < rt_record_count (RT_SEGMENTS) && index < UNWIND_TABLES_MAX
	   ? unwind_tables[index]
	   : NULL;
}

/* Which segments are still loaded.  */
struct presence
{
  uint32_t first; /* covers segments FIRST to FIRST + 1023 */
  bool is_known;
  unsigned long long unloads; /* up to that time */
  bool is_there[1024];
};

static int
mark_module (struct dl_phdr_info *info, size_t bytes, void *data)
{
  (void) bytes;
  struct presence *const presence = data;
  presence->is_known = true;
  presence->unloads = info->dlpi_subs;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *const header = &info->dlpi_phdr[i];
      if (header->p_type != PT_LOAD || (header->p_flags & PF_X) == 0)
	continue;
      const uintptr_t start = info->dlpi_addr + header->p_vaddr;
      const uint32_t index = find_loaded (start, start + header->p_memsz);
      if (index - presence->first < 1024)
	presence->is_there[index - presence->first] = true;
    }
  return 0;
}

void
rt_segment_forget_unloaded (void)
{
  struct presence presence;
  /* New modules may be at the addresses of unloaded ones.  */
  rt_segment_scan ();
  const uint32_t count = rt_record_count (RT_SEGMENTS);
  for (uint32_t first = 0; first < count; first += 1024)
    {
      presence = (struct presence){ .first = first, .is_known = false };
      ask_linker (mark_module, &presence);
      if (!presence.is_known)
	return;
      rt_lock (&rt_raw_lock);
      for (uint32_t i = first; i < count && i < first + 1024; i++)
	if (!presence.is_there[i - first]
	    && rt_segment_at (i)->unload_time_ns == 0)
	  {
	    unload (i);
	    /* It may have been loaded again meanwhile.  */
	    __atomic_store_n (&scanned_loads, NOT_SCANNED, __ATOMIC_RELEASE);
	  }
      rt_unlock (&rt_raw_lock);
    }
  if (count > 0)
    __atomic_store_n (&scanned_unloads, presence.unloads, __ATOMIC_RELEASE);
}

void
rt_segment_check (void)
{
  struct changes now = { 0, 0 };
  ask_linker (get_changes, &now);
  if (now.loads != __atomic_load_n (&scanned_loads, __ATOMIC_ACQUIRE)
      || now.unloads != __atomic_load_n (&scanned_unloads, __ATOMIC_ACQUIRE))
    rt_segment_forget_unloaded ();
}

#if HEAPPROF_CHECKING > 0

bool
rt_segment_is_valid (void)
{
  const uint32_t count = rt_record_count (RT_SEGMENTS);
  for (uint32_t i = 0; i < count; i++)
    {
      const struct heapprof_raw_segment *const segment = rt_segment_at (i);
      if (segment->start >= segment->end
	  || segment->path >= rt_record_count (RT_STRINGS)
	  || (segment->unload_time_ns == 0
	      && find_loaded (segment->start, segment->end) != i))
	return false;
    }
  return true;
}

#endif
