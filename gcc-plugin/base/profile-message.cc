/* Errors in profiles, reported as diagnostics of the compiler.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "profile-message.h"

bool
report_profile_error (const char *path, const profile_error *err)
{
  if (err->offset == PROFILE_ERROR_NO_OFFSET)
    error ("%s: %s", path, err->cause);
  else
    error ("%s: offset 0x%lx: %s", path, (unsigned long) err->offset,
	   err->cause);
  return false;
}

/* True if the user asked for stale profiles to be errors.  */
static bool
mismatch_is_error_p (void)
{
  for (unsigned i = 1; i < save_decoded_options_count; i++)
    {
      const cl_decoded_option *option = &save_decoded_options[i];
      if (option->opt_index == OPT_Werror_ && option->value
	  && !strcmp (option->arg, "coverage-mismatch"))
	return true;
    }
  return false;
}

void
profile_soften_mismatch (void)
{
  if (!mismatch_is_error_p ())
    diagnostic_classify_diagnostic (global_dc, OPT_Wcoverage_mismatch,
				    compat_kind_warning, UNKNOWN_LOCATION);
}
