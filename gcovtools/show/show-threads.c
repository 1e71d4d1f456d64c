/* Allocations by thread.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "show-threads.h"
#include "frame-text.h"
#include "heap-json.h"
#include "show-numbers.h"
#include "terminal.h"
#include <stdlib.h>
#include <string.h>

bool
show_threads_make (struct show_threads *threads,
		   const struct heap_report *report, bool with_parameters)
{
  const struct heap_profile *profile = report->profile;
  struct thread_starts *starts = &threads->starts;
  threads->names = NULL;
  if (!thread_starts_make (starts, profile))
    return false;
  threads->names = calloc (starts->count, sizeof *threads->names);
  if (threads->names == NULL)
    return false;
  for (uint32_t i = THREAD_MAIN; i < starts->count; i++)
    {
      const struct heap_frame *frame
	= heap_profile_frame (profile, starts->frames[i]);
      threads->names[i] = i == THREAD_MAIN
			    ? strdup (thread_starts_name (starts, i))
			    : frame_name_text (report, frame, with_parameters);
      if (threads->names[i] == NULL)
	return false;
    }
  threads->names[THREAD_UNKNOWN] = "";
  return true;
}

void
show_threads_release (struct show_threads *threads)
{
  if (threads->names != NULL)
    for (uint32_t i = THREAD_MAIN; i < threads->starts.count; i++)
      free (threads->names[i]);
  free (threads->names);
  thread_starts_release (&threads->starts);
}

/* Sum of a thread's allocations.  */
struct thread_sum
{
  uint32_t thread;
  size_t contexts;
  struct memory_info info;
  double sort_key;
};

struct thread_sums
{
  struct thread_sum *sums; /* of threads with contexts; malloced */
  size_t count;
};

/* Larger keys first; unknown threads last.  */
static int
compare_sums (const void *a, const void *b)
{
  const struct thread_sum *x = a;
  const struct thread_sum *y = b;
  bool is_known = x->thread != THREAD_UNKNOWN;
  if (is_known != (y->thread != THREAD_UNKNOWN))
    return is_known ? -1 : 1;
  if (x->sort_key != y->sort_key)
    return x->sort_key > y->sort_key ? -1 : 1;
  return x->thread < y->thread ? -1 : x->thread > y->thread;
}

/* Add up the contexts of REPORT by thread.  Return false if memory is
   exhausted.  */
static bool
make_sums (struct thread_sums *sums, const struct thread_starts *starts,
	   const struct heap_report *report)
{
  *sums = (struct thread_sums){ .sums
				= calloc (starts->count, sizeof *sums->sums) };
  if (sums->sums == NULL)
    return false;
  for (size_t i = 0; i < report->context_count; i++)
    {
      const struct report_entry *entry = &report->contexts[i];
      struct thread_sum *sum = &sums->sums[starts->threads[entry->context]];
      memory_info_add (&sum->info, &entry->info);
      sum->contexts++;
    }
  for (uint32_t i = 0; i < starts->count; i++)
    {
      struct thread_sum *sum = &sums->sums[i];
      if (sum->contexts == 0)
	continue;
      sum->thread = i;
      sum->sort_key = report_sort_key (&sum->info, report->options.sort);
      /* The sum of blocks of many types has no type.  */
      sum->info.data_type_id = 0;
      sums->sums[sums->count++] = *sum;
    }
  qsort (sums->sums, sums->count, sizeof *sums->sums, compare_sums);
  return true;
}

/* ---- Text.  */

static const struct table_column columns[]
  = { SHOW_NUMBER_COLUMNS, { "thread", true } };

static bool
print_sums (const struct thread_sums *sums, const struct show_threads *threads,
	    const struct heap_report *report)
{
  struct table *table = table_new (columns, sizeof columns / sizeof *columns);
  bool is_done = table != NULL;
  for (size_t i = 0; i < sums->count && is_done; i++)
    {
      const struct thread_sum *sum = &sums->sums[i];
      is_done = show_numbers (table, report, &sum->info)
		&& table_add (table, sum->thread != THREAD_UNKNOWN
				       ? threads->names[sum->thread]
				       : "(unknown)");
    }
  if (is_done)
    {
      printf ("\n"
	      "%sThreads by %s, with their start functions%s\n"
	      "\n",
	      terminal_colour (TERMINAL_BOLD),
	      report_sort_name (report->options.sort),
	      terminal_colour (TERMINAL_PLAIN));
      table_print (table);
    }
  table_free (table);
  return is_done;
}

bool
show_threads_text (const struct heap_report *report)
{
  struct show_threads threads;
  struct thread_sums sums = { NULL, 0 };
  bool is_done = show_threads_make (&threads, report, false)
		 && make_sums (&sums, &threads.starts, report);
  bool has_others = false;
  for (size_t i = 0; i < sums.count; i++)
    has_others = has_others || sums.sums[i].thread > THREAD_MAIN;
  if (is_done && has_others)
    is_done = print_sums (&sums, &threads, report);
  free (sums.sums);
  show_threads_release (&threads);
  return is_done;
}

/* ---- JSON.  */

static json_t *
thread_json (const struct thread_sum *sum, const struct show_threads *threads,
	     const struct heap_known *known)
{
  json_t *object = json_object ();
  if (object != NULL
      && json_set_text (object, "function", threads->names[sum->thread])
      && json_set_text (object, "linkage_name",
			thread_starts_name (&threads->starts, sum->thread))
      && json_set_number (object, "contexts", sum->contexts)
      && json_object_set_new (object, "info",
			      heap_json_info (&sum->info, known))
	   == 0)
    return object;
  json_decref (object);
  return NULL;
}

bool
show_threads_json (const struct show_threads *threads,
		   const struct heap_report *report, FILE *out)
{
  struct thread_sums sums;
  if (!make_sums (&sums, &threads->starts, report))
    return false;
  bool has_known = sums.count > 0 && sums.sums[0].thread != THREAD_UNKNOWN;
  bool is_done = true;
  for (size_t i = 0; i < sums.count && has_known && is_done; i++)
    is_done = json_write (out, i == 0 ? ",\n\"threads\":[\n" : ",\n",
			  thread_json (&sums.sums[i], threads, &report->known));
  if (has_known && is_done)
    fputs ("\n]", out);
  free (sums.sums);
  return is_done;
}
