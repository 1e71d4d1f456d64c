/* What became of the limits of `--fail-if': messages, and JUnit's form of them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "limit-cases.h"
#include "diagnostics.h"
#include "output-file.h"
#include "plain-text.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Return room for one more case in CASES; NULL if memory is exhausted.  */
static struct limit_case *
make_room (struct limit_cases *cases)
{
  if (cases->count == cases->capacity)
    {
      size_t capacity = cases->capacity * 2 + 4;
      struct limit_case *list = realloc (cases->list, capacity * sizeof *list);
      if (list == NULL)
	return NULL;
      cases->list = list;
      cases->capacity = capacity;
    }
  return &cases->list[cases->count];
}

bool
limit_cases_add (struct limit_cases *cases, const char *subject,
		 const char *limit, bool is_within, const char *format, ...)
{
  struct limit_case *added = make_room (cases);
  va_list arguments;
  char *message;
  va_start (arguments, format);
  bool is_done = added != NULL && vasprintf (&message, format, arguments) >= 0;
  va_end (arguments);
  if (!is_done)
    {
      diagnostics_memory ();
      return false;
    }
  *added = (struct limit_case){ subject, limit, message, is_within };
  cases->count++;
  return true;
}

void
limit_cases_release (struct limit_cases *cases)
{
  for (size_t i = 0; i < cases->count; i++)
    free (cases->list[i].message);
  free (cases->list);
}

bool
limit_cases_report (const struct limit_cases *cases)
{
  bool is_within = true;
  for (size_t i = 0; i < cases->count; i++)
    if (!cases->list[i].is_within)
      {
	struct profile_error err;
	profile_error_set (&err, cases->list[i].subject,
			   PROFILE_ERROR_NO_OFFSET, "%s",
			   cases->list[i].message);
	diagnostics_error (&err);
	is_within = false;
      }
  return is_within;
}

/* ---- JUnit.  */

/* Write BEFORE, and TEXT as a value in quotation marks.  */
static void
write_value (const char *before, const char *text, FILE *out)
{
  static const char *const entities[256]
    = { ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;" };
  size_t n = strlen (text);
  fputs (before, out);
  putc ('"', out);
  for (size_t i = 0; i < n;)
    {
      char character[PLAIN_TEXT_CHARACTER_BYTES];
      const char *entity = entities[(unsigned char) text[i]];
      i += plain_text_character (text + i, n - i, "", character);
      fputs (entity != NULL ? entity : character, out);
    }
  putc ('"', out);
}

static void
write_case (const struct limit_case *item, FILE *out)
{
  write_value ("<testcase classname=", item->subject, out);
  write_value (" name=", item->limit, out);
  fputs (" time=\"0\">", out);
  if (item->is_within)
    fputs ("</testcase>\n", out);
  else
    {
      write_value ("\n<failure type=\"limit\" message=", item->message, out);
      fputs ("/>\n</testcase>\n", out);
    }
}

static void
write_cases (const struct limit_cases *cases, const char *command, FILE *out)
{
  size_t failures = 0;
  for (size_t i = 0; i < cases->count; i++)
    failures += !cases->list[i].is_within;
  fputs ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
  for (int level = 0; level < 2; level++)
    {
      write_value (level == 0 ? "<testsuites name=" : "<testsuite name=",
		   command, out);
      fprintf (out, " tests=\"%zu\" failures=\"%zu\" errors=\"0\"%s>\n",
	       cases->count, failures, level == 0 ? "" : " skipped=\"0\"");
    }
  for (size_t i = 0; i < cases->count; i++)
    write_case (&cases->list[i], out);
  fputs ("</testsuite>\n</testsuites>\n", out);
}

bool
limit_cases_write (const struct limit_cases *cases, const char *command,
		   const char *path)
{
  struct profile_error err;
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream (&text, &size);
  if (out != NULL)
    write_cases (cases, command, out);
  bool is_done = out != NULL && fclose (out) == 0;
  if (!is_done)
    profile_error_set_memory (&err, path);
  is_done = is_done && output_file_write (path, text, size, &err);
  if (!is_done)
    diagnostics_error (&err);
  free (text);
  return is_done;
}
