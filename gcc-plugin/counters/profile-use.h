/* Optimization with gcc's own counters in an indexed profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PROFILE_USE_H
#define HEAPPROF_PROFILE_USE_H

/* Open the profile that ARGUMENTS name, set the options of -fprofile-use, and
   register the pass that uses the profile.  Problems are reported as the
   compiler's errors.  */
void profile_use_start (const char *plugin_name);

#endif /* HEAPPROF_PROFILE_USE_H */
