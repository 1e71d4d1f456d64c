/* Errors, warnings and notes of heapprof-gcov, and exit statuses.  All printing
   to standard error happens here.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "diagnostics.h"
#include "plain-text.h"
#include "terminal.h"
#include "text-output.h"
#include <errno.h>
#include <inttypes.h>
#include <libiberty/hashtab.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *program = "heapprof-gcov";
static bool program_has_commands = true;

static _Thread_local struct diagnostics_lines *held_lines;

void
diagnostics_start (const char *name, bool has_commands)
{
  signal (SIGXFSZ, SIG_IGN);
  program = name;
  program_has_commands = has_commands;
}

const char *
diagnostics_invocation (const char *command)
{
  static char text[100];
  if (command == NULL || !program_has_commands)
    return program;
  snprintf (text, sizeof text, "%s %s", program, command);
  return text;
}

const char *
diagnostics_manual_page (const char *command)
{
  static char text[100];
  if (command == NULL || !program_has_commands)
    return program;
  snprintf (text, sizeof text, "%s-%.*s", program, (int) strcspn (command, " "),
	    command);
  return text;
}

static int
equal_texts (const void *a, const void *b)
{
  return strcmp (a, b) == 0;
}

/* Return true if TEXT was printed before, and record it as printed.  */
static bool
was_printed (const char *text)
{
  static htab_t printed;
  if (printed == NULL)
    printed = htab_try_create (10, htab_hash_string, equal_texts, free);
  void **slot = printed != NULL ? htab_find_slot (printed, text, INSERT) : NULL;
  if (slot != NULL && *slot != NULL)
    return true;
  if (slot != NULL)
    *slot = strdup (text);
  return false;
}

static void
print_line (const char *text)
{
  if (was_printed (text))
    return;
  terminal_progress_end ();
  fprintf (stderr, "%s: ", program);
  write_text (text, stderr);
  putc ('\n', stderr);
}

/* Append a copy of TEXT.  Return false if memory is exhausted.  */
static bool
hold_line (struct diagnostics_lines *lines, const char *text)
{
  if (lines->count == lines->capacity)
    {
      size_t capacity = lines->capacity * 2 + 4;
      char **texts = realloc (lines->texts, capacity * sizeof *texts);
      if (texts == NULL)
	return false;
      lines->texts = texts;
      lines->capacity = capacity;
    }
  char *copy = strdup (text);
  if (copy != NULL)
    lines->texts[lines->count++] = copy;
  return copy != NULL;
}

void
diagnostics_print_line (const char *text)
{
  if (held_lines == NULL)
    print_line (text);
  else
    hold_line (held_lines, text);
}

/* Print or hold back one line: KIND followed by the formatted text.  */
static void
put_line (const char *kind, const char *format, va_list arguments)
{
  char text[2000];
  size_t n = strlen (kind);
  memcpy (text, kind, n);
  int bytes = vsnprintf (text + n, sizeof text - n, format, arguments);
  plain_text_fit (text, sizeof text, bytes >= (int) (sizeof text - n));
  diagnostics_print_line (text);
}

struct diagnostics_lines *
diagnostics_hold (struct diagnostics_lines *lines)
{
  struct diagnostics_lines *last = held_lines;
  held_lines = lines;
  return last;
}

void
diagnostics_print_lines (const struct diagnostics_lines *lines)
{
  for (size_t i = 0; i < lines->count; i++)
    diagnostics_print_line (lines->texts[i]);
}

void
diagnostics_lines_free (struct diagnostics_lines *lines)
{
  for (size_t i = 0; i < lines->count; i++)
    free (lines->texts[i]);
  free (lines->texts);
  *lines = (struct diagnostics_lines){ 0 };
}

void
diagnostics_error (const struct profile_error *err)
{
  terminal_progress_end ();
  fprintf (stderr, "%s: ", program);
  if (err->path != NULL)
    {
      write_text (err->path, stderr);
      fputs (": ", stderr);
    }
  if (err->offset != PROFILE_ERROR_NO_OFFSET)
    fprintf (stderr, "offset 0x%" PRIx64 ": ", err->offset);
  write_text (err->cause, stderr);
  putc ('\n', stderr);
}

void
diagnostics_left_out (const struct profile_error *err)
{
  if (err->offset != PROFILE_ERROR_NO_OFFSET)
    diagnostics_warning ("%s: offset 0x%" PRIx64 ": %s; left out", err->path,
			 err->offset, err->cause);
  else
    diagnostics_warning ("%s: %s; left out", err->path, err->cause);
}

enum exit_status
diagnostics_memory (void)
{
  struct profile_error err;
  profile_error_set_memory (&err, NULL);
  diagnostics_error (&err);
  return STATUS_FAILED;
}

void
diagnostics_warning (const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  put_line ("warning: ", format, arguments);
  va_end (arguments);
}

void
diagnostics_note (const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  put_line ("note: ", format, arguments);
  va_end (arguments);
}

void
diagnostics_point_to_help (const char *command)
{
  if (held_lines == NULL)
    fprintf (stderr, "Try '%s --help' for more information.\n",
	     diagnostics_invocation (command));
}

enum exit_status
diagnostics_usage (const char *command, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  put_line ("", format, arguments);
  va_end (arguments);
  diagnostics_point_to_help (command);
  return STATUS_USAGE;
}

bool
diagnostics_close_stdout (void)
{
  struct profile_error err;
  errno = 0;
  bool was_lost = ferror (stdout) != 0;
  if (fflush (stdout) == 0 && !was_lost)
    return true;
  /* Who leaves the pager does not want the rest.  */
  if (terminal_is_paged ())
    return true;
  profile_error_set_errno (&err, "standard output", "cannot write",
			   errno != 0 ? errno : EIO);
  diagnostics_error (&err);
  return false;
}
