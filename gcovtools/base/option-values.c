/* Parsers of option values that several sub-commands share.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "option-values.h"
#include "diagnostics.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool
option_take_size (const char *command, const char *value, size_t *size)
{
  char *end;
  errno = 0;
  unsigned long number = strtoul (value, &end, 10);
  if (*value >= '0' && *value <= '9' && *end == '\0' && errno == 0)
    {
      *size = number;
      return true;
    }
  diagnostics_usage (command, "invalid number '%s'", value);
  return false;
}

bool
option_take_seconds (const char *command, const char *value, double *seconds)
{
  char *end;
  *seconds = strtod (value, &end);
  if (end != value && *end == '\0' && *seconds > 0 && *seconds < 1e9)
    return true;
  diagnostics_usage (command, "invalid number of seconds '%s'", value);
  return false;
}

bool
option_take_percent (const char *command, const char *value, double *percent)
{
  char *end;
  *percent = strtod (value, &end);
  if (end != value && *end == '\0' && *percent >= 0 && *percent <= 100)
    return true;
  diagnostics_usage (command, "invalid percentage '%s'", value);
  return false;
}

/* Add the regular expression TEXT to PATTERNS.  */
static bool
take_pattern (const char *command, const char *text,
	      struct pattern_list *patterns)
{
  char why[100];
  if (pattern_list_add (patterns, text, why, sizeof why))
    return true;
  diagnostics_usage (command, "'%s': %s", text, why);
  return false;
}

/* Add the regular expressions in FILE to PATTERNS.  */
static bool
take_pattern_file (const char *command, const char *file,
		   struct pattern_list *patterns)
{
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  bool is_done = true;
  FILE *stream = fopen (file, "r");
  if (stream == NULL)
    {
      diagnostics_usage (command, "%s: %s", file, strerror (errno));
      return false;
    }
  while (is_done && (length = getline (&line, &room, stream)) >= 0)
    {
      line[strcspn (line, "\r\n")] = '\0';
      if (*line != '\0' && *line != '#')
	is_done = take_pattern (command, line, patterns);
    }
  if (is_done && ferror (stream))
    {
      diagnostics_usage (command, "%s: cannot be read", file);
      is_done = false;
    }
  if (is_done && patterns->count == 0)
    {
      diagnostics_usage (command, "%s: contains no expression", file);
      is_done = false;
    }
  free (line);
  fclose (stream);
  return is_done;
}

bool
option_take_patterns (const char *command, const char *value,
		      struct pattern_list *patterns)
{
  return *value == '@' ? take_pattern_file (command, value + 1, patterns)
		       : take_pattern (command, value, patterns);
}
