/* What the terminal can show: width, colour, a progress bar.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_TERMINAL_H
#define HEAPPROF_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

enum terminal_colour
{
  TERMINAL_PLAIN,
  TERMINAL_BOLD,
  TERMINAL_RED,
  TERMINAL_YELLOW,
  TERMINAL_BLUE
};

/* Set when colours are used from WHEN: `auto', `always' or `never'.  False if
   it is none of them.  `auto' is the default: on a terminal, unless NO_COLOR
   is set or TERM is `dumb'.  */
bool terminal_set_colour (const char *when);

/* The sequence that switches standard output to COLOUR; empty if colours are
   not used.  */
const char *terminal_colour (enum terminal_colour colour);

/* Columns of the terminal that standard output is, 0 if it is none.  */
size_t terminal_width (void);

/* Show on standard error, if that is a terminal and the work takes a second or
   more, that DONE of TOTAL steps are done; WHAT, a literal, names them. Threads
   may call it at any time.  */
void terminal_progress (const char *what, size_t done, size_t total);

/* Remove the progress bar, if there is one.  */
void terminal_progress_end (void);

#endif /* HEAPPROF_TERMINAL_H */
