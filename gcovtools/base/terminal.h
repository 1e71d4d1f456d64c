/* Terminal features: width, colour, a progress bar.
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

/* Set when to use colours: WHEN is `auto', `always' or `never'.  Return false
   for anything else.  The default `auto' uses them on a terminal unless
   NO_COLOR is set or TERM is `dumb'.  */
bool terminal_set_colour (const char *when);

/* Return the sequence that switches standard output to COLOUR, or an empty
   string if colours are not used.  */
const char *terminal_colour (enum terminal_colour colour);

/* Standard output is about to go to a pager on the terminal, which it is now.
   Colours and width remain those of the terminal.  */
void terminal_set_paged (void);

/* Return true if standard output goes to a pager.  */
bool terminal_is_paged (void);

/* Return the width of the terminal on standard output in columns, 0 if it is
   not a terminal.  */
size_t terminal_width (void);

/* Show on standard error that DONE of TOTAL steps are done, if it is a terminal
   and the work takes at least a second; WHAT, a literal, names the steps.  Any
   thread may call this at any time.  */
void terminal_progress (const char *what, size_t done, size_t total);

/* Remove the progress bar if it is shown.  */
void terminal_progress_end (void);

#endif /* HEAPPROF_TERMINAL_H */
