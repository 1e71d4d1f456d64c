/* Readers of perf recordings: perf.data, and perf's text output.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "perf-data.h"
#include "perf-processes.h"
#include "perf-recording.h"
#include "reader.h"

/* What was read; every byte of it is used.  */
struct walk
{
  struct perf_processes *processes;
  uint64_t sum;
};

static uint32_t
find_image (void *closure, const struct perf_mapping *mapping)
{
  struct walk *walk = closure;
  for (size_t i = 0; i < mapping->path_bytes; i++)
    walk->sum += (unsigned char) mapping->path[i];
  for (size_t i = 0; i < mapping->build_id_bytes; i++)
    walk->sum += mapping->build_id[i];
  return mapping->path_bytes % 2 ? PERF_NO_IMAGE : 0;
}

static bool
walk_sample (void *closure, const struct perf_sample *sample,
	     struct profile_error *err)
{
  struct walk *walk = closure;
  (void) err;
  uint32_t moment
    = perf_processes_moment (walk->processes, sample->pid, sample->order);
  walk->sum
    += perf_processes_find (walk->processes, moment, sample->ip) != NULL;
  walk->sum += perf_processes_area (walk->processes, moment, 1) != NULL;
  for (size_t i = 0; i < sample->branch_count; i++)
    walk->sum += sample->branches[i].from + sample->branches[i].to;
  for (size_t i = 0; i < sample->caller_count; i++)
    walk->sum += sample->callers[i];
  return true;
}

static bool
walk_build_id (void *closure, const struct perf_build_id *id,
	       struct profile_error *err)
{
  struct walk *walk = closure;
  (void) err;
  for (size_t i = 0; i < id->path_bytes; i++)
    walk->sum += (unsigned char) id->path[i];
  for (size_t i = 0; i < id->build_id_bytes; i++)
    walk->sum += id->build_id[i];
  return true;
}

static bool
read_form (const unsigned char *data, size_t size, enum perf_form form,
	   struct profile_error *err)
{
  struct walk walk = { 0 };
  const struct perf_images images = { .closure = &walk, .find = find_image };
  const struct perf_handler handler
    = { .closure = &walk, .sample = walk_sample, .build_id = walk_build_id };
  struct perf_recording *recording
    = perf_recording_of_memory (READER_PATH, data, size, form, err);
  if (!recording)
    return false;
  walk.processes = perf_processes_read (recording, &images, PERF_NO_PID, err);
  bool done = walk.processes && perf_recording_read (recording, &handler, err);
  reader_has_read ();
  perf_processes_free (walk.processes);
  perf_recording_close (recording);
  return done;
}

static bool
read_data (const unsigned char *data, size_t size, struct profile_error *err)
{
  return read_form (data, size, PERF_FORM_DATA, err);
}

static bool
read_script (const unsigned char *data, size_t size, struct profile_error *err)
{
  return read_form (data, size, PERF_FORM_SCRIPT, err);
}

static bool
read_dump (const unsigned char *data, size_t size, struct profile_error *err)
{
  return read_form (data, size, PERF_FORM_DUMP, err);
}

/* Room for the longest sample.  An event of a process takes 64 bytes in a list
   that doubles, and records may be compressed.  */

const struct reader reader_perf_data = { .name = "perf-data",
					 .read = read_data,
					 .recognise = perf_data_has_magic,
					 .bounds = { 1000000, 40000 } };

const struct reader reader_perf_script
  = { .name = "perf-script", .read = read_script, .bounds = { 400000, 100 } };

const struct reader reader_perf_dump
  = { .name = "perf-dump", .read = read_dump, .bounds = { 400000, 100 } };
