/* The forms of output that `--format' of several commands selects.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "output-form.h"
#include "diagnostics.h"
#include <string.h>

bool
output_form_take (const char *command, const char *value,
		  enum output_form *form)
{
  static const char *const names[] = { [OUTPUT_TEXT] = "text",
				       [OUTPUT_JSON] = "json",
				       [OUTPUT_SARIF] = "sarif",
				       [OUTPUT_GITHUB] = "github",
				       [OUTPUT_GITLAB] = "gitlab" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp (value, names[i]) == 0)
      {
	*form = (enum output_form) i;
	return true;
      }
  diagnostics_usage (command, "unknown format '%s'", value);
  return false;
}

bool
output_form_write (const struct finding_list *list, enum output_form form,
		   FILE *out)
{
  switch (form)
    {
    case OUTPUT_GITHUB:
      return finding_write_github (list, out);
    case OUTPUT_GITLAB:
      return finding_write_gitlab (list, out);
    case OUTPUT_SARIF:
    default:
      return finding_write_sarif (list, out);
    }
}
