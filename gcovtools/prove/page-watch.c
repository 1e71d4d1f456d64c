/* Pages that a running command touches in a quarter of its CPU time.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "page-watch.h"
#include "process-tree.h"
#include <math.h>
#include <unistd.h>

/* The part of the run that is watched.  */
#define WINDOW 0.25

#define LOOKS 800
#define LEAST_PERIOD_NS 2e5
#define MOST_PERIOD_NS 5e6

void
page_watch_start (struct page_watch *watch, double cpu_ns, double shift)
{
  double start = 0.5 + (shift - 0.5) * WINDOW / 2;
  *watch = (struct page_watch){
    .start_ns = cpu_ns * start,
    .end_ns = cpu_ns * (start + WINDOW),
    .period_ns = fmin (fmax (cpu_ns / LOOKS, LEAST_PERIOD_NS), MOST_PERIOD_NS)
  };
}

void
page_watch_look (void *data)
{
  struct page_watch *watch = data;
  if (watch->has_ended || watch->has_failed)
    return;
  double cpu_ns = process_tree_cpu_ns ();
  if (!watch->has_started && cpu_ns >= watch->start_ns)
    {
      watch->has_started = true;
      watch->has_failed = !process_tree_clear_references ();
    }
  else if (watch->has_started && cpu_ns >= watch->end_ns)
    {
      watch->has_ended = true;
      watch->has_failed = !process_tree_referenced (&watch->bytes);
    }
}

double
page_watch_pages (const struct page_watch *watch)
{
  return watch->has_ended && !watch->has_failed
	   ? (double) watch->bytes / (double) sysconf (_SC_PAGESIZE)
	   : NAN;
}
