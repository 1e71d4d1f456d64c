/* The one place where heapprof-gcov prints errors, warnings and notes, and the
   exit statuses.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_DIAGNOSTICS_H
#define HEAPPROF_DIAGNOSTICS_H

#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

enum exit_status
{
  STATUS_DONE = 0,
  STATUS_FAILED = 1, /* an input or an output is at fault */
  STATUS_USAGE = 2   /* the command line is */
};

/* Call this first.  The program is called NAME, and HAS_COMMANDS says whether
   it has sub-commands.  A write beyond the limit of a file's size fails from
   now on; the signal would end the program without a message.  */
void diagnostics_start (const char *name, bool has_commands);

/* What the user types for the sub-command COMMAND (NULL: none), valid until the
   next call.  */
const char *diagnostics_invocation (const char *command);

/* The manual page of the sub-command COMMAND (NULL: of the program), without
   its section, valid until the next call.  Sub-commands of sub-commands are in
   the page of the latter.  */
const char *diagnostics_manual_page (const char *command);

/* Print *ERR as one line: file, offset, cause.  */
void diagnostics_error (const struct profile_error *err);

/* Print *ERR as a warning: the file is left out.  */
void diagnostics_left_out (const struct profile_error *err);

/* Print that memory is exhausted.  Return STATUS_FAILED.  */
enum exit_status diagnostics_memory (void);

/* Print a line; FORMAT as for printf, without newline.  The same line is
   printed only once.  */
void diagnostics_warning (const char *format, ...)
  __attribute__ ((format (printf, 1, 2)));
void diagnostics_note (const char *format, ...)
  __attribute__ ((format (printf, 1, 2)));

/* Print where to read more about the use of the sub-command COMMAND.  */
void diagnostics_point_to_help (const char *command);

/* Print a line about the use of the sub-command COMMAND (NULL: none) and where
   to read more.  Return STATUS_USAGE.  */
enum exit_status diagnostics_usage (const char *command, const char *format,
				    ...)
  __attribute__ ((format (printf, 2, 3)));

/* Warnings and notes that are held back.  All zeros: none.  */
struct diagnostics_lines
{
  char **texts; /* malloced, as is each */
  size_t count;
  size_t capacity;
};

/* From now on, add this thread's warnings and notes to *LINES instead of
   printing them; NULL: print them again.  Return what was given last.  */
struct diagnostics_lines *diagnostics_hold (struct diagnostics_lines *lines);

/* Print LINES, or TEXT, a line, as if they came now.  */
void diagnostics_print_lines (const struct diagnostics_lines *lines);
void diagnostics_print_line (const char *text);

void diagnostics_lines_free (struct diagnostics_lines *lines);

/* Flush standard output.  False, and an error is printed, if anything written
   to it was lost.  */
bool diagnostics_close_stdout (void);

#endif /* HEAPPROF_DIAGNOSTICS_H */
