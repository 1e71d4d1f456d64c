/* The tables of `top' as plain text.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "top-view.h"
#include "diagnostics.h"
#include "frame-text.h"
#include "monotonic-time.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *const top_cell_titles[TOP_CELLS]
  = { "live", "blocks", "bytes/s", "blocks/s", "total", "accesses" };

void
top_cells (const struct top_row *row, char cells[TOP_CELLS][NUMBER_TEXT_BYTES])
{
  const struct top_numbers *numbers = &row->numbers;
  bytes_text (cells[TOP_CELL_LIVE], (double) numbers->live_bytes);
  number_text (cells[TOP_CELL_BLOCKS], numbers->live_blocks);
  bytes_text (cells[TOP_CELL_TOTAL], (double) numbers->bytes);
  strcpy (cells[TOP_CELL_RATE], "-");
  strcpy (cells[TOP_CELL_BLOCK_RATE], "-");
  strcpy (cells[TOP_CELL_ACCESSES], "-");
  if (row->bytes_rate >= 0)
    bytes_text (cells[TOP_CELL_RATE], row->bytes_rate);
  if (row->blocks_rate >= 0)
    number_text (cells[TOP_CELL_BLOCK_RATE],
		 (uint64_t) round (row->blocks_rate));
  if (numbers->accesses > 0)
    number_text (cells[TOP_CELL_ACCESSES], numbers->accesses);
}

/* Say how far the sums of SOURCE, from samples, may be off.  */
static void
samples_text (const struct top_source *source, char *text, size_t bytes)
{
  char rate[NUMBER_TEXT_BYTES];
  char total[NUMBER_TEXT_BYTES];
  char margin[NUMBER_TEXT_BYTES];
  char blocks[NUMBER_TEXT_BYTES];
  char blocks_margin[NUMBER_TEXT_BYTES];
  snprintf (text, bytes,
	    ", samples each %s: total %s ± %s in %s ± %s blocks at 95%%",
	    bytes_text (rate, (double) source->sample_bytes),
	    bytes_text (total, (double) source->numbers.bytes),
	    bytes_text (margin, source->bytes_margin),
	    number_text (blocks, source->numbers.blocks),
	    number_text (blocks_margin,
			 (uint64_t) ceil (source->blocks_margin)));
}

void
top_source_text (const struct top_source *source, char *text, size_t bytes)
{
  static const char *const states[] = { [RUN_COMPLETE] = "ended",
					[RUN_KILLED] = "killed",
					[RUN_RUNNING] = "running",
					[RUN_UNKNOWN] = "maybe running" };
  char live[NUMBER_TEXT_BYTES];
  char blocks[NUMBER_TEXT_BYTES];
  char peak[NUMBER_TEXT_BYTES];
  char seconds[NUMBER_TEXT_BYTES];
  char lost[NUMBER_TEXT_BYTES];
  char samples[5 * NUMBER_TEXT_BYTES] = "";
  if (source->sample_bytes > 0)
    samples_text (source, samples, sizeof samples);
  snprintf (text, bytes, "%s: %s%s%s, live %s in %s blocks, peak %s%s%s%s",
	    source->name, states[source->state], source->seconds > 0 ? " " : "",
	    source->seconds > 0 ? time_text (seconds, source->seconds * 1e9)
				: "",
	    bytes_text (live, (double) source->numbers.live_bytes),
	    number_text (blocks, source->numbers.live_blocks),
	    bytes_text (peak, (double) source->peak_bytes),
	    source->has_leaks ? ", lost " : "",
	    source->has_leaks ? bytes_text (lost, (double) source->lost_bytes)
			      : "",
	    samples);
}

double
top_pause_s (double delay_s, double used_s)
{
  return fmax (delay_s, 4 * used_s);
}

/* Print the processes of TOP.  */
static void
print_sources (const struct top *top)
{
  for (size_t i = 0; i < top->source_count; i++)
    {
      char text[NAME_MAX + 300];
      top_source_text (&top->sources[i], text, sizeof text);
      puts (text);
    }
}

/* Print the COUNT ROWS.  Return false if memory is exhausted.  */
static bool
print_rows (const struct top_row **rows, size_t count, const char *title)
{
  struct table_column columns[TOP_CELLS + 1];
  for (size_t i = 0; i < TOP_CELLS; i++)
    columns[i] = (struct table_column){ top_cell_titles[i], false };
  columns[TOP_CELLS] = (struct table_column){ title, true };
  struct table *table = table_new (columns, TOP_CELLS + 1);
  bool is_done = table != NULL;
  for (size_t i = 0; is_done && i < count; i++)
    {
      char cells[TOP_CELLS][NUMBER_TEXT_BYTES];
      top_cells (rows[i], cells);
      for (size_t j = 0; is_done && j < TOP_CELLS; j++)
	is_done = table_add (table, cells[j]);
      is_done = is_done && table_add (table, rows[i]->name);
    }
  if (is_done)
    table_print (table);
  table_free (table);
  return is_done;
}

/* Print the current tables of TOP.  Return false if memory is exhausted.  */
static bool
print_once (const struct top *top, const struct top_view *view)
{
  const struct top_table *table = &top->tables[view->by];
  const struct top_row **rows = calloc (table->count + 1, sizeof *rows);
  if (rows == NULL)
    return false;
  size_t count = top_order (table, view->sort, NULL, rows);
  size_t shown = view->rows > 0 && view->rows < count ? view->rows : count;
  print_sources (top);
  putchar ('\n');
  bool is_done
    = print_rows (rows, shown, top_by_names[view->by])
      && (view->by != TOP_SITES
	  || print_looked_through (&top->report, &top->report.looked_through));
  if (is_done && shown < count)
    printf ("%zu more (--top=0 shows all)\n", count - shown);
  free (rows);
  return is_done;
}

static void
wait_s (double seconds)
{
  const struct timespec time = monotonic_time_spec (seconds);
  nanosleep (&time, NULL);
}

bool
top_print (struct top *top, const struct top_view *view)
{
  struct profile_error err;
  double used_s = 0;
  for (size_t i = 1;; i++)
    {
      if (!print_once (top, view))
	{
	  diagnostics_memory ();
	  return false;
	}
      if (fflush (stdout) != 0 || i == view->tables
	  || (view->tables == 0 && !top_is_running (top)))
	return true;
      putchar ('\n');
      wait_s (top_pause_s (view->delay_s, used_s));
      double start_s = processor_time_s ();
      if (!top_read (top, &err))
	{
	  diagnostics_error (&err);
	  return false;
	}
      used_s = processor_time_s () - start_s;
    }
}
