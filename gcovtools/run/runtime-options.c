/* Options that a command passes on to the run-time library.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "runtime-options.h"
#include "diagnostics.h"
#include "option-values.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Append NAME=VALUE to OPTIONS.  */
static bool
add (struct runtime_options *options, const char *name, const char *value)
{
  char *text = options->text;
  size_t used = strlen (text);
  size_t room = sizeof options->text - used;
  if (strchr (value, ':') == NULL
      && (size_t) snprintf (text + used, room, "%s%s=%s", used > 0 ? ":" : "",
			    name, value)
	   < room)
    return true;
  diagnostics_usage (options->command, "invalid value '%s' of %s", value, name);
  return false;
}

bool
runtime_options_take (struct runtime_options *options, const char *value)
{
  char name[40];
  size_t bytes = strcspn (value, "=");
  if (value[bytes] == '\0' || bytes == 0 || bytes >= sizeof name)
    {
      diagnostics_usage (options->command,
			 "invalid option '%s' (expected NAME=VALUE)", value);
      return false;
    }
  memcpy (name, value, bytes);
  name[bytes] = '\0';
  for (size_t i = 0; options->owned[i] != NULL; i++)
    if (strcmp (name, options->owned[i]) == 0)
      {
	diagnostics_usage (options->command,
			   "option '%s' is set by this command", name);
	return false;
      }
  value += bytes + 1;
  if (strcmp (name, "enabled") == 0)
    options->is_off = strcmp (value, "0") == 0;
  return add (options, name, value);
}

/* At most 256 MiB.  */
bool
runtime_options_take_sample (struct runtime_options *options, const char *value)
{
  size_t digits = strspn (value, "0123456789");
  unsigned long number = digits < 10 ? strtoul (value, NULL, 10) : ULONG_MAX;
  const char *unit = value + digits;
  unsigned int shift = *unit == 'k' ? 10 : *unit == 'm' ? 20 : 0;
  if (digits > 0 && unit[shift > 0] == '\0' && number >= 1
      && number <= (256ul << 20) >> shift)
    return add (options, "sample", value);
  diagnostics_usage (options->command,
		     "invalid number of bytes '%s' (expected 1 to 256m)",
		     value);
  return false;
}

bool
runtime_options_take_depth (struct runtime_options *options, const char *value)
{
  size_t depth;
  if (!option_take_size (options->command, value, &depth))
    return false;
  if (depth >= 1 && depth <= 1024)
    return add (options, "max_depth", value);
  diagnostics_usage (options->command,
		     "invalid number '%s' (expected 1 to 1024)", value);
  return false;
}

bool
runtime_options_take_recursion (struct runtime_options *options,
				const char *value)
{
  if (strcmp (value, "keep") == 0 || strcmp (value, "fold") == 0)
    return add (options, "recursion", value);
  diagnostics_usage (options->command,
		     "invalid recursion '%s' (expected keep or fold)", value);
  return false;
}
