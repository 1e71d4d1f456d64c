/* Pages that a running command touches in the third quarter of its CPU time.
   SPDX-License-Identifier: GPL-3.0-or-later

   Before, a program fills its memory; after, it may touch all of it once more
   to release it.  CPU time, not the clock, tells how far it is, so that other
   work on the machine makes no difference.  The quarter is divided into
   windows, whose mean depends less on where exactly it starts than its total.
 */

#ifndef HEAPPROF_PAGE_WATCH_H
#define HEAPPROF_PAGE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct page_watch
{
  double next_ns;   /* CPU time when the next window starts or ends */
  double window_ns; /* length of a window */
  double period_ns;
  unsigned windows; /* that have ended */
  bool has_started;
  bool has_failed;
  uint64_t bytes; /* touched in the windows, added up */
};

/* Prepare for a command that uses about CPU_NS.  SHIFT, from 0 to 1, moves the
   windows by up to a quarter of one in either direction.  */
void page_watch_start (struct page_watch *watch, double cpu_ns, double shift);

/* Call this with the struct page_watch DATA about every PERIOD_NS while the
   command, the only one of this process, runs.  */
void page_watch_look (void *data);

/* Return the mean number of pages touched in a window, after the command has
   ended; NAN if it is unknown.  */
double page_watch_pages (const struct page_watch *watch);

#endif /* HEAPPROF_PAGE_WATCH_H */
