/* Fitting a sample profile to source that has changed.
   SPDX-License-Identifier: GPL-3.0-or-later

   Functions of the unit are compared with what the profile has of them, and, if
   any differs, what the profile has is moved as `heapprof-gcov match' does it
   for a program (libprofdata/stale).  The profile does not say which functions
   belong to the unit.  So only functions that changed ones called may have been
   renamed, or be part of others now.  */

#ifndef HEAPPROF_SAMPLE_FIT_H
#define HEAPPROF_SAMPLE_FIT_H

/* Register the pass.  The profile is open then.  */
void sample_fit_start (const char *plugin_name);

/* True if the source of the function DECL has changed, so that its data were
   fitted.  */
bool sample_fit_moved_p (tree decl);

#endif /* HEAPPROF_SAMPLE_FIT_H */
