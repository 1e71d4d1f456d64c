/* What the terminal can show: width, colour, a progress bar.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "terminal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define PROGRESS_BAR_COLUMNS 30

/* A merge that is done sooner shows no bar.  */
#define PROGRESS_DELAY_NS 500000000

static enum { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } colour_use;
static bool has_progress_bar;
static long long progress_begin_ns;

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
  return isatty (STDOUT_FILENO) && (no_color == NULL || *no_color == '\0')
	 && term != NULL && strcmp (term, "dumb") != 0;
}

const char *
terminal_colour (enum terminal_colour colour)
{
  static const char *const sequences[] = {
    [TERMINAL_PLAIN] = "\033[0m",   [TERMINAL_BOLD] = "\033[1m",
    [TERMINAL_RED] = "\033[31m",    [TERMINAL_YELLOW] = "\033[33m",
    [TERMINAL_BLUE] = "\033[34m",
  };
  return uses_colour () ? sequences[colour] : "";
}

size_t
terminal_width (void)
{
  struct winsize size;
  if (!isatty (STDOUT_FILENO)
      || ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
    return 0;
  return size.ws_col;
}

static long long
now_ns (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

void
terminal_progress (const char *what, size_t done, size_t total)
{
  /* Asked once: there are steps that take less time than the question.  */
  static int is_terminal = -1;
  if (is_terminal < 0)
    is_terminal = isatty (STDERR_FILENO);
  if (!is_terminal || total == 0)
    return;
  if (progress_begin_ns == 0)
    progress_begin_ns = now_ns ();
  if (now_ns () - progress_begin_ns < PROGRESS_DELAY_NS)
    return;
  int filled = (int) (done * PROGRESS_BAR_COLUMNS / total);
  fprintf (stderr, "\r[%.*s%*s] %zu of %zu %s", filled,
	   "##############################", PROGRESS_BAR_COLUMNS - filled, "",
	   done, total, what);
  fflush (stderr);
  has_progress_bar = true;
}

void
terminal_progress_end (void)
{
  if (has_progress_bar)
    fputs ("\r\033[K", stderr);
  has_progress_bar = false;
}
