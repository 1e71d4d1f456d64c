/* The profile in the HTML report.
   SPDX-License-Identifier: GPL-3.0-or-later

   One JSON object, in columns, since that is small and quickly read:

     title       what it was made from
     run_length_ns, totals, total, rules
		 of one run; of the profile; its sums; what the marks say
     functions   names
     modules     as show --json has them; there if any are known
     threads     names: of the functions that threads began with, the first is
		 empty: not known; starts: [node, thread] where the thread is
		 another one than the caller's; so are its callees
     single_threads  those that allocated most: name, ID, bytes, blocks, bytes
		 live at the end, the most at one time and at the peak; the sum
		 of others has their number instead of a name, and no ID
     files       paths of source files and names of modules; the first is empty
     looked      which wrappers were looked through, a line, or empty
     frames      function, file, module (numbers in the two above), line,
		 inline, named (0 or 1), wrapper (0: none, 1: of the C++
		 library, 2: another), by frame
     nodes       caller (a node), frame, by node of the tree; node 0 is the root
     contexts    node, site (a frame), marks and numbers, by context
     timelines   peak_bytes, peak_ns, end_ns, shift (of an interval's length in
		 ns), max and mean by interval, marks (label, time_ns, bytes)
     marks       label and bytes by context, by label
     histograms  text, which is parsed when it is needed: a JSON array of
		 [context, [accesses to each 8 bytes]]
     data_types  by context, place in type_numbers, counted from 1; 0: unknown
     type_numbers  of data types
     types       as show --json has them; there if any are known
     sources     text of files, by their number in files

   No `<' stands outside of strings.  */

#include "context-match.h"
#include "frame-text.h"
#include "heap-json.h"
#include "heap-moments.h"
#include "heap-spread.h"
#include "heap-threads.h"
#include "report-html.h"
#include "show-modules.h"
#include "show-threads.h"
#include "show-types.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Files and modules; NUMBERS maps string IDs to numbers plus 1, 0: none.  */
struct file_table
{
  uint32_t *numbers;
  uint32_t *strings; /* string ID, by number */
  bool *has_site;    /* by number: contains a context's site */
  uint32_t count;
};

struct writer
{
  const struct heap_report *report;
  const struct frame_names *names;
  struct file_table files;
  FILE *out;
};

static uint32_t
file_number (struct file_table *files, uint32_t string)
{
  if (files->numbers[string] == 0)
    {
      files->strings[files->count] = string;
      files->numbers[string] = ++files->count;
    }
  return files->numbers[string] - 1;
}

/* Number the files and modules of all frames; the empty string is 0.  */
static bool
make_file_table (struct file_table *files, const struct heap_report *report)
{
  const struct heap_profile *profile = report->profile;
  size_t room = (size_t) heap_profile_string_count (profile) + 1;
  *files
    = (struct file_table){ .numbers = calloc (room, sizeof *files->numbers),
			   .strings = calloc (room, sizeof *files->strings),
			   .has_site = calloc (room, sizeof *files->has_site) };
  if (files->numbers == NULL || files->strings == NULL
      || files->has_site == NULL)
    return false;
  file_number (files, 0);
  uint32_t count = heap_profile_frame_count (profile);
  for (uint32_t id = 0; id < count; id++)
    {
      file_number (files, heap_profile_frame (profile, id)->file);
      file_number (files, heap_profile_frame (profile, id)->module);
    }
  for (size_t i = 0; i < report->context_count; i++)
    {
      uint32_t site = report->contexts[i].site;
      uint32_t file = heap_profile_frame (profile, site)->file;
      files->has_site[file_number (files, file)] = true;
    }
  return true;
}

static void
release_file_table (struct file_table *files)
{
  free (files->numbers);
  free (files->strings);
  free (files->has_site);
}

/* Write BEFORE and the column NAME with COUNT numbers computed by VALUE.  */
static void
write_column (struct writer *writer, const char *before, const char *name,
	      size_t count, uint64_t (*value) (struct writer *, size_t))
{
  fprintf (writer->out, "%s\"%s\":[", before, name);
  for (size_t i = 0; i < count; i++)
    fprintf (writer->out, "%s%" PRIu64, i > 0 ? "," : "", value (writer, i));
  putc (']', writer->out);
}

/* ---- Frames and nodes.  */

static const struct heap_frame *
frame_at (const struct writer *writer, size_t i)
{
  return heap_profile_frame (writer->report->profile, (uint32_t) i);
}

static uint64_t
frame_function (struct writer *writer, size_t i)
{
  return writer->names->functions[i];
}

static uint64_t
frame_file (struct writer *writer, size_t i)
{
  return file_number (&writer->files, frame_at (writer, i)->file);
}

static uint64_t
frame_module (struct writer *writer, size_t i)
{
  return file_number (&writer->files, frame_at (writer, i)->module);
}

static uint64_t
frame_line (struct writer *writer, size_t i)
{
  return frame_at (writer, i)->line;
}

static uint64_t
frame_inline (struct writer *writer, size_t i)
{
  return frame_at (writer, i)->is_inline;
}

static uint64_t
frame_named (struct writer *writer, size_t i)
{
  return frame_at (writer, i)->function_guid != 0;
}

static uint64_t
frame_wrapper (struct writer *writer, size_t i)
{
  enum wrapper_kind kind
    = allocation_wrappers_kind (&writer->report->wrappers, (uint32_t) i);
  return kind <= WRAPPER_LIBRARY ? kind : WRAPPER_LISTED;
}

static uint64_t
frame_python (struct writer *writer, size_t i)
{
  return allocation_wrappers_role (&writer->report->wrappers, (uint32_t) i);
}

static uint64_t
node_caller (struct writer *writer, size_t i)
{
  return heap_profile_context_caller (writer->report->profile, (uint32_t) i);
}

static uint64_t
node_frame (struct writer *writer, size_t i)
{
  return heap_profile_context_frame (writer->report->profile, (uint32_t) i);
}

static void
write_tree (struct writer *writer)
{
  const struct heap_profile *profile = writer->report->profile;
  size_t frames = heap_profile_frame_count (profile);
  size_t nodes = heap_profile_context_count (profile);
  write_column (writer, ",\n\"frames\":{", "function", frames, frame_function);
  write_column (writer, ",\n", "file", frames, frame_file);
  write_column (writer, ",\n", "module", frames, frame_module);
  write_column (writer, ",\n", "line", frames, frame_line);
  write_column (writer, ",\n", "inline", frames, frame_inline);
  write_column (writer, ",\n", "named", frames, frame_named);
  write_column (writer, ",\n", "wrapper", frames, frame_wrapper);
  if (writer->report->wrappers.roles != NULL)
    write_column (writer, ",\n", "python", frames, frame_python);
  write_column (writer, "},\n\"nodes\":{", "caller", nodes, node_caller);
  write_column (writer, ",\n", "frame", nodes, node_frame);
  putc ('}', writer->out);
}

static bool
write_threads (struct writer *writer)
{
  const struct heap_report *report = writer->report;
  uint32_t nodes = heap_profile_context_count (report->profile);
  struct show_threads threads;
  bool is_done = show_threads_make (&threads, report, false);
  fputs (",\n\"threads\":{\"names\":[", writer->out);
  for (uint32_t i = 0; i < threads.starts.count && is_done; i++)
    is_done = json_write (writer->out, i > 0 ? ",\n" : "",
			  json_plain_text (threads.names[i]));
  fputs ("],\n\"starts\":[", writer->out);
  const char *separator = "";
  for (uint32_t i = 1; i < nodes && is_done; i++)
    {
      const uint32_t *numbers = threads.starts.threads;
      uint32_t caller = heap_profile_context_caller (report->profile, i);
      if (numbers[i] == numbers[caller])
	continue;
      fprintf (writer->out, "%s[%" PRIu32 ",%" PRIu32 "]", separator, i,
	       numbers[i]);
      separator = ",";
    }
  fputs ("]}", writer->out);
  show_threads_release (&threads);
  return is_done;
}

/* ---- Contexts.  */

static const struct report_entry *
entry_at (const struct writer *writer, size_t i)
{
  return &writer->report->contexts[i];
}

static uint64_t
context_node (struct writer *writer, size_t i)
{
  return entry_at (writer, i)->context;
}

static uint64_t
context_site (struct writer *writer, size_t i)
{
  return entry_at (writer, i)->site;
}

static uint64_t
context_marks (struct writer *writer, size_t i)
{
  return entry_at (writer, i)->marks;
}

/* The numbers of a MIB that the report contains.  */
static const struct
{
  const char *name;
  size_t offset;
} numbers[]
  = { { "complete_blocks", offsetof (struct memory_info, alloc_count) },
      { "complete_bytes", offsetof (struct memory_info, size_bytes.total) },
      { "uncounted_blocks", offsetof (struct memory_info, uncounted_count) },
      { "uncounted_bytes", offsetof (struct memory_info, uncounted_bytes) },
      { "accesses", offsetof (struct memory_info, access_count.total) },
      { "lifetime", offsetof (struct memory_info, lifetime_ns.total) },
      { "min_size", offsetof (struct memory_info, size_bytes.min) },
      { "max_size", offsetof (struct memory_info, size_bytes.max) },
      { "min_lifetime", offsetof (struct memory_info, lifetime_ns.min) },
      { "max_lifetime", offsetof (struct memory_info, lifetime_ns.max) },
      { "peak_blocks", offsetof (struct memory_info, peak_count) },
      { "peak_bytes", offsetof (struct memory_info, peak_bytes) },
      { "temporary", offsetof (struct memory_info, temporary_count) } };

/* How far some of them may be off, if they are estimates: the square roots of
   the numbers in their spreads.  */
static const struct
{
  const char *deviation;
  const char *greatest;
} spreads[HEAP_ESTIMATES]
  = { [HEAP_ESTIMATE_BLOCKS] = { "blocks_deviation", "blocks_greatest" },
      [HEAP_ESTIMATE_BYTES] = { "bytes_deviation", "bytes_greatest" },
      [HEAP_ESTIMATE_ACCESSES]
      = { "accesses_deviation", "accesses_greatest" } };

static double
spread_number (const struct heap_spread *spread, bool is_greatest)
{
  return sqrt (is_greatest ? spread->greatest : spread->variance);
}

static double
context_spread (const struct heap_report *report,
		const struct memory_info *info, int k, bool is_greatest)
{
  const struct heap_spread spread
    = heap_spread_of (info, (enum heap_estimate) k, report->known.sample_bytes);
  return spread_number (&spread, is_greatest);
}

/* Set both numbers of estimate K of INFO, the sum over all contexts; the second
   is null if there is no limit.  */
static bool
set_sum_spread (json_t *object, const struct heap_report *report,
		const struct memory_info *info, int k)
{
  const struct heap_spread spread
    = heap_spread_of_sum (info, (enum heap_estimate) k,
			  report->known.sample_bytes);
  return json_object_set_new (object, spreads[k].deviation,
			      json_real (spread_number (&spread, false)))
	   == 0
	 && json_object_set_new (object, spreads[k].greatest,
				 isfinite (spread.greatest)
				   ? json_real (spread_number (&spread, true))
				   : json_null ())
	      == 0;
}

static void
write_spread (struct writer *writer, size_t count, int k, bool is_greatest)
{
  fprintf (writer->out, ",\n\"%s\":[",
	   is_greatest ? spreads[k].greatest : spreads[k].deviation);
  for (size_t i = 0; i < count; i++)
    fprintf (writer->out, "%s%.6g", i > 0 ? "," : "",
	     context_spread (writer->report, &entry_at (writer, i)->info, k,
			     is_greatest));
  putc (']', writer->out);
}

static uint64_t
number_of (const struct memory_info *info, size_t offset)
{
  uint64_t number;
  memcpy (&number, (const char *) info + offset, sizeof number);
  return number;
}

static uint64_t
context_bytes (struct writer *writer, size_t i)
{
  return context_measure (&entry_at (writer, i)->info, CONTEXT_BYTES);
}

static uint64_t
context_blocks (struct writer *writer, size_t i)
{
  return context_measure (&entry_at (writer, i)->info, CONTEXT_ALLOCATIONS);
}

static uint64_t
context_live_blocks (struct writer *writer, size_t i)
{
  return context_measure (&entry_at (writer, i)->info, CONTEXT_LIVE_BLOCKS);
}

static uint64_t
context_live_bytes (struct writer *writer, size_t i)
{
  return context_measure (&entry_at (writer, i)->info, CONTEXT_LIVE_BYTES);
}

static uint64_t
context_lost_blocks (struct writer *writer, size_t i)
{
  return context_measure (&entry_at (writer, i)->info, CONTEXT_LOST_BLOCKS);
}

static uint64_t
context_lost_bytes (struct writer *writer, size_t i)
{
  return context_measure (&entry_at (writer, i)->info, CONTEXT_LOST_BYTES);
}

static void
write_contexts (struct writer *writer)
{
  size_t count = writer->report->context_count;
  write_column (writer, ",\n\"contexts\":{", "node", count, context_node);
  write_column (writer, ",\n", "site", count, context_site);
  write_column (writer, ",\n", "marks", count, context_marks);
  write_column (writer, ",\n", "bytes", count, context_bytes);
  write_column (writer, ",\n", "blocks", count, context_blocks);
  write_column (writer, ",\n", "live_blocks", count, context_live_blocks);
  write_column (writer, ",\n", "live_bytes", count, context_live_bytes);
  write_column (writer, ",\n", "lost_blocks", count, context_lost_blocks);
  write_column (writer, ",\n", "lost_bytes", count, context_lost_bytes);
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
    {
      fprintf (writer->out, ",\n\"%s\":[", numbers[k].name);
      for (size_t i = 0; i < count; i++)
	fprintf (writer->out, "%s%" PRIu64, i > 0 ? "," : "",
		 number_of (&entry_at (writer, i)->info, numbers[k].offset));
      putc (']', writer->out);
    }
  for (int k = 0; k < HEAP_ESTIMATES && writer->report->known.has_samples; k++)
    {
      write_spread (writer, count, k, false);
      write_spread (writer, count, k, true);
    }
  putc ('}', writer->out);
}

/* Threads that the page has on their own.  */
#define REPORT_THREADS_MAX 100

static void
write_thread_numbers (const struct heap_thread *thread, FILE *out)
{
  fprintf (out,
	   ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
	   ",%" PRIu64 "]",
	   thread->tid, thread->alloc_bytes, thread->alloc_count,
	   thread->live_bytes, thread->most_bytes, thread->peak_bytes);
}

static bool
write_single_threads (struct writer *writer)
{
  FILE *out = writer->out;
  const struct heap_details *details
    = heap_profile_read_details (writer->report->profile);
  uint32_t count = heap_details_thread_count (details);
  fputs (",\n\"single_threads\":[", out);
  for (uint32_t i = 0; i < count && i < REPORT_THREADS_MAX; i++)
    {
      const struct heap_thread *thread = heap_details_thread_at (details, i);
      if (!json_write (out, i > 0 ? ",\n[" : "[",
		       json_plain_text (thread->name)))
	return false;
      write_thread_numbers (thread, out);
    }
  struct heap_thread others = { 0 };
  for (uint32_t i = REPORT_THREADS_MAX; i < count; i++)
    heap_thread_add (&others, heap_details_thread_at (details, i));
  if (heap_details_other_threads (details) != NULL)
    heap_thread_add (&others, heap_details_other_threads (details));
  if (others.threads > 0)
    {
      fprintf (out, ",\n[%" PRIu64, others.threads);
      write_thread_numbers (&others, out);
    }
  putc (']', out);
  return true;
}

/* Labels for which the page has flame graphs.  */
#define REPORT_MARKS_MAX 20

static void
write_intervals (const struct heap_timeline *timeline, bool is_max, FILE *out)
{
  for (uint32_t i = 0; i < timeline->count; i++)
    fprintf (out, "%s%" PRIu64, i > 0 ? "," : "",
	     is_max ? timeline->samples[i].max : timeline->samples[i].mean);
}

static bool
write_timeline (struct writer *writer, const struct heap_timeline *timeline)
{
  FILE *out = writer->out;
  fprintf (out,
	   "{\"peak_bytes\":%" PRIu64 ",\"peak_ns\":%" PRIu64
	   ",\"end_ns\":%" PRIu64 ",\"shift\":%" PRIu32 ",\"max\":[",
	   timeline->peak_bytes, timeline->peak_ns, timeline->end_ns,
	   timeline->shift);
  write_intervals (timeline, true, out);
  fputs ("],\n\"mean\":[", out);
  write_intervals (timeline, false, out);
  fputs ("],\n\"marks\":[", out);
  for (uint32_t i = 0; i < timeline->mark_count; i++)
    {
      const struct heap_timeline_mark *mark = &timeline->marks[i];
      if (!json_write (out, i > 0 ? ",{\"label\":" : "{\"label\":",
		       json_plain_text (mark->label)))
	return false;
      fprintf (out, ",\"time_ns\":%" PRIu64 ",\"bytes\":%" PRIu64 "}",
	       mark->time_ns, mark->bytes);
    }
  fputs ("]}", out);
  return true;
}

/* Write what was live in each context at MARK.  BYTES_OF has an element for
   each node, all 0, and has that again afterwards.  */
static bool
write_mark (struct writer *writer, uint32_t mark, uint64_t *bytes_of)
{
  const struct heap_report *report = writer->report;
  const struct heap_details *details
    = heap_profile_read_details (report->profile);
  if (!json_write (writer->out, "{\"label\":",
		   json_plain_text (heap_details_mark_at (details, mark)
				      ->label)))
    return false;
  for (uint32_t i = 0; i < heap_details_marked_count (details); i++)
    {
      const struct heap_marked *marked = heap_details_marked_at (details, i);
      if (marked->mark == mark)
	bytes_of[marked->context] = marked->bytes;
    }
  fputs (",\"bytes\":[", writer->out);
  for (size_t i = 0; i < report->context_count; i++)
    fprintf (writer->out, "%s%" PRIu64, i > 0 ? "," : "",
	     bytes_of[report->contexts[i].context]);
  fputs ("]}", writer->out);
  memset (bytes_of, 0,
	  heap_profile_context_count (report->profile) * sizeof *bytes_of);
  return true;
}

/* Write the heap over time, and the marks.  */
static bool
write_times (struct writer *writer)
{
  const struct heap_profile *profile = writer->report->profile;
  const struct heap_details *details = heap_profile_read_details (profile);
  uint32_t marks = heap_details_mark_count (details);
  uint64_t *bytes_of
    = calloc ((size_t) heap_profile_context_count (profile) + 1,
	      sizeof *bytes_of);
  bool is_done = bytes_of != NULL;
  fputs (",\n\"timelines\":[", writer->out);
  for (uint32_t i = 0; is_done && i < heap_details_timeline_count (details);
       i++)
    {
      fputs (i > 0 ? ",\n" : "", writer->out);
      is_done = write_timeline (writer, heap_details_timeline_at (details, i));
    }
  fputs ("],\n\"marks\":[", writer->out);
  for (uint32_t i = 0; is_done && i < marks && i < REPORT_MARKS_MAX; i++)
    {
      fputs (i > 0 ? ",\n" : "", writer->out);
      is_done = write_mark (writer, i, bytes_of);
    }
  putc (']', writer->out);
  free (bytes_of);
  return is_done;
}

static void
write_histograms (struct writer *writer)
{
  const struct heap_report *report = writer->report;
  const struct heap_details *details
    = heap_profile_read_details (report->profile);
  const char *separator = "";
  fputs (",\n\"histograms\":\"[", writer->out);
  for (size_t i = 0; i < report->context_count; i++)
    {
      const struct heap_histogram *histogram
	= heap_details_histogram (details, report->contexts[i].context);
      if (histogram == NULL)
	continue;
      fprintf (writer->out, "%s[%zu,[", separator, i);
      for (uint32_t k = 0; k < histogram->count; k++)
	fprintf (writer->out, "%s%" PRIu64, k > 0 ? "," : "",
		 histogram->counts[k]);
      fputs ("]]", writer->out);
      separator = ",";
    }
  fputs ("]\"", writer->out);
}

static int
compare_numbers (const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *) a;
  uint64_t y = *(const uint64_t *) b;
  return (x > y) - (x < y);
}

/* Move the distinct non-zero numbers among the COUNT VALUES to the front and
   return how many there are.  */
static size_t
make_unique (uint64_t *values, size_t count)
{
  size_t unique = 0;
  qsort (values, count, sizeof *values, compare_numbers);
  for (size_t i = 0; i < count; i++)
    if (values[i] != 0 && (unique == 0 || values[i] != values[unique - 1]))
      values[unique++] = values[i];
  return unique;
}

/* Data type numbers have 53 bits but are few: contexts store indexes.  */
static bool
write_types (struct writer *writer)
{
  const struct heap_report *report = writer->report;
  size_t count = report->context_count;
  uint64_t *type_numbers = calloc (count + 1, sizeof *type_numbers);
  if (type_numbers == NULL)
    return false;
  for (size_t i = 0; i < count; i++)
    type_numbers[i] = report->contexts[i].info.data_type_id;
  size_t unique = make_unique (type_numbers, count);
  fputs (",\n\"data_types\":[", writer->out);
  for (size_t i = 0; i < count; i++)
    {
      const uint64_t *number = &report->contexts[i].info.data_type_id;
      const uint64_t *found = bsearch (number, type_numbers, unique,
				       sizeof *number, compare_numbers);
      fprintf (writer->out, "%s%zu", i > 0 ? "," : "",
	       found != NULL ? (size_t) (found - type_numbers) + 1 : 0);
    }
  fputs ("],\n\"type_numbers\":[", writer->out);
  for (size_t i = 0; i < unique; i++)
    fprintf (writer->out, "%s%" PRIu64, i > 0 ? "," : "", type_numbers[i]);
  putc (']', writer->out);
  free (type_numbers);
  return show_types_json (report, true, writer->out);
}

/* ---- Texts.  */

static bool
write_names (struct writer *writer)
{
  fputs (",\n\"functions\":[", writer->out);
  for (uint32_t i = 0; i < writer->names->count; i++)
    if (!json_write (writer->out, i > 0 ? ",\n" : "\n",
		     json_plain_text (writer->names->texts[i])))
      return false;
  fputs ("],\n\"files\":[", writer->out);
  for (uint32_t i = 0; i < writer->files.count; i++)
    if (!json_write (writer->out, i > 0 ? ",\n" : "\n",
		     json_plain_text (heap_profile_string (
		       writer->report->profile, writer->files.strings[i]))))
      return false;
  putc (']', writer->out);
  return true;
}

/* Write the texts of the files with sites.  */
static bool
write_sources (struct writer *writer)
{
  const char *separator = "";
  for (uint32_t i = 1; i < writer->files.count; i++)
    {
      char *text = NULL;
      if (writer->files.has_site[i])
	text
	  = report_source_text (heap_profile_string (writer->report->profile,
						     writer->files.strings[i]));
      if (text == NULL)
	continue;
      fprintf (writer->out, "%s\"%" PRIu32 "\":", separator, i);
      bool is_done = json_write (writer->out, "", json_source_text (text));
      free (text);
      if (!is_done)
	return false;
      separator = ",\n";
    }
  return true;
}

static json_t *
rules_json (void)
{
  json_t *object = json_object ();
  for (unsigned int mark = 1; mark < REPORT_MARKS_END && object != NULL;
       mark <<= 1)
    if (!json_set_text (object, report_mark_name (mark),
			report_mark_meaning (mark)))
      {
	json_decref (object);
	return NULL;
      }
  return object;
}

/* Return the sums over the selected contexts.  */
static json_t *
total_json (const struct heap_report *report)
{
  struct memory_info sum = { 0 };
  json_t *object = json_object ();
  for (size_t i = 0; i < report->context_count; i++)
    memory_info_add (&sum, &report->contexts[i].info);
  bool is_done
    = object != NULL
      && json_set_number (object, "bytes",
			  context_measure (&sum, CONTEXT_BYTES))
      && json_set_number (object, "blocks",
			  context_measure (&sum, CONTEXT_ALLOCATIONS))
      && json_set_number (object, "live_blocks",
			  context_measure (&sum, CONTEXT_LIVE_BLOCKS))
      && json_set_number (object, "live_bytes",
			  context_measure (&sum, CONTEXT_LIVE_BYTES))
      && json_set_number (object, "lost_blocks",
			  context_measure (&sum, CONTEXT_LOST_BLOCKS))
      && json_set_number (object, "lost_bytes",
			  context_measure (&sum, CONTEXT_LOST_BYTES));
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers && is_done; k++)
    is_done = json_set_number (object, numbers[k].name,
			       number_of (&sum, numbers[k].offset));
  for (int k = 0; k < HEAP_ESTIMATES && report->known.has_samples && is_done;
       k++)
    is_done = set_sum_spread (object, report, &sum, k);
  if (is_done)
    return object;
  json_decref (object);
  return NULL;
}

/* Write which wrappers were looked through.  */
static bool
write_looked_through (struct writer *writer)
{
  char *text
    = looked_through_text (writer->report, &writer->report->looked_through);
  bool is_done
    = text != NULL
      && json_write (writer->out, ",\n\"looked\":", json_plain_text (text));
  free (text);
  return is_done;
}

static bool
write_object (struct writer *writer, const char *title,
	      const struct html_options *options)
{
  FILE *out = writer->out;
  fprintf (out, "{\"run_length_ns\":%.0f",
	   report_run_length_ns (writer->report));
  if (!json_write (out, ",\n\"title\":", json_plain_text (title))
      || !json_write (out, ",\n\"totals\":", heap_json_totals (writer->report))
      || !json_write (out, ",\n\"total\":", total_json (writer->report))
      || !json_write (out, ",\n\"rules\":", rules_json ())
      || !write_looked_through (writer)
      || !show_modules_json (writer->report, out) || !write_names (writer))
    return false;
  write_tree (writer);
  if (!write_threads (writer) || !write_single_threads (writer))
    return false;
  write_contexts (writer);
  if (!write_times (writer))
    return false;
  write_histograms (writer);
  if (!write_types (writer))
    return false;
  fputs (",\n\"sources\":{", out);
  if (!options->no_sources && !write_sources (writer))
    return false;
  fputs ("}}\n", out);
  return true;
}

bool
report_data_write (const struct heap_report *report, const char *title,
		   const struct html_options *options, FILE *out)
{
  struct frame_names names;
  struct writer writer = { .report = report, .names = &names, .out = out };
  bool is_done = frame_names_make (&names, report, false);
  is_done = make_file_table (&writer.files, report) && is_done
	    && write_object (&writer, title, options);
  release_file_table (&writer.files);
  frame_names_release (&names);
  return is_done;
}
