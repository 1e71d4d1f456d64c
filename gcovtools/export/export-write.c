/* Writing a heap profile in one of the formats.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "diagnostics.h"
#include "export.h"
#include "frame-text.h"
#include "program-module.h"
#include <stdlib.h>

/* Print a note about the wrappers that were looked through, if any.  */
static bool
note_looked_through (const struct heap_report *report)
{
  char *text = looked_through_text (report, &report->looked_through);
  if (text != NULL && *text != '\0')
    diagnostics_note ("%s", text);
  free (text);
  return text != NULL;
}

/* Write INPUT by FORM.  Only JSON has all frames of contexts, and says itself
   what was looked through; traces have no sites.  */
static bool
write_input (export_form *form, struct export_input *input, FILE *out)
{
  struct heap_report report;
  if (form == export_json)
    return form (input, out);
  bool is_done = export_contexts_make (&report, input->report);
  input->report = &report;
  is_done = is_done && form (input, out)
	    && (form == export_trace || note_looked_through (&report));
  export_contexts_release (&report);
  return is_done;
}

bool
export_write (export_form *form, const struct export_input *input,
	      bool with_parameters, FILE *out)
{
  const struct heap_report *report = input->report;
  struct frame_names names;
  struct export_input all = *input;
  all.module = program_module_find (report->profile);
  if (all.module == UINT32_MAX)
    return false;
  all.names = &names;
  all.program = all.module != 0
		  ? heap_profile_string (report->profile, all.module)
		  : input->title;
  bool is_done = frame_names_make (&names, report, with_parameters)
		 && write_input (form, &all, out);
  frame_names_release (&names);
  return is_done;
}
