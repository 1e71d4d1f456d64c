/* Pages that a running command touches in its steady phase.
   SPDX-License-Identifier: GPL-3.0-or-later

   The phase is between two texts in the output, or the quarter after the
   middle: before, a program fills its memory; after, it may touch all of it
   once more to release it.  CPU time, not the clock, tells
   how far it is, so that other work on the machine makes little difference.
   The quarter moves at random from run to run, so that the values show how much
   depends on where it is.  */

#ifndef HEAPPROF_PAGE_WATCH_H
#define HEAPPROF_PAGE_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The phase between two texts in the output.  */
struct page_phase
{
  const char *begin; /* NULL: the quarter after the middle */
  const char *end;   /* NULL: three quarters of the time that remains */
};

/* A file that the command writes, and the part that has been searched.  */
struct watched_output
{
  int file;
  off_t at; /* where the rest starts */
};

struct page_watch
{
  const struct page_phase *phase;
  struct watched_output outputs[2]; /* standard output and error */
  double cpu_ns;		    /* of the run */
  double start_ns;		    /* CPU time at the start of the phase */
  double end_ns;
  double period_ns;
  bool has_started;
  bool has_ended;
  bool has_failed;
  uint64_t bytes;
};

/* Prepare for a command that uses about CPU_NS and has PHASE.  SHIFT, from 0 to
   1, moves the quarter by up to a sixteenth of the run in either direction.  */
void page_watch_start (struct page_watch *watch, const struct page_phase *phase,
		       double cpu_ns, double shift);

/* Say where the command writes its standard output and error, both files
   without contents.  */
void page_watch_set_outputs (struct page_watch *watch, int output,
			     int messages);

/* Call this with the struct page_watch DATA about every PERIOD_NS while the
   command, the only one of this process, runs.  */
void page_watch_look (void *data);

/* Return the number of pages after the command has ended; NAN if it is
   unknown.  */
double page_watch_pages (const struct page_watch *watch);

#endif /* HEAPPROF_PAGE_WATCH_H */
