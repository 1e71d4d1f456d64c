/* Pages that a running command touches in the third quarter of its CPU time.
   SPDX-License-Identifier: GPL-3.0-or-later

   Before, a program fills its memory; after, it may touch all of it once more
   to release it.  CPU time, not the clock, tells how far it is, so that other
   work on the machine makes no difference.  */

#ifndef HEAPPROF_PAGE_WATCH_H
#define HEAPPROF_PAGE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct page_watch
{
  double start_ns; /* CPU time when pages are marked as not referenced */
  double end_ns;   /* and when the referenced ones are counted */
  double period_ns;
  bool has_started;
  bool has_ended;
  bool has_failed;
  uint64_t bytes;
};

/* Prepare for a command that uses about CPU_NS.  */
void page_watch_start (struct page_watch *watch, double cpu_ns);

/* Call this with the struct page_watch DATA about every PERIOD_NS while the
   command, the only one of this process, runs.  */
void page_watch_look (void *data);

/* Return the number of pages after the command has ended; NAN if it is
   unknown.  */
double page_watch_pages (const struct page_watch *watch);

#endif /* HEAPPROF_PAGE_WATCH_H */
