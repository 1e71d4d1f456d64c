/* The raw profile while the program runs: a file mapped and filled in place
   (heapprof/raw-format.h, doc/raw-format.md).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The library uses the file directly as its tables.  Each kind of record has
   its own range of addresses, into which the file's extents are mapped one
   after another, so that a record is found from its index by a multiplication.
   Disk space is allocated before an extent is mapped: a full disk costs
   records, never the program.

   Adding records requires rt_raw_lock; existing records may be read and changed
   without it.  No descriptor stays open: a program may close any, and the
   number could then refer to another file.

   A daemon gives up its rights when it has started: it becomes another user,
   changes the root folder, installs filters of system calls.  Then it cannot
   open the file again.  So the file is longer than what it has, by zeros that
   take no disk space: much longer if the process has capabilities, which it may
   give up.  From there more of it is mapped by mremap, which needs neither a
   name nor a descriptor.  */

#ifndef HEAPPROF_RAW_FILE_H
#define HEAPPROF_RAW_FILE_H

#include "heapprof/raw-format.h"
#include "clock.h"
#include "lock.h"
#include "options.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The mode of new files: a program's addresses and names are only for its
   user.  */
#define RT_RAW_MODE 0600

struct rt_table
{
  enum heapprof_raw_kind kind;
  uint32_t record_bytes;
  size_t unit_bytes; /* extents are multiples of this, a multiple of the page
			and record sizes */
  bool is_rare;	     /* its first extent is one page */
  bool is_small;     /* needs fewer addresses than others if they are limited */
  size_t reserve_bytes;	 /* of addresses to request */
  char *records;	 /* start of the addresses */
  size_t reserved_bytes; /* of addresses reserved */
  size_t mapped_bytes;
  size_t touched_bytes;	 /* requested ahead of use */
  uint32_t count;	 /* records written */
  uint32_t extent;	 /* index of the last extent */
  uint64_t extent_first; /* number of its first record */
};

enum
{
  RT_CONTEXTS,
  RT_MIBS,
  RT_SEGMENTS,
  RT_STRINGS,
  RT_INTERPRETED,
  RT_BRIEFS,
  RT_ORIGINS,
  RT_MOMENTS,
  RT_WIDE,
  RT_HISTOGRAMS,
  RT_AFFINITIES,
  RT_TIMELINE,
  RT_MARKS,
  RT_MARKED,
  RT_LEAKS,
  RT_THREADS,
  RT_TABLES
};

extern struct rt_table rt_tables[RT_TABLES]
  __attribute__ ((visibility ("hidden")));
extern struct rt_lock rt_raw_lock __attribute__ ((visibility ("hidden")));

/* The file that holds the records.  */
struct rt_raw_file
{
  char path[RT_PATH_BYTES]; /* absolute */
  uint64_t bytes;	    /* end of the last extent */
  uint64_t length;	    /* of the file; 0: at least BYTES */
  uint64_t device;	    /* to check that PATH is still this file */
  uint64_t inode;
  uint64_t start_ns; /* of profiling, by rt_clock_ns */
};

extern struct rt_raw_file rt_raw_file __attribute__ ((visibility ("hidden")));

/* The mapped header; NULL while there is no file.  */
extern struct heapprof_raw_header *rt_raw_header
  __attribute__ ((visibility ("hidden")));

static inline struct heapprof_raw_context *
rt_context_at (uint32_t index)
{
  return (struct heapprof_raw_context *) rt_tables[RT_CONTEXTS].records + index;
}

static inline struct heapprof_raw_mib *
rt_mib_at (uint32_t index)
{
  return (struct heapprof_raw_mib *) rt_tables[RT_MIBS].records + index;
}

static inline struct heapprof_raw_wide *
rt_wide_at (uint32_t index)
{
  return (struct heapprof_raw_wide *) rt_tables[RT_WIDE].records + index;
}

static inline struct heapprof_raw_thread *
rt_thread_at (uint32_t index)
{
  return (struct heapprof_raw_thread *) rt_tables[RT_THREADS].records + index;
}

static inline struct heapprof_raw_segment *
rt_segment_at (uint32_t index)
{
  return (struct heapprof_raw_segment *) rt_tables[RT_SEGMENTS].records + index;
}

static inline struct heapprof_raw_interpreted *
rt_interpreted_at (uint32_t index)
{
  return (struct heapprof_raw_interpreted *) rt_tables[RT_INTERPRETED].records
	 + index;
}

static inline uint32_t
rt_record_count (unsigned table)
{
  return __atomic_load_n (&rt_tables[table].count, __ATOMIC_ACQUIRE);
}

/* Return the next record of TABLE, zero, to be filled in and then made visible
   with rt_raw_commit.  NULL if there is no space.  */
void *rt_raw_next (unsigned table);
void rt_raw_commit (unsigned table, uint32_t records);

/* Mapped space without records.  */
struct rt_raw_space
{
  char *memory;
  size_t bytes;
  uint64_t offset; /* in the file, a multiple of 8 */
};

/* Take the largest such space of the tables that need no more records when the
   profile is completed: contexts, segments, strings.  That table cannot be
   added to any more, unless it grows.  With rt_raw_lock.  */
struct rt_raw_space rt_raw_take_space (void);

/* Map BYTES bytes behind the extents, without opening the file; MEMORY is NULL
   if that is not possible.  They stay mapped.  With rt_raw_lock.  */
struct rt_raw_space rt_raw_map_space (size_t bytes);

/* Add TEXT to the strings; return its offset, 0 (the empty string) if there is
   no space.  */
uint64_t rt_raw_add_string (const char *text);

/* raw-create.c: Create the file, with the root context, its MIB, that MIB's
   wide record, and the empty string.  Return false, with a message, on
   failure.  */
bool rt_raw_create (void);

/* Mark the profile, now or when it is created, as one of code that counts the
   accesses to a block in any of its granules.  */
void rt_raw_set_totals_only (void);

/* The same, as one whose accesses are estimated by watching words, or not.  */
void rt_raw_note_watching (bool watches);

/* raw-create.c: The program has code that counts its accesses, or was compiled
   to be profiled without them.  Only if there is the first and not the second
   does the profile say that accesses are known.  */
void rt_raw_note_counting (bool counts);

/* Return true if the file could not grow, which was said.  */
bool rt_raw_is_full (void);

/* raw-create.c: In the child of a fork, continue in a new file with the same
   records, all MIBs empty.  COUNTS are the numbers of records of each table at
   the fork.  */
bool rt_raw_create_for_child (const uint32_t counts[RT_TABLES]);

/* raw-create.c: Continue in a new file with the current records, in place of
   the file that replaced the running one; no thread may change records.  Return
   0 or a negative errno.  */
int rt_raw_create_again (void);

/* Map BYTES more bytes of TABLE from a new extent of the open file FD or, if
   that is negative, of the length that the file has.  Return 0 or a negative
   errno.  */
int rt_raw_add_extent (struct rt_table *table, int fd, size_t bytes);

/* Let FD, the running file, be longer than what it has: so it can still grow if
   the process gives up the right to open it.  That takes no disk space.  */
void rt_raw_lengthen (int fd);

/* Stop adding records.  */
void rt_raw_finish (void);

/* After rt_raw_finish: let records be added to a file that continues this one
   (rt_raw_create_for_child).  */
void rt_raw_resume (void);

/* raw-create.c: Let the profile, which has no observations yet, start now
   instead of when the one that it continues did.  */
void rt_raw_begin_now (void);

/* Return the absolute path of the running file.  */
const char *rt_raw_path (void);

/* Open the running file again; a negative errno if it no longer exists.  */
int rt_raw_open_again (void);

/* Create a file without a name in the running file's folder; a negative errno
   if the file system does not support that.  */
int rt_raw_open_unnamed (void);

/* Create a file in the running file's folder: without a name or, if the file
   system does not support that, as TEMPORARY; set *HAS_NAME accordingly.
   Return a descriptor or a negative errno.  */
int rt_raw_open_beside (const char *temporary, bool *has_name);

/* Return nanoseconds since the start of profiling.  */
static inline uint64_t
rt_raw_now_ns (void)
{
  return rt_clock_ns () - rt_raw_file.start_ns;
}

/* Return the same for an event of the thread that owns CLOCK, which may
   lag.  */
static inline uint64_t
rt_raw_event_ns (struct rt_clock *clock)
{
  const uint64_t ns = rt_clock_event_ns (clock);
  return __builtin_expect (ns > rt_raw_file.start_ns, 1)
	   ? ns - rt_raw_file.start_ns
	   : 0;
}

/* Count a problem in the file.  */
static inline void
rt_raw_count (uint64_t *counter)
{
  __atomic_fetch_add (counter, 1, __ATOMIC_RELAXED);
}

/* True if the header is consistent with the file, which must exist, and with
   the tables.  */
bool rt_raw_is_valid (void);

#endif /* HEAPPROF_RAW_FILE_H */
