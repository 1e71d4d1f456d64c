/* The forms of output that `--format' of several commands selects.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_OUTPUT_FORM_H
#define HEAPPROF_OUTPUT_FORM_H

#include "findings.h"
#include <stdbool.h>
#include <stdio.h>

/* Those from OUTPUT_SARIF on are forms of findings.  */
enum output_form
{
  OUTPUT_TEXT,
  OUTPUT_JSON,
  OUTPUT_SARIF,
  OUTPUT_GITHUB,
  OUTPUT_GITLAB,
  OUTPUT_FORMS
};

/* Set *FORM to the form called VALUE.  If there is none, print an error in the
   use of the sub-command COMMAND and return false.  */
bool output_form_take (const char *command, const char *value,
		       enum output_form *form);

/* Write LIST in FORM, one of findings, to OUT, whose errors the caller handles.
   Return false if memory is exhausted.  */
bool output_form_write (const struct finding_list *list, enum output_form form,
			FILE *out);

#endif /* HEAPPROF_OUTPUT_FORM_H */
