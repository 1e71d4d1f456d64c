/* Check that profiles are complete and can be symbolized.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "doctor.h"
#include "file-map.h"
#include "input-kinds.h"
#include "object-finder.h"
#include "raw-profile.h"
#include "run-state.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Percentage of blocks without lines that deserves a note.  */
#define MUCH_PERCENT 10

static const char mend_killed[]
  = "let programs end by themselves, or take snapshots: "
    "HEAPPROF_OPTIONS=signal=USR1, then kill -USR1 PID";

/* Add that PATH cannot be read because of *ERR.  */
static void
refuse (struct findings *findings, const char *path,
	const struct profile_error *err)
{
  if (err->offset == PROFILE_ERROR_NO_OFFSET)
    findings_add (findings, "file", path, FINDING_WRONG, "%s", err->cause);
  else
    findings_add (findings, "file", path, FINDING_WRONG,
		  "offset 0x%" PRIx64 ": %s", err->offset, err->cause);
  findings_mend (findings,
		 "run the program again: the file is damaged or not a profile");
}

/* ---- Raw profiles.  */

static void
check_state (struct findings *findings, const char *path,
	     const struct raw_profile *raw)
{
  const struct heapprof_raw_header *header = raw_profile_header (raw);
  static const char known[] = "of live blocks, only number and size are known";
  switch (run_state_of (header, path, raw_profile_program_name (raw)))
    {
    case RUN_COMPLETE:
      findings_add (findings, "state", path, FINDING_OK, "complete%s",
		    header->state == HEAPPROF_RAW_SNAPSHOT ? ": a snapshot"
							   : "");
      return;
    case RUN_RUNNING:
      findings_add (findings, "state", path, FINDING_NOTE,
		    "running (pid %" PRIu64 "): %s", header->pid, known);
      break;
    case RUN_KILLED:
      findings_add (findings, "state", path, FINDING_NOTE,
		    "process %" PRIu64 " was killed: %s", header->pid, known);
      break;
    default:
      findings_add (findings, "state", path, FINDING_NOTE,
		    "process %" PRIu64 " is still running or was killed, which "
		    "cannot be determined from here: %s",
		    header->pid, known);
      break;
    }
  findings_mend (findings, "%s", mend_killed);
}

/* Report what the run-time library could not record, and what helps.  */
static void
check_losses (struct findings *findings, const char *path,
	      const struct heap_totals *totals)
{
  const struct
  {
    uint64_t count;
    const char *what;
    const char *remedy;
  } losses[] = {
    { totals->dropped_contexts,
      "allocations have no calling context: the file could not grow",
      "free disk space, raise ulimit -f, or start the program as the user that "
      "it changes to" },
    { totals->pruned_contexts,
      "allocations are attributed to a caller to save memory",
      "raise max_memory in HEAPPROF_OPTIONS" },
    { totals->truncated_contexts, "allocations have truncated calling contexts",
      "raise max_depth in HEAPPROF_OPTIONS, at most 1024" },
    { totals->ended_walks,
      "allocations have calling contexts that end early: code has neither "
      "frame pointers nor unwind tables",
      "compile that code with -fasynchronous-unwind-tables; static programs "
      "need -Wl,--eh-frame-hdr" },
    { totals->unprofiled_allocations,
      "allocations by signal handlers that interrupted the run-time library "
      "are not in the profile",
      "other allocations are not affected" },
    { totals->attached_runs > 0 ? 0 : totals->foreign_frees,
      "pointers were freed that heapprof did not "
      "allocate",
      "look for a second allocator, linked in or loaded" },
    { totals->missed_frees,
      "blocks were freed by calls that cannot be observed in a running program",
      "profile it from the start, with run" }
  };
  bool is_whole = true;
  for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
    if (losses[i].count > 0)
      {
	is_whole = false;
	findings_add (findings, "losses", path, FINDING_NOTE, "%" PRIu64 " %s",
		      losses[i].count, losses[i].what);
	findings_mend (findings, "%s", losses[i].remedy);
      }
  if (is_whole)
    findings_add (findings, "losses", path, FINDING_OK, "none");
}

static void
check_module (struct findings *findings, const struct raw_profile *raw,
	      uint32_t number, struct object_finder *finder)
{
  struct profile_error err;
  char id[2 * HEAPPROF_RAW_BUILD_ID_BYTES + 1];
  const struct heapprof_raw_segment *segment
    = raw_profile_segment (raw, number);
  const char *path = raw_profile_segment_path (raw, number);
  const char *name = *path != '\0' ? path : "unnamed module";
  struct object_file *file
    = object_finder_find (finder, path, segment->build_id,
			  segment->build_id_bytes, NULL, &err);
  if (file != NULL)
    {
      doctor_check_debug_info (findings, name, file);
      object_file_close (file);
      return;
    }
  findings_add (findings, "module", name, FINDING_WRONG,
		"%s: its functions remain unnamed", err.cause);
  findings_mend (findings,
		 "pass the file with build ID %s to show or merge with -b",
		 build_id_text (id, sizeof id, segment->build_id,
				segment->build_id_bytes));
}

/* Return true if a segment of RAW before NUMBER that IS_USED belongs to the
   same module.  */
static bool
is_repeated (const struct raw_profile *raw, const bool *is_used,
	     uint32_t number)
{
  for (uint32_t i = 0; i < number; i++)
    if (is_used[i]
	&& strcmp (raw_profile_segment_path (raw, i),
		   raw_profile_segment_path (raw, number))
	     == 0)
      return true;
  return false;
}

/* Check the modules that occur in calling contexts of RAW.  */
static void
check_modules (struct findings *findings, const char *path,
	       const struct raw_profile *raw,
	       const struct doctor_search *search)
{
  uint32_t count = raw_profile_segment_count (raw);
  bool *is_used = calloc (count > 0 ? count : 1, sizeof *is_used);
  struct object_finder *finder = object_finder_new (search->debug_directories);
  if (is_used == NULL || finder == NULL)
    findings_add (findings, "module", path, FINDING_WRONG,
		  "memory is exhausted");
  else
    {
      for (uint32_t i = 1; i < raw_profile_context_count (raw); i++)
	{
	  int64_t segment = raw_profile_find_segment (raw, i);
	  if (segment >= 0)
	    is_used[segment] = true;
	}
      for (uint32_t i = 0; i < count; i++)
	if (is_used[i] && !is_repeated (raw, is_used, i))
	  check_module (findings, raw, i, finder);
    }
  object_finder_free (finder);
  free (is_used);
}

static void
check_raw (struct findings *findings, const char *path,
	   const struct input_source *source,
	   const struct doctor_search *search)
{
  struct profile_error err;
  struct raw_profile *raw
    = raw_profile_parse (path, source->data, source->size, &err);
  if (raw == NULL)
    {
      refuse (findings, path, &err);
      return;
    }
  const struct heapprof_raw_header *header = raw_profile_header (raw);
  const struct heap_totals totals
    = { .dropped_contexts = header->dropped_contexts,
	.truncated_contexts = header->truncated_contexts,
	.unprofiled_allocations = header->unprofiled_allocations,
	.attached_runs = (header->flags & HEAPPROF_RAW_ATTACHED) != 0,
	.foreign_frees = header->foreign_frees,
	.missed_frees = header->missed_frees,
	.ended_walks = header->ended_walks,
	.pruned_contexts = header->pruned_contexts };
  check_state (findings, path, raw);
  check_losses (findings, path, &totals);
  check_modules (findings, path, raw, search);
  raw_profile_close (raw);
}

/* ---- Profiles that are symbolized already.  */

/* Return how many blocks of HEAP were allocated by a call with unknown line.
   Store the number of all blocks in *COUNT.  */
static uint64_t
count_without_line (const struct heap_profile *heap, uint64_t *count)
{
  uint64_t without = 0;
  *count = 0;
  for (uint32_t i = 1; i < heap_profile_context_count (heap); i++)
    {
      const struct heap_frame *frame
	= heap_profile_frame (heap, heap_profile_context_frame (heap, i));
      const struct memory_info *info = heap_profile_info (heap, i);
      if (info == NULL)
	continue;
      *count += info->alloc_count;
      without += frame->line == 0 ? info->alloc_count : 0;
    }
  return without;
}

static void
check_heap (struct findings *findings, const char *path,
	    const struct heap_profile *heap)
{
  uint64_t count;
  uint64_t without = count_without_line (heap, &count);
  const struct heap_totals *totals = heap_profile_read_totals (heap);
  check_losses (findings, path, totals);
  if (totals->running_pid != 0)
    findings_add (findings, "state", path, FINDING_NOTE,
		  "running (pid %" PRIu64 "): of live blocks, only number and "
		  "size are known",
		  totals->running_pid);
  else if (totals->running_runs + totals->unknown_runs > 0)
    findings_add (findings, "state", path, FINDING_NOTE,
		  "%" PRIu64 " of %" PRIu64 " runs were not complete: of live "
		  "blocks, only number and size are known",
		  totals->running_runs + totals->unknown_runs, totals->runs);
  if (totals->incomplete_runs > 0)
    {
      findings_add (findings, "state", path, FINDING_NOTE,
		    "%" PRIu64 " of %" PRIu64 " runs were killed: of live "
		    "blocks, only number and size are known",
		    totals->incomplete_runs, totals->runs);
      findings_mend (findings, "%s", mend_killed);
    }
  else if (totals->running_runs + totals->unknown_runs == 0)
    findings_add (findings, "state", path, FINDING_OK, "complete");
  uint64_t percent = count == 0 ? 0 : (uint64_t) (100.0 * without / count);
  if (percent < MUCH_PERCENT)
    {
      findings_add (findings, "lines", path, FINDING_OK,
		    "%" PRIu64 " of %" PRIu64 " blocks have no line", without,
		    count);
      return;
    }
  findings_add (findings, "lines", path, FINDING_NOTE,
		"%" PRIu64 "%% of the blocks have no line", percent);
  findings_mend (findings,
		 "merge the raw profiles again where the programs and their "
		 "debug information are, or name these with -b");
}

static void
check_others (struct findings *findings, const char *path,
	      const struct profile *profile)
{
  static const char about[] = "profile";
  if (profile->heap != NULL)
    check_heap (findings, path, profile->heap);
  if (profile->counters != NULL)
    findings_add (findings, about, path, FINDING_OK, "has function counters");
  if (profile->gcov != NULL)
    findings_add (findings, about, path, FINDING_OK, "has gcc's counters");
  if (profile->samples != NULL)
    findings_add (findings, about, path, FINDING_OK, "has samples");
}

/* Read SOURCE, of KIND, and check it.  */
static void
check_readable (struct findings *findings, const struct input_kind *kind,
		const struct input_source *source,
		const struct doctor_search *search)
{
  struct profile_error err;
  struct input_reading reading = { .profile = profile_new () };
  reading.names = address_names_new (search->debug_directories);
  if (reading.profile == NULL || reading.names == NULL)
    {
      profile_error_set_memory (&err, source->path);
      refuse (findings, source->path, &err);
    }
  else if (kind->fold (&reading, source, &err))
    check_others (findings, source->path, reading.profile);
  else
    refuse (findings, source->path, &err);
  profile_symbolizer_free (reading.symbolizer);
  address_names_free (reading.names);
  profile_free (reading.profile);
}

void
doctor_check_profile (struct findings *findings, const char *path,
		      const struct doctor_search *search)
{
  struct file_map map = { 0 };
  struct profile_error err;
  const struct input_kind *kind = NULL;
  if (file_map_open (&map, path, &err))
    kind = input_kind_find (path, map.data,
			    map.size < INPUT_KIND_START_BYTES
			      ? map.size
			      : INPUT_KIND_START_BYTES,
			    &err);
  const struct input_source source = { .path = path,
				       .unit_path = path,
				       .data = map.data,
				       .size = map.size,
				       .is_kept = true };
  if (kind == NULL)
    refuse (findings, path, &err);
  else if (raw_profile_has_magic (map.data, map.size))
    check_raw (findings, path, &source, search);
  else
    check_readable (findings, kind, &source, search);
  file_map_close (&map);
}
