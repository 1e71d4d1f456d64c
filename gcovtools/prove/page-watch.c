/* Pages that a running command touches in its steady phase.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "page-watch.h"
#include "process-tree.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

/* The part of the run that is watched.  */
#define WINDOW 0.25

/* The part of the time after the begin of a phase that is watched.  */
#define REMAINING 0.75

#define LOOKS 800
#define LEAST_PERIOD_NS 2e5
#define MOST_PERIOD_NS 5e6

#define PIECE_BYTES 65536

void
page_watch_start (struct page_watch *watch, const struct page_phase *phase,
		  double cpu_ns, double shift)
{
  double start = 0.5 + (shift - 0.5) * WINDOW / 2;
  *watch
    = (struct page_watch){ .phase = phase,
			   .cpu_ns = cpu_ns,
			   .start_ns = cpu_ns * start,
			   .end_ns = cpu_ns * (start + WINDOW),
			   .period_ns
			   = phase->begin != NULL
			       ? LEAST_PERIOD_NS
			       : fmin (fmax (cpu_ns / LOOKS, LEAST_PERIOD_NS),
				       MOST_PERIOD_NS) };
}

void
page_watch_set_outputs (struct page_watch *watch, int output, int messages)
{
  watch->outputs[0] = (struct watched_output){ .file = output };
  watch->outputs[1] = (struct watched_output){ .file = messages };
}

/* Search for TEXT, which is not empty, in what OUTPUT's file has by now.  If it
   is there, the rest starts after it.  */
static bool
find_text (struct watched_output *output, const char *text)
{
  const size_t length = strlen (text);
  char piece[PIECE_BYTES];
  ssize_t count;
  while ((count = pread (output->file, piece, sizeof piece, output->at))
	 >= (ssize_t) length)
    {
      const char *found = memmem (piece, (size_t) count, text, length);
      if (found != NULL)
	{
	  output->at += found - piece + (off_t) length;
	  return true;
	}
      /* The start of TEXT may be at the end.  */
      output->at += count - (off_t) length + 1;
    }
  return false;
}

/* Return true if the command has printed TEXT.  */
static bool
has_printed (struct page_watch *watch, const char *text)
{
  return find_text (&watch->outputs[0], text)
	 || find_text (&watch->outputs[1], text);
}

/* Return true if the phase has started, or if it has ended.  */

static bool
is_at_start (struct page_watch *watch)
{
  if (watch->phase->begin == NULL)
    return process_tree_cpu_ns () >= watch->start_ns;
  if (!has_printed (watch, watch->phase->begin))
    return false;
  const double used_ns = process_tree_cpu_ns ();
  watch->end_ns = used_ns + (watch->cpu_ns - used_ns) * REMAINING;
  return true;
}

static bool
is_at_end (struct page_watch *watch)
{
  return watch->phase->end != NULL ? has_printed (watch, watch->phase->end)
				   : process_tree_cpu_ns () >= watch->end_ns;
}

void
page_watch_look (void *data)
{
  struct page_watch *watch = data;
  if (watch->has_ended || watch->has_failed)
    return;
  if (!watch->has_started)
    {
      watch->has_started = is_at_start (watch);
      watch->has_failed
	= watch->has_started && !process_tree_clear_references ();
    }
  else if (is_at_end (watch))
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
