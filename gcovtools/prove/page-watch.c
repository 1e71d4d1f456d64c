/* Pages that a running command touches in its steady phase.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "page-watch.h"
#include "process-tree.h"
#include <math.h>
#include <unistd.h>

/* The part of the run that is watched.  */
#define WINDOW 0.25

/* The part of the time after the begin of a phase that is watched.  */
#define REMAINING 0.75

#define LOOKS 800
#define LEAST_PERIOD_NS 2e5
#define MOST_PERIOD_NS 5e6

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
  watch->outputs[0] = (struct output_search){ .file = output };
  watch->outputs[1] = (struct output_search){ .file = messages };
}

/* Return true if the command has printed TEXT.  */
static bool
has_printed (struct page_watch *watch, const char *text)
{
  return output_search_find (&watch->outputs[0], text)
	 || output_search_find (&watch->outputs[1], text);
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
