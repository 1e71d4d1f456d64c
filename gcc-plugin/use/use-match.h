/* Use of a heap profile: matching its calls with those of the unit.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_USE_MATCH_H
#define HEAPPROF_USE_MATCH_H

/* Return the fields in the MIBs of the profile, bit T for LLVM's tag T; 0
   without a profile.  */
uint32_t use_schema (void);

/* Open the heap profile that ARGUMENTS name and register the pass that gives
   calls its data.  Warn if the profile cannot be used.  */
void use_match_start (const char *plugin_name);

#endif /* HEAPPROF_USE_MATCH_H */
