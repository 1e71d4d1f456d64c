/* Each thread's share of the heap, for `show'.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "show-single-threads.h"
#include "heap-json.h"
#include "heap-threads.h"
#include "show-numbers.h"
#include "table.h"
#include "terminal.h"
#include <inttypes.h>
#include <stdlib.h>

static const struct heap_details *
details_of (const struct heap_report *report)
{
  return heap_profile_read_details (report->profile);
}

/* ---- Text.  */

static const struct table_column columns[]
  = { { "bytes", false }, { "blocks", false },	    { "live", false },
      { "most", false },  { "at the peak", false }, { "ID", false },
      { "thread", true } };

/* What to sort threads by.  */
static uint64_t
sort_key (const struct heap_thread *thread, enum report_sort sort)
{
  switch (sort)
    {
    case SORT_COUNT:
      return thread->alloc_count;
    case SORT_LIVE:
      return thread->live_bytes;
    case SORT_PEAK:
      return thread->peak_bytes;
    default:
      return thread->alloc_bytes;
    }
}

struct row
{
  const struct heap_thread *thread;
  uint64_t key;
  uint32_t number;
};

static int
compare_rows (const void *a, const void *b)
{
  const struct row *x = a;
  const struct row *y = b;
  if (x->key != y->key)
    return x->key > y->key ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

static bool
add_numbers (struct table *table, const struct heap_thread *thread)
{
  char text[NUMBER_TEXT_BYTES];
  return table_add (table, bytes_text (text, (double) thread->alloc_bytes))
	 && table_add (table, number_text (text, thread->alloc_count))
	 && table_add (table, bytes_text (text, (double) thread->live_bytes))
	 && table_add (table, thread->threads == 1
				? bytes_text (text, (double) thread->most_bytes)
				: "-")
	 && table_add (table, bytes_text (text, (double) thread->peak_bytes));
}

static bool
add_thread (struct table *table, const struct heap_thread *thread)
{
  char id[24];
  snprintf (id, sizeof id, "%" PRIu64, thread->tid);
  return add_numbers (table, thread) && table_add (table, id)
	 && table_add (table, thread->name);
}

/* Add a row for THREADS threads that have no rows.  */
static bool
add_others (struct table *table, const struct heap_thread *thread)
{
  char name[60];
  snprintf (name, sizeof name, "(%" PRIu64 " more)", thread->threads);
  return thread->threads == 0
	 || (add_numbers (table, thread) && table_add (table, "-")
	     && table_add (table, name));
}

/* Fill TABLE from the COUNT ROWS.  */
static bool
add_rows (struct table *table, const struct heap_report *report,
	  const struct row *rows, uint32_t count)
{
  const struct heap_thread *others
    = heap_details_other_threads (details_of (report));
  struct heap_thread rest = { 0 };
  size_t top = report->options.top;
  bool is_done = true;
  if (others != NULL)
    heap_thread_add (&rest, others);
  for (uint32_t i = 0; i < count && is_done; i++)
    if (top == 0 || i < top)
      is_done = add_thread (table, rows[i].thread);
    else
      heap_thread_add (&rest, rows[i].thread);
  return is_done && add_others (table, &rest);
}

bool
show_single_threads_text (const struct heap_report *report)
{
  const struct heap_details *details = details_of (report);
  uint32_t count = heap_details_thread_count (details);
  if (count == 0)
    {
      puts ("The profile does not tell threads apart.");
      return true;
    }
  struct row *rows = calloc (count, sizeof *rows);
  struct table *table = table_new (columns, sizeof columns / sizeof *columns);
  for (uint32_t i = 0; i < count && rows != NULL; i++)
    {
      const struct heap_thread *thread = heap_details_thread_at (details, i);
      rows[i]
	= (struct row){ thread, sort_key (thread, report->options.sort), i };
    }
  bool is_done = rows != NULL && table != NULL;
  if (is_done)
    {
      qsort (rows, count, sizeof *rows, compare_rows);
      is_done = add_rows (table, report, rows, count);
    }
  if (is_done)
    {
      printf ("%sThreads, with the blocks that they allocated%s\n\n",
	      terminal_colour (TERMINAL_BOLD),
	      terminal_colour (TERMINAL_PLAIN));
      table_print (table);
    }
  free (rows);
  table_free (table);
  return is_done;
}

/* ---- JSON.  */

static json_t *
thread_json (const struct heap_thread *thread)
{
  json_t *object = json_object ();
  if (object != NULL && json_set_number (object, "threads", thread->threads)
      && (thread->threads != 1
	  || (json_set_number (object, "tid", thread->tid)
	      && json_object_set_new (object, "name", json_text (thread->name))
		   == 0))
      && json_set_number (object, "start_ns", thread->start_ns)
      && json_set_number (object, "end_ns", thread->end_ns)
      && json_set_number (object, "blocks", thread->alloc_count)
      && json_set_number (object, "bytes", thread->alloc_bytes)
      && json_set_number (object, "live_blocks", thread->live_count)
      && json_set_number (object, "live_bytes", thread->live_bytes)
      && json_set_number (object, "peak_blocks", thread->peak_count)
      && json_set_number (object, "peak_bytes", thread->peak_bytes)
      && json_set_number (object, "most_bytes", thread->most_bytes))
    return object;
  json_decref (object);
  return NULL;
}

bool
show_single_threads_json (const struct heap_report *report, FILE *out)
{
  const struct heap_details *details = details_of (report);
  const struct heap_thread *others = heap_details_other_threads (details);
  uint32_t count = heap_details_thread_count (details);
  if (count == 0)
    return true;
  fputs (",\n\"single_threads\":[", out);
  for (uint32_t i = 0; i < count; i++)
    if (!json_write (out, i > 0 ? ",\n" : "\n",
		     thread_json (heap_details_thread_at (details, i))))
      return false;
  if (others != NULL && !json_write (out, ",\n", thread_json (others)))
    return false;
  putc (']', out);
  return true;
}
