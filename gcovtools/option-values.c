/* Values of options, which several sub-commands take.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "option-values.h"
#include "diagnostics.h"
#include <errno.h>
#include <stdlib.h>

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
  diagnostics_usage (command, "'%s' is not a number", value);
  return false;
}

bool
option_take_regex (const char *command, const char *value, regex_t *compiled,
		   const regex_t **chosen)
{
  if (*chosen != NULL)
    regfree (compiled);
  *chosen = NULL;
  int status = regcomp (compiled, value, REG_EXTENDED | REG_NOSUB);
  if (status == 0)
    {
      *chosen = compiled;
      return true;
    }
  char why[100];
  regerror (status, compiled, why, sizeof why);
  diagnostics_usage (command, "'%s': %s", value, why);
  return false;
}
