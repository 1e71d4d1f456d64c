/* Terminal features: width, colour, a progress bar.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "terminal.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define PROGRESS_BAR_COLUMNS 30

/* Shorter work shows no bar.  */
#define PROGRESS_DELAY_S 1

/* Time between two updates.  */
#define PROGRESS_PAUSE_NS 100000000

static enum { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } colour_use;

static bool is_paged;
static size_t paged_width;

bool
terminal_set_colour (const char *when)
{
  if (strcmp (when, "auto") == 0)
    colour_use = COLOUR_AUTO;
  else if (strcmp (when, "always") == 0)
    colour_use = COLOUR_ALWAYS;
  else if (strcmp (when, "never") == 0)
    colour_use = COLOUR_NEVER;
  else
    return false;
  return true;
}

static bool
uses_colour (void)
{
  if (colour_use != COLOUR_AUTO)
    return colour_use == COLOUR_ALWAYS;
  const char *no_color = getenv ("NO_COLOR");
  const char *term = getenv ("TERM");
  return (is_paged || isatty (STDOUT_FILENO))
	 && (no_color == NULL || *no_color == '\0') && term != NULL
	 && strcmp (term, "dumb") != 0;
}

const char *
terminal_colour (enum terminal_colour colour)
{
  static const char *const sequences[] = {
    [TERMINAL_PLAIN] = "\033[0m", [TERMINAL_BOLD] = "\033[1m",
    [TERMINAL_RED] = "\033[31m",  [TERMINAL_YELLOW] = "\033[33m",
    [TERMINAL_BLUE] = "\033[34m",
  };
  return uses_colour () ? sequences[colour] : "";
}

void
terminal_set_paged (void)
{
  paged_width = terminal_width ();
  is_paged = true;
}

bool
terminal_is_paged (void)
{
  return is_paged;
}

size_t
terminal_width (void)
{
  struct winsize size;
  if (is_paged)
    return paged_width;
  if (!isatty (STDOUT_FILENO) || ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
    return 0;
  return size.ws_col;
}

/* ---- The progress bar.

   A separate thread draws it, since the work may report nothing for seconds,
   for example while it opens a large file.  */

static struct
{
  pthread_mutex_t lock; /* guards the members below */
  pthread_cond_t has_work;
  const char *what;
  size_t done;
  size_t total; /* 0: nothing to draw */
  bool is_drawn;
} progress
  = { .lock = PTHREAD_MUTEX_INITIALIZER, .has_work = PTHREAD_COND_INITIALIZER };

/* Draw the bar.  The caller holds the lock.  */
static void
draw_progress (void)
{
  size_t done = progress.done < progress.total ? progress.done : progress.total;
  int filled = (int) (done * PROGRESS_BAR_COLUMNS / progress.total);
  fprintf (stderr, "\r[%.*s%*s] %zu of %zu %s\033[K", filled,
	   "##############################", PROGRESS_BAR_COLUMNS - filled, "",
	   done, progress.total, progress.what);
  fflush (stderr);
  progress.is_drawn = true;
}

static void *
draw_progress_again (void *unused)
{
  const struct timespec delay = { .tv_sec = PROGRESS_DELAY_S };
  const struct timespec pause = { .tv_nsec = PROGRESS_PAUSE_NS };
  nanosleep (&delay, NULL);
  for (;;)
    {
      pthread_mutex_lock (&progress.lock);
      while (progress.total == 0)
	pthread_cond_wait (&progress.has_work, &progress.lock);
      draw_progress ();
      pthread_mutex_unlock (&progress.lock);
      nanosleep (&pause, NULL);
    }
  return unused;
}

/* True if standard error is a terminal and the drawing thread runs.  Determined
   once: some steps take less time than the check.  */
static bool can_draw;

static void
begin_progress (void)
{
  pthread_t thread;
  if (!isatty (STDERR_FILENO)
      || pthread_create (&thread, NULL, draw_progress_again, NULL) != 0)
    return;
  pthread_detach (thread);
  can_draw = true;
}

void
terminal_progress (const char *what, size_t done, size_t total)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once (&once, begin_progress);
  if (!can_draw)
    return;
  pthread_mutex_lock (&progress.lock);
  progress.what = what;
  progress.done = done;
  progress.total = total;
  pthread_cond_signal (&progress.has_work);
  pthread_mutex_unlock (&progress.lock);
}

void
terminal_progress_end (void)
{
  pthread_mutex_lock (&progress.lock);
  if (progress.is_drawn)
    fputs ("\r\033[K", stderr);
  progress.is_drawn = false;
  progress.total = 0;
  pthread_mutex_unlock (&progress.lock);
}
