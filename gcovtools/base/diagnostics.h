/* Errors, warnings and notes of heapprof-gcov, and exit statuses.  All printing
   to standard error happens here.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_DIAGNOSTICS_H
#define HEAPPROF_DIAGNOSTICS_H

#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

enum exit_status
{
  STATUS_DONE = 0,
  STATUS_FAILED = 1, /* invalid input, or output failed */
  STATUS_USAGE = 2   /* invalid command line */
};

/* Call this first.  The program is called NAME, and HAS_COMMANDS says whether
   it has sub-commands.  A write beyond the limit of a file's size fails from
   now on; the signal would end the program without a message.  */
void diagnostics_start (const char *name, bool has_commands);

/* Return what the user types to run the sub-command COMMAND (NULL: none), valid
   until the next call.  */
const char *diagnostics_invocation (const char *command);

/* Return the name of the manual page for the sub-command COMMAND (NULL: of the
   program), without section, valid until the next call.  Nested sub-commands
   are described in the page of their parent.  */
const char *diagnostics_manual_page (const char *command);

/* Print *ERR as one line: file, offset, cause.  */
void diagnostics_error (const struct profile_error *err);

/* Print *ERR as a warning that the file is skipped.  */
void diagnostics_left_out (const struct profile_error *err);

/* Print that memory is exhausted.  Return STATUS_FAILED.  */
enum exit_status diagnostics_memory (void);

/* Print a line; FORMAT as for printf, without newline.  Identical lines are
   printed only once.  */
void diagnostics_warning (const char *format, ...)
  __attribute__ ((format (printf, 1, 2)));
void diagnostics_note (const char *format, ...)
  __attribute__ ((format (printf, 1, 2)));

/* Print how to get help on the sub-command COMMAND.  */
void diagnostics_point_to_help (const char *command);

/* Print an error in the use of the sub-command COMMAND (NULL: none) and how to
   get help.  Return STATUS_USAGE.  */
enum exit_status diagnostics_usage (const char *command, const char *format,
				    ...)
  __attribute__ ((format (printf, 2, 3)));

/* Warnings and notes held back for later.  All zeros: none.  */
struct diagnostics_lines
{
  char **texts; /* malloced, each text too */
  size_t count;
  size_t capacity;
};

/* Collect this thread's warnings and notes in *LINES instead of printing them;
   NULL: print them again.  Return the previous value.  */
struct diagnostics_lines *diagnostics_hold (struct diagnostics_lines *lines);

/* Print LINES, or the line TEXT, as if reported now.  */
void diagnostics_print_lines (const struct diagnostics_lines *lines);
void diagnostics_print_line (const char *text);

void diagnostics_lines_free (struct diagnostics_lines *lines);

/* Flush standard output.  If any output was lost, print an error and return
   false.  */
bool diagnostics_close_stdout (void);

#endif /* HEAPPROF_DIAGNOSTICS_H */
