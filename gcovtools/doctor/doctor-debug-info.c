/* Check a program or library for debug information.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "doctor.h"
#include "object-facts.h"

void
doctor_check_debug_info (struct findings *findings, const char *subject,
			 struct object_file *file)
{
  uint64_t bias;
  bool has_debug_info = object_file_debug_info (file, &bias) != NULL;
  const char *problem = object_file_debug_problem (file);
  struct object_facts facts;
  object_facts_read (&facts, file);
  if (has_debug_info && facts.debug_path != NULL)
    findings_add (findings, "debug info", subject, FINDING_OK, "in %s",
		  facts.debug_path);
  else if (has_debug_info)
    findings_add (findings, "debug info", subject, FINDING_OK, "in the file");
  else if (problem != NULL)
    {
      findings_add (findings, "debug info", subject, FINDING_WRONG, "%s",
		    problem);
      findings_mend (findings, "compile with -gz=none, or install a newer "
			       "libdw");
    }
  else
    {
      findings_add (findings, "debug info", subject,
		    facts.is_executable ? FINDING_WRONG : FINDING_NOTE,
		    "none: %s",
		    facts.has_symbols
		      ? "functions have names but no lines, and inlined "
			"functions are missing"
		      : "only exported functions have names");
      findings_mend (findings,
		     "compile with -g and do not strip, install its debug "
		     "package, or name its debug file with -b");
    }
}
