/* JSON for parts of heap profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-json.h"
#include "function-name.h"
#include "heap-spread.h"
#include "plain-text.h"
#include "text-output.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DUMP_FLAGS (JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_ENCODE_ANY)

/* Write the N bytes at TEXT to OUT, escaping invalid UTF-8.  */
static void
write_valid (const char *text, size_t n, FILE *out)
{
  uint32_t code;
  for (size_t i = 0; i < n;)
    {
      size_t bytes = plain_text_decode (text + i, n - i, &code);
      if (code == UINT32_MAX)
	write_text_bytes (text + i, bytes, "", out);
      else
	fwrite (text + i, 1, bytes, out);
      i += bytes;
    }
}

/* Write TEXT, lines of source, to OUT.  */
static void
write_source (const char *text, size_t n, FILE *out)
{
  for (const char *end = text + n; text < end;)
    {
      const char *newline = memchr (text, '\n', (size_t) (end - text));
      const char *stop = newline != NULL ? newline : end;
      write_source_line (text, (size_t) (stop - text), out);
      if (newline != NULL)
	putc ('\n', out);
      text = stop + 1;
    }
}

static void
write_plain (const char *text, size_t n, FILE *out)
{
  write_text_bytes (text, n, "", out);
}

/* Return the output of WRITE for the N bytes at TEXT as a JSON string.  */
static json_t *
made_text (const char *text, size_t n,
	   void (*write) (const char *text, size_t n, FILE *out))
{
  char *made = NULL;
  size_t size = 0;
  json_t *string = NULL;
  FILE *out = open_memstream (&made, &size);
  if (out == NULL)
    return NULL;
  write (text, n, out);
  if (fclose (out) == 0)
    string = json_stringn (made, size);
  free (made);
  return string;
}

json_t *
json_text_bytes (const char *text, size_t n)
{
  json_t *string = json_stringn (text, n);
  return string != NULL ? string : made_text (text, n, write_valid);
}

json_t *
json_text (const char *text)
{
  return json_text_bytes (text, strlen (text));
}

json_t *
json_plain_text (const char *text)
{
  size_t n = strlen (text);
  if (plain_text_is_all_plain (text, n))
    return json_stringn (text, n);
  return made_text (text, n, write_plain);
}

json_t *
json_source_text (const char *text)
{
  return made_text (text, strlen (text), write_source);
}

json_t *
json_number (uint64_t value)
{
  return json_integer (value > INT64_MAX ? INT64_MAX : (json_int_t) value);
}

bool
json_set_number (json_t *object, const char *key, uint64_t value)
{
  return json_object_set_new (object, key, json_number (value)) == 0;
}

bool
json_set_text (json_t *object, const char *key, const char *text)
{
  return *text == '\0'
	 || json_object_set_new (object, key, json_text (text)) == 0;
}

bool
json_set_known (json_t *object, const char *key, uint64_t value, bool is_known)
{
  return is_known ? json_set_number (object, key, value)
		  : json_object_set_new (object, key, json_null ()) == 0;
}

/* Set the total, minimum and maximum of RANGE, which is part of INFO; null
   unless IS_KNOWN.  */
static bool
set_range (json_t *object, const char *name, const struct memory_info *info,
	   const struct memory_info_range *range, bool is_known)
{
  char key[60];
  bool is_done;
  bool has_bounds = is_known && heap_known_has_bounds (info, range);
  snprintf (key, sizeof key, "total_%s", name);
  is_done = json_set_known (object, key, range->total,
			    range == &info->size_bytes
			      || (is_known && heap_known_has_sums (info)));
  snprintf (key, sizeof key, "min_%s", name);
  is_done = is_done && json_set_known (object, key, range->min, has_bounds);
  snprintf (key, sizeof key, "max_%s", name);
  return is_done && json_set_known (object, key, range->max, has_bounds);
}

static bool
set_ranges (json_t *object, const struct memory_info *info,
	    const struct heap_known *known)
{
  const bool is_counted
    = memory_info_is_counted (info) || info->alloc_count == 0;
  return set_range (object, "access_count", info, &info->access_count,
		    known->has_accesses && is_counted)
	 && set_range (object, "size", info, &info->size_bytes, true)
	 && set_range (object, "lifetime_ns", info, &info->lifetime_ns, true)
	 && set_range (object, "utilization_percent", info,
		       &info->utilization_percent,
		       known->has_utilization && is_counted)
	 && set_range (object, "access_density", info, &info->access_density,
		       known->has_density && is_counted)
	 && set_range (object, "lifetime_access_density", info,
		       &info->lifetime_access_density,
		       known->has_lifetime_density && is_counted);
}

struct keyed_number
{
  const char *key;
  uint64_t value;
};

/* Set the COUNT NUMBERS; all are null unless ARE_KNOWN.  */
static bool
set_numbers (json_t *object, const struct keyed_number *numbers, size_t count,
	     bool are_known)
{
  for (size_t i = 0; i < count; i++)
    if (!json_set_known (object, numbers[i].key, numbers[i].value, are_known))
      return false;
  return true;
}

/* Set times, CPUs and the counts derived from them.  */
static bool
set_times (json_t *object, const struct memory_info *info)
{
  const struct keyed_number numbers[]
    = { { "first_alloc_ns", info->first_alloc_ns },
	{ "last_alloc_ns", info->last_alloc_ns },
	{ "first_dealloc_ns", info->first_dealloc_ns },
	{ "last_dealloc_ns", info->last_dealloc_ns },
	{ "alloc_cpu", info->alloc_cpu },
	{ "dealloc_cpu", info->dealloc_cpu },
	{ "migrated_cpu", info->migrated_cpu },
	{ "lifetime_overlaps", info->lifetime_overlaps },
	{ "same_alloc_cpu", info->same_alloc_cpu },
	{ "same_dealloc_cpu", info->same_dealloc_cpu } };
  return set_numbers (object, numbers, sizeof numbers / sizeof *numbers,
		      heap_known_has_times (info));
}

typedef double margin_of (const struct memory_info *info,
			  enum heap_estimate estimate, uint64_t sample_bytes);

/* Set by how much estimates may be off, as OF says; null unless there are
   samples, and for a number that may be anything.  */
static bool
set_margins (json_t *object, const struct memory_info *info, margin_of *of,
	     const struct heap_known *known)
{
  static const char *const keys[HEAP_ESTIMATES]
    = { [HEAP_ESTIMATE_BLOCKS] = "alloc_count_margin",
	[HEAP_ESTIMATE_BYTES] = "total_size_margin",
	[HEAP_ESTIMATE_ACCESSES] = "total_access_count_margin" };
  for (int k = 0; k < HEAP_ESTIMATES; k++)
    {
      const double margin
	= of (info, (enum heap_estimate) k, known->sample_bytes);
      if (json_object_set_new (object, keys[k],
			       known->has_samples && isfinite (margin)
				 ? json_real (margin)
				 : json_null ())
	  != 0)
	return false;
    }
  return true;
}

/* Set by how much the accesses per byte may be off.  */
static bool
set_density_margin (json_t *object, const struct memory_info *info,
		    const struct heap_known *known)
{
  const double margin = heap_spread_density_margin (info, known->sample_bytes);
  return json_object_set_new (object, "accesses_per_byte_margin",
			      known->has_samples
				  && heap_known_counts (known, info)
				  && isfinite (margin)
				? json_real (margin)
				: json_null ())
	 == 0;
}

/* What is known of when blocks were in memory: at the peak, before the thread's
   next one, and for how many bytes allocated meanwhile.  */
static bool
set_moments (json_t *object, const struct memory_info *info,
	     const struct heap_known *known)
{
  return json_set_known (object, "peak_count", info->peak_count,
			 known->has_moments)
	 && json_set_known (object, "peak_bytes", info->peak_bytes,
			    known->has_moments)
	 && json_set_known (object, "temporary_count", info->temporary_count,
			    known->has_moments && !known->has_samples)
	 && json_set_known (object, "total_lifetime_bytes",
			    info->lifetime_bytes, known->has_lifetime_bytes)
	 && json_set_known (object, "first_alloc_bytes",
			    info->first_alloc_bytes - 1,
			    known->has_lifetime_bytes
			      && info->first_alloc_bytes > 0);
}

json_t *
heap_json_info (const struct memory_info *info, const struct heap_known *known)
{
  json_t *object = json_object ();
  if (object != NULL
      && json_set_number (object, "alloc_count", info->alloc_count)
      && set_ranges (object, info, known)
      && json_set_number (object, "uncounted_count", info->uncounted_count)
      && json_set_number (object, "uncounted_bytes", info->uncounted_bytes)
      && set_times (object, info)
      && json_set_known (object, "data_type_id", info->data_type_id,
			 info->data_type_id != 0)
      && json_set_known (object, "live_count", info->live_count,
			 known->has_runs)
      && json_set_known (object, "live_bytes", info->live_bytes,
			 known->has_runs)
      && json_set_known (object, "unfinished_count", info->unfinished_count,
			 known->has_runs)
      && json_set_known (object, "unfinished_bytes", info->unfinished_bytes,
			 known->has_runs)
      && set_moments (object, info, known)
      && json_set_known (object, "lost_count", info->lost_count,
			 known->has_leaks)
      && json_set_known (object, "lost_bytes", info->lost_bytes,
			 known->has_leaks)
      && json_set_known (object, "indirect_count", info->indirect_count,
			 known->has_leaks)
      && json_set_known (object, "indirect_bytes", info->indirect_bytes,
			 known->has_leaks)
      && set_margins (object, info, heap_spread_margin_of, known)
      && set_density_margin (object, info, known))
    return object;
  json_decref (object);
  return NULL;
}

/* The same for a sum over contexts of the profile.  */
static json_t *
sum_info (const struct memory_info *info, const struct heap_known *known)
{
  json_t *object = heap_json_info (info, known);
  if (object != NULL
      && set_margins (object, info, heap_spread_margin_of_sum, known))
    return object;
  json_decref (object);
  return NULL;
}

/* Set what the run-time library reported on each run.  Profiles without runs
   come from other tools and have none of it.  */
static bool
set_runs (json_t *object, const struct heap_totals *totals)
{
  const struct keyed_number numbers[]
    = { { "runs", totals->runs },
	{ "incomplete_runs", totals->incomplete_runs },
	{ "running_runs", totals->running_runs },
	{ "unknown_runs", totals->unknown_runs },
	{ "dropped_contexts", totals->dropped_contexts },
	{ "truncated_contexts", totals->truncated_contexts },
	{ "unprofiled_allocations", totals->unprofiled_allocations },
	{ "attached_runs", totals->attached_runs },
	{ "sampled_runs", totals->sampled_runs },
	{ "totals_only_runs", totals->totals_only_runs },
	{ "watched_runs", totals->watched_runs },
	{ "foreign_frees", totals->foreign_frees },
	{ "missed_frees", totals->missed_frees },
	{ "refused_runs", totals->refused_runs },
	{ "ended_walks", totals->ended_walks },
	{ "folded_contexts", totals->folded_contexts },
	{ "pruned_contexts", totals->pruned_contexts } };
  return set_numbers (object, numbers, sizeof numbers / sizeof *numbers,
		      totals->runs > 0);
}

static bool
set_if_known (json_t *object, const char *key, uint64_t value)
{
  return json_set_known (object, key, value, value != 0);
}

/* Set the sums over the contexts that the filters include, if there are
   filters.  */
static bool
set_chosen (json_t *object, const struct heap_report *report)
{
  if (!heap_report_is_filtered (report))
    return true;
  json_t *chosen = json_object ();
  if (chosen != NULL
      && json_set_number (chosen, "contexts", report->chosen_contexts)
      && json_object_set_new (chosen, "info",
			      sum_info (&report->chosen, &report->known))
	   == 0)
    return json_object_set_new (object, "chosen", chosen) == 0;
  json_decref (chosen);
  return false;
}

json_t *
heap_json_totals (const struct heap_report *report)
{
  const struct heap_totals *totals = heap_profile_totals (report->profile);
  bool has_overall = totals->runs > 0 && totals->overall_runs == totals->runs;
  json_t *object = json_object ();
  if (object != NULL && set_runs (object, totals)
      && set_if_known (object, "running_pid", totals->running_pid)
      && set_if_known (object, "duration_ns", totals->duration_ns)
      /* If memory was measured, a peak of 0 bytes is a known value.  */
      && json_set_known (object, "peak_bytes", totals->peak_bytes,
			 (totals->peak_bytes | totals->memory_bytes) != 0)
      && json_set_known (object, "timed_runs", totals->timed_runs,
			 totals->runs > 0)
      && json_set_known (object, "peak_sum", totals->peak_sum,
			 totals->timed_runs > 0)
      && json_set_known (object, "counted_runs", totals->counted_runs,
			 totals->runs > 0)
      && json_set_known (object, "counted_bytes", totals->counted_bytes,
			 totals->counted_runs > 0)
      && json_set_known (object, "overall_accesses", totals->overall_accesses,
			 has_overall)
      && json_set_known (object, "unseen_accesses",
			 heap_spread_unseen_accesses (totals, &report->total),
			 has_overall)
      && json_set_known (object, "searched_runs", totals->searched_runs,
			 totals->runs > 0)
      && json_set_known (object, "suppressed_count", totals->suppressed_count,
			 totals->searched_runs > 0)
      && json_set_known (object, "suppressed_bytes", totals->suppressed_bytes,
			 totals->searched_runs > 0)
      && set_if_known (object, "memory_bytes", totals->memory_bytes)
      && set_if_known (object, "table_bytes", totals->table_bytes)
      && json_set_number (object, "contexts", report->total_contexts)
      && json_object_set_new (object, "info",
			      sum_info (&report->total, &report->known))
	   == 0
      && set_chosen (object, report))
    return object;
  json_decref (object);
  return NULL;
}

/* Add LINKAGE_NAME of a function in FILE, also demangled, as the options of
   REPORT select.  */
static bool
set_names (json_t *object, const struct heap_report *report,
	   const char *linkage_name, const char *file)
{
  if (!report->options.demangle)
    return json_set_text (object, "function", linkage_name);
  char *name = function_name_demangle_in (linkage_name, file, true);
  bool is_done = name != NULL && json_set_text (object, "function", name)
		 && json_set_text (object, "linkage_name", linkage_name);
  free (name);
  return is_done;
}

/* Add the names of FRAME's function.  */
static bool
set_function (json_t *object, const struct heap_report *report,
	      const struct heap_frame *frame)
{
  const char *linkage_name
    = heap_profile_string (report->profile, frame->function_name);
  char guid[32];
  snprintf (guid, sizeof guid, "0x%016" PRIx64, frame->function_guid);
  if (frame->function_guid != 0 && !json_set_text (object, "guid", guid))
    return false;
  return set_names (object, report, linkage_name,
		    heap_profile_string (report->profile, frame->file));
}

/* Add the address of FRAME and its module, if the address is kept.  */
static bool
set_address (json_t *object, const struct heap_profile *profile,
	     const struct heap_frame *frame)
{
  char address[32];
  snprintf (address, sizeof address, "0x%" PRIx64, frame->address);
  return !heap_frame_has_address (frame)
	 || (json_set_text (object, "build_id",
			    heap_profile_string (profile, frame->build_id))
	     && json_set_text (object, "path",
			       heap_profile_string (profile, frame->path))
	     && json_set_text (object, "address", address));
}

/* Return true if FRAME has a position in its function.  Frames of LLVM's
   formats have a GUID instead of a name, and a line offset instead of a
   line.  */
static bool
has_line_offset (const struct heap_frame *frame)
{
  return frame->line != 0 || frame->line_offset != 0 || frame->column != 0
	 || (frame->function_name == 0 && frame->function_guid != 0);
}

static bool
set_place (json_t *object, const struct heap_frame *frame)
{
  return set_if_known (object, "line", frame->line)
	 && set_if_known (object, "column", frame->column)
	 && set_if_known (object, "start_line", frame->start_line)
	 && json_set_known (object, "line_offset", frame->line_offset,
			    has_line_offset (frame))
	 && json_set_known (object, "discriminator", frame->discriminator,
			    frame->line != 0 || frame->discriminator != 0);
}

json_t *
heap_json_frame (const struct heap_report *report, uint32_t id)
{
  const struct heap_profile *profile = report->profile;
  const struct heap_frame *frame = heap_profile_frame (profile, id);
  json_t *object = json_object ();
  if (object != NULL && set_function (object, report, frame)
      && json_set_text (object, "file",
			heap_profile_string (profile, frame->file))
      && json_set_text (object, "module",
			heap_profile_string (profile, frame->module))
      && set_address (object, profile, frame) && set_place (object, frame)
      && json_object_set_new (object, "inline", json_boolean (frame->is_inline))
	   == 0)
    return object;
  json_decref (object);
  return NULL;
}

json_t *
heap_json_looked_through (const struct heap_report *report,
			  const struct wrapper_uses *uses)
{
  json_t *array = json_array ();
  for (size_t i = 0; i < uses->count && array != NULL; i++)
    {
      const struct wrapper_use *use = &uses->list[i];
      json_t *object = json_object ();
      bool is_done
	= object != NULL && set_names (object, report, use->name, "")
	  && json_object_set_new (object, "kind",
				  json_string (wrapper_kind_name (use->kind)))
	       == 0
	  && json_set_number (object, "blocks", use->blocks)
	  && json_set_number (object, "bytes", use->bytes);
      if (is_done && json_array_append_new (array, object) == 0)
	continue;
      if (!is_done)
	json_decref (object);
      json_decref (array);
      return NULL;
    }
  return array;
}

/* Write TEXT, serialized JSON.  Characters that need escaping occur only in its
   strings.  */
static void
write_json (const char *text, FILE *out)
{
  uint32_t code;
  for (size_t n = strlen (text), bytes; n > 0; text += bytes, n -= bytes)
    {
      bytes = plain_text_decode (text, n, &code);
      if (plain_text_is_plain (code))
	fwrite (text, 1, bytes, out);
      else if (code < 0x10000)
	fprintf (out, "\\u%04" PRIx32, code);
      else
	fprintf (out, "\\u%04" PRIx32 "\\u%04" PRIx32,
		 0xd800 + ((code - 0x10000) >> 10),
		 0xdc00 + ((code - 0x10000) & 0x3ff));
    }
}

bool
json_write (FILE *out, const char *before, json_t *value)
{
  if (value == NULL)
    return false;
  fputs (before, out);
  char *text = json_dumps (value, DUMP_FLAGS);
  json_decref (value);
  if (text == NULL)
    return false;
  if (plain_text_is_all_plain (text, strlen (text)))
    fputs (text, out);
  else
    write_json (text, out);
  free (text);
  return true;
}

bool
json_print (const char *before, json_t *value)
{
  return json_write (stdout, before, value);
}

/* ---- Frames as text.  */

bool
heap_json_frames_begin (struct heap_json_frames *frames,
			const struct heap_report *report)
{
  const size_t count = heap_profile_frame_count (report->profile);
  *frames
    = (struct heap_json_frames){ report, calloc (count + 1, sizeof (char *)) };
  return frames->texts != NULL;
}

void
heap_json_frames_release (struct heap_json_frames *frames)
{
  if (frames->texts == NULL)
    return;
  const size_t count = heap_profile_frame_count (frames->report->profile);
  for (size_t i = 0; i <= count; i++)
    free (frames->texts[i]);
  free (frames->texts);
}

/* Return VALUE, which is released, as json_write writes it; NULL if memory is
   exhausted.  */
static char *
text_of (json_t *value)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream (&text, &size);
  if (out == NULL)
    {
      json_decref (value);
      return NULL;
    }
  const bool is_written = json_write (out, "", value);
  if (fclose (out) == 0 && is_written)
    return text;
  free (text);
  return NULL;
}

bool
heap_json_frames_write (struct heap_json_frames *frames, FILE *out,
			const char *before, uint32_t id)
{
  char **text = &frames->texts[id];
  if (*text == NULL)
    *text = text_of (heap_json_frame (frames->report, id));
  if (*text == NULL)
    return false;
  fputs (before, out);
  fputs (*text, out);
  return true;
}
