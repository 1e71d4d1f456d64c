/* Pages that a running command touches in the third quarter of its CPU time.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "page-watch.h"
#include "process-tree.h"
#include <math.h>
#include <unistd.h>

/* The run is divided into this many windows, */
#define RUN_WINDOWS 8
/* of which this many are measured, from the middle on.  */
#define WINDOWS 2

#define LOOKS 800
#define LEAST_PERIOD_NS 2e5
#define MOST_PERIOD_NS 5e6

void
page_watch_start (struct page_watch *watch, double cpu_ns, double shift)
{
  double window_ns = cpu_ns / RUN_WINDOWS;
  *watch = (struct page_watch){
    .next_ns = cpu_ns / 2 + (shift - 0.5) * window_ns / 2,
    .window_ns = window_ns,
    .period_ns = fmin (fmax (cpu_ns / LOOKS, LEAST_PERIOD_NS), MOST_PERIOD_NS)
  };
}

/* A window has ended: add what was touched.  */
static void
end_window (struct page_watch *watch)
{
  uint64_t bytes;
  watch->has_failed = !process_tree_referenced (&bytes);
  watch->bytes += bytes;
  watch->windows++;
}

void
page_watch_look (void *data)
{
  struct page_watch *watch = data;
  if (watch->windows == WINDOWS || watch->has_failed)
    return;
  double cpu_ns = process_tree_cpu_ns ();
  if (cpu_ns < watch->next_ns)
    return;
  /* A late look shortens the next window, but not to nothing.  */
  watch->next_ns
    = fmax (watch->next_ns + watch->window_ns, cpu_ns + watch->window_ns / 2);
  if (watch->has_started)
    end_window (watch);
  watch->has_started = true;
  if (watch->windows < WINDOWS && !process_tree_clear_references ())
    watch->has_failed = true;
}

double
page_watch_pages (const struct page_watch *watch)
{
  return watch->windows == WINDOWS && !watch->has_failed
	   ? (double) watch->bytes / WINDOWS / (double) sysconf (_SC_PAGESIZE)
	   : NAN;
}
