/* Pages that a running command touches in a quarter of its CPU time.
   SPDX-License-Identifier: GPL-3.0-or-later

   The quarter after the middle: before, a program fills its memory; after, it
   may touch all of it once more to release it.  CPU time, not the clock, tells
   how far it is, so that other work on the machine makes little difference.
   The quarter moves at random from run to run, so that the values show how much
   depends on where it is.  */

#ifndef HEAPPROF_PAGE_WATCH_H
#define HEAPPROF_PAGE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct page_watch
{
  double start_ns; /* CPU time at the start of the quarter */
  double end_ns;
  double period_ns;
  bool has_started;
  bool has_ended;
  bool has_failed;
  uint64_t bytes;
};

/* Prepare for a command that uses about CPU_NS.  SHIFT, from 0 to 1, moves the
   quarter by up to a sixteenth of the run in either direction.  */
void page_watch_start (struct page_watch *watch, double cpu_ns, double shift);

/* Call this with the struct page_watch DATA about every PERIOD_NS while the
   command, the only one of this process, runs.  */
void page_watch_look (void *data);

/* Return the number of pages after the command has ended; NAN if it is
   unknown.  */
double page_watch_pages (const struct page_watch *watch);

#endif /* HEAPPROF_PAGE_WATCH_H */
