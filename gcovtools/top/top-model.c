/* What `top' shows: tables by site, type, thread, process and context.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "top-model.h"
#include "diagnostics.h"
#include "frame-text.h"
#include "monotonic-time.h"
#include "plain-text.h"
#include "show-threads.h"
#include "symbolize-profile.h"
#include "type-sums.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Functions that a context's name has.  */
#define MOST_FUNCTIONS 8

const char *const top_by_names[TOP_TABLES]
  = { "site", "type", "thread", "process", "context" };
const char *const top_sort_names[TOP_SORTS]
  = { "live", "blocks", "rate", "total", "accesses" };

/* ---- Tables.  */

static void
free_table (struct top_table *table)
{
  for (size_t i = 0; i < table->count; i++)
    free (table->rows[i].name);
  free (table->rows);
  *table = (struct top_table){ 0 };
}

static struct top_numbers
numbers_of (const struct memory_info *info)
{
  return (struct top_numbers){
    .live_bytes = info->live_bytes + info->unfinished_bytes,
    .live_blocks = info->live_count + info->unfinished_count,
    .bytes = info->size_bytes.total + info->unfinished_bytes,
    .blocks = info->alloc_count + info->unfinished_count,
    .accesses = info->access_count.total
  };
}

static void
add_numbers (struct top_numbers *sum, const struct top_numbers *numbers)
{
  sum->live_bytes += numbers->live_bytes;
  sum->live_blocks += numbers->live_blocks;
  sum->bytes += numbers->bytes;
  sum->blocks += numbers->blocks;
  sum->accesses += numbers->accesses;
}

/* Append a row of NAME, which is freed or kept; NULL if memory is exhausted.
   Return false then.  TABLE has room.  */
static bool
add_row (struct top_table *table, char *name, const struct top_numbers *numbers,
	 uint32_t context)
{
  char *plain = name != NULL ? plain_text_copy (name, strlen (name), "") : NULL;
  free (name);
  if (plain == NULL)
    return false;
  table->rows[table->count++]
    = (struct top_row){ .name = plain,
			.numbers = *numbers,
			.bytes_rate = TOP_RATE_UNKNOWN,
			.blocks_rate = TOP_RATE_UNKNOWN,
			.context = context };
  return true;
}

static bool
make_room (struct top_table *table, size_t count)
{
  table->rows = calloc (count + 1, sizeof *table->rows);
  return table->rows != NULL;
}

static int
compare_names (const void *a, const void *b)
{
  const struct top_row *x = a;
  const struct top_row *y = b;
  return strcmp (x->name, y->name);
}

/* Sort TABLE by name and add up rows with the same name.  */
static void
unite_rows (struct top_table *table)
{
  size_t count = 0;
  if (table->rows == NULL)
    return;
  qsort (table->rows, table->count, sizeof *table->rows, compare_names);
  for (size_t i = 0; i < table->count; i++)
    if (count > 0
	&& strcmp (table->rows[count - 1].name, table->rows[i].name) == 0)
      {
	add_numbers (&table->rows[count - 1].numbers, &table->rows[i].numbers);
	free (table->rows[i].name);
      }
    else
      table->rows[count++] = table->rows[i];
  table->count = count;
}

static double
rate (uint64_t now, uint64_t before, double seconds)
{
  return now > before ? (double) (now - before) / seconds : 0;
}

/* Set the rates of ROW, which had the numbers of BEFORE, SECONDS ago.  */
static void
set_rates (struct top_row *row, const struct top_numbers *before,
	   double seconds)
{
  if (seconds <= 0)
    return;
  row->bytes_rate = rate (row->numbers.bytes, before->bytes, seconds);
  row->blocks_rate = rate (row->numbers.blocks, before->blocks, seconds);
}

/* Set the rates of TABLE, which was BEFORE, SECONDS ago.  */
static void
set_table_rates (struct top_table *table, const struct top_table *before,
		 double seconds)
{
  static const struct top_numbers none;
  for (size_t i = 0; i < table->count; i++)
    {
      struct top_row *row = &table->rows[i];
      const struct top_row *old = before->count > 0
				    ? bsearch (row, before->rows, before->count,
					       sizeof *row, compare_names)
				    : NULL;
      set_rates (row, old != NULL ? &old->numbers : &none, seconds);
    }
}

/* ---- The tables of a report.  */

static bool
make_sites (struct top_table *table, const struct heap_report *report)
{
  bool is_done = make_room (table, report->site_count);
  for (size_t i = 0; is_done && i < report->site_count; i++)
    {
      const struct report_entry *sum = &report->sites[i].sum;
      const struct top_numbers numbers = numbers_of (&sum->info);
      is_done = add_row (table, site_text (report, sum->site), &numbers, 0);
    }
  return is_done;
}

static bool
make_types (struct top_table *table, const struct heap_report *report)
{
  struct type_sums sums = { 0 };
  bool is_done
    = type_sums_make (&sums, report) && make_room (table, sums.count);
  for (size_t i = 0; is_done && i < sums.count; i++)
    {
      const struct type_sum *sum = &sums.sums[i];
      const struct top_numbers numbers = numbers_of (&sum->info);
      is_done
	= add_row (table,
		   sum->type != NULL ? type_name_text (report, sum->type->name)
				     : strdup ("(unknown)"),
		   &numbers, 0);
    }
  type_sums_release (&sums);
  return is_done;
}

static bool
make_threads (struct top_table *table, const struct heap_report *report)
{
  struct show_threads threads = { 0 };
  bool is_done = show_threads_make (&threads, report, false)
		 && make_room (table, report->context_count);
  for (size_t i = 0; is_done && i < report->context_count; i++)
    {
      const struct report_entry *entry = &report->contexts[i];
      uint32_t thread = threads.starts.threads[entry->context];
      const struct top_numbers numbers = numbers_of (&entry->info);
      is_done
	= add_row (table,
		   strdup (thread == THREAD_UNKNOWN ? "(unknown)"
						    : threads.names[thread]),
		   &numbers, 0);
    }
  show_threads_release (&threads);
  return is_done;
}

static bool
make_processes (struct top_table *table, const struct top *top)
{
  bool is_done = make_room (table, top->source_count);
  for (size_t i = 0; is_done && i < top->source_count; i++)
    {
      const struct top_source *source = &top->sources[i];
      is_done = add_row (table, strdup (source->name), &source->numbers, 0);
    }
  return is_done;
}

/* Write SHOWN, the context's function NUMBER, to OUT.  */
static bool
write_function (const struct heap_report *report,
		const struct shown_frame *shown, size_t number, FILE *out)
{
  uint32_t frame = heap_profile_context_frame (report->profile, shown->node);
  char *name
    = frame_name_text (report, heap_profile_frame (report->profile, frame),
		       false);
  const struct shown_frame cycle
    = { .cycle = shown->cycle, .times = shown->times };
  char *more = shown_frame_text (&cycle);
  bool is_done = name != NULL && more != NULL;
  if (is_done)
    fprintf (out, "%s%s%s", number > 0 ? " < " : "", name, more);
  free (more);
  free (name);
  return is_done;
}

/* Return the functions of the context of ENTRY from its site on, innermost
   first, without those of the C++ library, malloced.  */
static char *
context_name (const struct heap_report *report,
	      const struct report_entry *entry)
{
  char *text = NULL;
  size_t size = 0;
  struct shown_frames shown;
  size_t count = 0;
  bool is_done = shown_frames_make (&shown, report, entry->site_node);
  FILE *out = open_memstream (&text, &size);
  is_done = is_done && out != NULL;
  for (size_t i = 0; i < shown.count && is_done; i++)
    {
      uint32_t frame
	= heap_profile_context_frame (report->profile, shown.frames[i].node);
      if (i > 0
	  && allocation_wrappers_kind (&report->wrappers, frame)
	       == WRAPPER_LIBRARY)
	continue;
      if (count == MOST_FUNCTIONS)
	{
	  fputs (" < ...", out);
	  break;
	}
      is_done = write_function (report, &shown.frames[i], count++, out);
    }
  shown_frames_release (&shown);
  if (out != NULL && fclose (out) == 0 && is_done)
    return text;
  free (text);
  return NULL;
}

/* Make the table of the contexts of the site INSIDE.  */
static bool
make_contexts (struct top_table *table, const struct heap_report *report,
	       const char *inside)
{
  bool is_done = make_room (table, report->context_count);
  for (size_t i = 0; is_done && i < report->site_count; i++)
    {
      const struct report_site *site = &report->sites[i];
      char *name = site_text (report, site->sum.site);
      bool is_inside = name != NULL && strcmp (name, inside) == 0;
      is_done = name != NULL;
      free (name);
      for (size_t j = 0; is_done && is_inside && j < site->count; j++)
	{
	  const struct report_entry *entry = &report->contexts[site->first + j];
	  const struct top_numbers numbers = numbers_of (&entry->info);
	  is_done = add_row (table, context_name (report, entry), &numbers,
			     entry->context);
	}
    }
  return is_done;
}

/* Make the TABLES of REPORT.  Return false if memory is exhausted.  */
static bool
make_tables (struct top_table *tables, const struct top *top,
	     const struct heap_report *report)
{
  if (!make_sites (&tables[TOP_SITES], report)
      || !make_types (&tables[TOP_TYPES], report)
      || !make_threads (&tables[TOP_THREADS], report)
      || !make_processes (&tables[TOP_PROCESSES], top)
      || (top->inside != NULL
	  && !make_contexts (&tables[TOP_CONTEXTS], report, top->inside)))
    return false;
  for (size_t i = 0; i < TOP_TABLES; i++)
    unite_rows (&tables[i]);
  return true;
}

/* ---- Reading.  */

/* Add the current content of SOURCE to the profile of SYMBOLIZER.  */
static bool
add_source (struct profile_symbolizer *symbolizer, struct top_source *source,
	    struct profile_error *err)
{
  struct raw_profile *raw = top_source_read (source, err);
  bool is_done = raw != NULL
		 && profile_symbolizer_add (symbolizer, raw, source->path, err);
  raw_profile_close (raw);
  return is_done;
}

/* Read all sources of TOP into a new profile.  Messages about missing debug
   information would disturb; `show' prints them.  */
static struct heap_profile *
read_sources (struct top *top, struct profile_error *err)
{
  struct diagnostics_lines lines = { 0 };
  struct diagnostics_lines *outer = diagnostics_hold (&lines);
  struct heap_profile *profile = heap_profile_new ();
  struct profile_symbolizer *symbolizer
    = profile != NULL ? profile_symbolizer_new (profile, top->names) : NULL;
  bool is_done = symbolizer != NULL || profile_error_set_memory (err, NULL);
  for (size_t i = 0; is_done && i < top->source_count; i++)
    is_done = add_source (symbolizer, &top->sources[i], err);
  profile_symbolizer_free (symbolizer);
  diagnostics_hold (outer);
  diagnostics_lines_free (&lines);
  if (is_done)
    return profile;
  heap_profile_free (profile);
  return NULL;
}

/* Drop the last result.  */
static void
drop_result (struct top *top)
{
  if (top->profile == NULL)
    return;
  heap_report_release (&top->report);
  heap_profile_free (top->profile);
  for (size_t i = 0; i < TOP_TABLES; i++)
    free_table (&top->tables[i]);
  top->profile = NULL;
}

bool
top_read (struct top *top, struct profile_error *err)
{
  struct report_options options
    = { .demangle = true, .filter = top->filter, .wrappers = top->wrappers };
  struct top_table tables[TOP_TABLES] = { 0 };
  struct heap_report report;
  double read_s = monotonic_time_s ();
  struct heap_profile *profile = read_sources (top, err);
  if (profile == NULL)
    return false;
  /* A wrapper stays one, so that sites do not come and go.  */
  options.wrappers.known = &top->found;
  bool has_report = heap_report_make (&report, profile, &options);
  if (!has_report || !wrapper_names_add (&top->found, &report.wrappers)
      || !make_tables (tables, top, &report))
    {
      for (size_t i = 0; i < TOP_TABLES; i++)
	free_table (&tables[i]);
      if (has_report)
	heap_report_release (&report);
      heap_profile_free (profile);
      return profile_error_set_memory (err, NULL);
    }
  double seconds = top->profile != NULL ? read_s - top->read_s : 0;
  struct top_row total = { .numbers = numbers_of (&report.chosen),
			   .bytes_rate = TOP_RATE_UNKNOWN,
			   .blocks_rate = TOP_RATE_UNKNOWN };
  set_rates (&total, &top->total.numbers, seconds);
  for (size_t i = 0; i < TOP_TABLES; i++)
    set_table_rates (&tables[i], &top->tables[i], seconds);
  drop_result (top);
  top->profile = profile;
  top->report = report;
  top->total = total;
  top->read_s = read_s;
  memcpy (top->tables, tables, sizeof tables);
  return true;
}

bool
top_look_inside (struct top *top)
{
  struct top_table *table = &top->tables[TOP_CONTEXTS];
  free_table (table);
  if (top->inside == NULL)
    return true;
  bool is_done = make_contexts (table, &top->report, top->inside);
  unite_rows (table);
  return is_done;
}

void
top_release (struct top *top)
{
  drop_result (top);
  for (size_t i = 0; i < top->source_count; i++)
    top_source_release (&top->sources[i]);
  free (top->sources);
  free (top->inside);
  address_names_free (top->names);
  profile_filter_release (&top->filter);
  wrapper_options_release (&top->wrappers);
  wrapper_names_release (&top->found);
}

bool
top_is_running (const struct top *top)
{
  for (size_t i = 0; i < top->source_count; i++)
    if (top->sources[i].state == RUN_RUNNING
	|| top->sources[i].state == RUN_UNKNOWN)
      return true;
  return false;
}

/* ---- Order.  */

static double
key_of (const struct top_row *row, enum top_sort sort)
{
  switch (sort)
    {
    case TOP_SORT_BLOCKS:
      return (double) row->numbers.live_blocks;
    case TOP_SORT_RATE:
      return row->bytes_rate;
    case TOP_SORT_TOTAL:
      return (double) row->numbers.bytes;
    case TOP_SORT_ACCESSES:
      return (double) row->numbers.accesses;
    case TOP_SORT_LIVE:
    default:
      return (double) row->numbers.live_bytes;
    }
}

static int
compare_rows (const void *a, const void *b, void *data)
{
  const struct top_row *x = *(const struct top_row *const *) a;
  const struct top_row *y = *(const struct top_row *const *) b;
  const enum top_sort *sort = data;
  double key_x = key_of (x, *sort);
  double key_y = key_of (y, *sort);
  if (key_x != key_y)
    return key_x > key_y ? -1 : 1;
  return strcmp (x->name, y->name);
}

size_t
top_order (const struct top_table *table, enum top_sort sort,
	   const struct pattern_list *pattern, const struct top_row **rows)
{
  size_t count = 0;
  for (size_t i = 0; i < table->count; i++)
    if (pattern == NULL || pattern_list_matches (pattern, table->rows[i].name))
      rows[count++] = &table->rows[i];
  qsort_r (rows, count, sizeof *rows, compare_rows, &sort);
  return count;
}
