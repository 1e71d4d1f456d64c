/* The one place where heapprof-gcov prints errors, warnings and notes, and the
   exit statuses.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "diagnostics.h"
#include "terminal.h"
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Print TEXT, which may come from a profile, without what would act on a
   terminal.  */
static void
print_safely (const char *text)
{
  for (; *text != '\0'; text++)
    {
      unsigned char c = (unsigned char) *text;
      putc (c < ' ' || c == 127 ? '?' : c, stderr);
    }
}

static void
print_line (const char *kind, const char *format, va_list arguments)
{
  char text[2000];
  vsnprintf (text, sizeof text, format, arguments);
  terminal_progress_end ();
  fprintf (stderr, "%s: %s", PROGRAM_NAME, kind);
  print_safely (text);
  putc ('\n', stderr);
}

void
diagnostics_error (const struct profile_error *err)
{
  terminal_progress_end ();
  fprintf (stderr, "%s: ", PROGRAM_NAME);
  if (err->path != NULL)
    {
      print_safely (err->path);
      fputs (": ", stderr);
    }
  if (err->offset != PROFILE_ERROR_NO_OFFSET)
    fprintf (stderr, "offset 0x%" PRIx64 ": ", err->offset);
  print_safely (err->cause);
  putc ('\n', stderr);
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
  print_line ("warning: ", format, arguments);
  va_end (arguments);
}

void
diagnostics_note (const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  print_line ("note: ", format, arguments);
  va_end (arguments);
}

enum exit_status
diagnostics_usage (const char *command, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  print_line ("", format, arguments);
  va_end (arguments);
  fprintf (stderr, "Try '%s%s%s --help' for more information.\n",
	   PROGRAM_NAME, command != NULL ? " " : "",
	   command != NULL ? command : "");
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
  profile_error_set_errno (&err, "standard output", "cannot write",
			   errno != 0 ? errno : EIO);
  diagnostics_error (&err);
  return false;
}
