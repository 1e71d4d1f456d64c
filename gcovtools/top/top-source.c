/* A raw profile that `top' watches: finding it, and its current content.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "top-source.h"
#include "file-content.h"
#include "heap-spread.h"
#include "plain-text.h"
#include "process-maps.h"
#include "process-stat.h"
#include "raw-content.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- Finding.  */

/* Return true if PATH is the raw profile of the process that started at
   START_TICKS.  A child has its parent's profile mapped, too, until it has its
   own.  */
static bool
is_profile_of (const char *path, uint64_t start_ticks)
{
  struct profile_error ignored;
  struct heapprof_raw_header header;
  void *data;
  size_t size;
  if (!file_content_read_start (path, sizeof header, &data, &size, &ignored))
    return false;
  bool is_own = false;
  if (size == sizeof header && raw_profile_has_magic (data, size))
    {
      memcpy (&header, data, sizeof header);
      is_own = header.start_ticks == start_ticks;
    }
  free (data);
  return is_own;
}

/* Search FOLDER for the raw profile with INODE of the process that started at
   START_TICKS.  The kernel does not know its name: it was created without
   one.  */
static bool
search_folder (struct top_source *source, const char *folder, uint64_t inode,
	       uint64_t start_ticks)
{
  bool is_found = false;
  const struct dirent *entry;
  DIR *stream = opendir (folder);
  if (stream == NULL)
    return false;
  while (!is_found && (entry = readdir (stream)) != NULL)
    is_found = entry->d_ino == inode
	       && snprintf (source->path, sizeof source->path, "%s/%s", folder,
			    entry->d_name)
		    < PATH_MAX
	       && is_profile_of (source->path, start_ticks);
  closedir (stream);
  return is_found;
}

/* A search for the profile of a process.  */
struct search
{
  struct top_source *source;
  uint64_t pid;
  uint64_t start_ticks;
  bool is_found;
};

/* Take the raw profile in MAP, if it is one of the process.  A process in a
   container has a file system of its own.  */
static bool
take_map (const struct process_map *map, void *data)
{
  struct search *search = data;
  char own[PATH_MAX];
  char other[2 * PATH_MAX];
  if (map->path == NULL || map->access[3] != 's')
    return true;
  snprintf (own, sizeof own, "%s", map->path);
  *strrchr (own, '/') = '\0';
  snprintf (other, sizeof other, "/proc/%" PRIu64 "/root%s", search->pid, own);
  search->is_found
    = search_folder (search->source, own, map->inode, search->start_ticks)
      || search_folder (search->source, other, map->inode, search->start_ticks);
  return !search->is_found;
}

static bool
find_process (struct top_source *source, uint64_t pid, const char *operand,
	      struct profile_error *err)
{
  struct process_stat stat;
  if (!process_stat_read (pid, &stat))
    return profile_error_set (err, operand, PROFILE_ERROR_NO_OFFSET,
			      "there is no such process, and no such file");
  struct search search
    = { .source = source, .pid = pid, .start_ticks = stat.start_ticks };
  if (!process_maps_visit (pid, take_map, &search))
    return profile_error_set_errno (err, operand, "cannot look at this process",
				    errno);
  return search.is_found
	 || profile_error_set (err, operand, PROFILE_ERROR_NO_OFFSET,
			       "this process writes no profile; start it with "
			       "heapprof-gcov run, or build it with heapprof");
}

bool
top_source_find (struct top_source *source, const char *operand,
		 struct profile_error *err)
{
  char *end;
  struct stat status;
  *source = (struct top_source){ .state = RUN_UNKNOWN };
  errno = 0;
  uint64_t pid = strtoull (operand, &end, 10);
  if (*operand >= '1' && *operand <= '9' && *end == '\0' && errno == 0
      && stat (operand, &status) != 0)
    return find_process (source, pid, operand, err);
  if (strlen (operand) >= sizeof source->path)
    return profile_error_set (err, operand, PROFILE_ERROR_NO_OFFSET,
			      "path too long");
  strcpy (source->path, operand);
  return true;
}

void
top_source_release (struct top_source *source)
{
  free (source->data);
  source->data = NULL;
}

/* ---- Reading.  */

static double
seconds_of (const struct heapprof_raw_header *header, enum run_state state)
{
  struct timespec now;
  if (state != RUN_RUNNING)
    return (double) header->end_time_ns / 1e9;
  clock_gettime (CLOCK_REALTIME, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9
	 - (double) header->start_time_ns / 1e9;
}

static void
add_up (struct top_source *source, const struct raw_profile *raw)
{
  struct top_numbers *numbers = &source->numbers;
  uint32_t count = raw_profile_context_count (raw);
  source->sample_bytes = raw_profile_header (raw)->sample_bytes;
  struct heap_spread spreads[HEAP_ESTIMATES] = { { 0, 0 } };
  bool has_samples = source->sample_bytes == 0;
  *numbers = (struct top_numbers){ 0 };
  for (uint32_t i = 0; i < count; i++)
    {
      struct memory_info info;
      if (!raw_profile_context_info (raw, i, &info))
	continue;
      heap_spread_add_unfinished (&info, source->sample_bytes);
      has_samples = has_samples || heap_spread_has_samples (&info);
      numbers->live_bytes += info.live_bytes + info.unfinished_bytes;
      numbers->live_blocks += info.live_count + info.unfinished_count;
      numbers->bytes += info.size_bytes.total + info.unfinished_bytes;
      numbers->blocks += info.alloc_count + info.unfinished_count;
      numbers->accesses += info.access_count.total;
      for (int k = 0; k < HEAP_ESTIMATES; k++)
	{
	  const struct heap_spread spread
	    = heap_spread_of (&info, (enum heap_estimate) k,
			      source->sample_bytes);
	  heap_spread_add (&spreads[k], &spread);
	}
    }
  for (int k = 0; k < HEAP_ESTIMATES && !has_samples; k++)
    spreads[k]
      = heap_spread_of_nothing ((enum heap_estimate) k, source->sample_bytes);
  source->blocks_margin = heap_spread_margin (&spreads[HEAP_ESTIMATE_BLOCKS]);
  source->bytes_margin = heap_spread_margin (&spreads[HEAP_ESTIMATE_BYTES]);
}

static void
describe (struct top_source *source, const struct raw_profile *raw)
{
  const struct heapprof_raw_header *header = raw_profile_header (raw);
  const char *program = raw_profile_program_name (raw);
  const char *slash = strrchr (program, '/');
  char plain[NAME_MAX + 1];
  snprintf (plain, sizeof plain, "%s", slash != NULL ? slash + 1 : program);
  plain_text_fit (plain, sizeof plain, false);
  snprintf (source->name, sizeof source->name, "%s (%" PRIu64 ")", plain,
	    header->pid);
  source->state = run_state_of (header, source->path, program);
  source->seconds = seconds_of (header, source->state);
  add_up (source, raw);
  source->has_leaks = raw_profile_has_leaks (raw);
  source->lost_bytes = 0;
  for (uint64_t i = 0; i < raw_profile_leak_count (raw); i++)
    source->lost_bytes += raw_profile_leak (raw, i)->lost_bytes
			  + raw_profile_leak (raw, i)->indirect_bytes;
  /* The peak in a running file is a little too low.  */
  source->peak_bytes = header->peak_bytes;
  if (source->peak_bytes < source->numbers.live_bytes)
    source->peak_bytes = source->numbers.live_bytes;
}

struct raw_profile *
top_source_read (struct top_source *source, struct profile_error *err)
{
  void *data;
  size_t size;
  struct raw_profile *raw = NULL;
  if (raw_content_read (source->path, &data, &size, err))
    {
      raw = raw_profile_parse (source->path, data, size, err);
      if (raw == NULL)
	free (data);
      else
	{
	  free (source->data);
	  source->data = data;
	  source->size = size;
	}
    }
  if (raw == NULL && source->data != NULL)
    raw = raw_profile_parse (source->path, source->data, source->size, err);
  if (raw != NULL)
    describe (source, raw);
  return raw;
}
