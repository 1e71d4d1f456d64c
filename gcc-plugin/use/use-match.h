/* Using a heap profile: finding its calls in the unit.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_USE_MATCH_H
#define HEAPPROF_USE_MATCH_H

/* The fields that the MIBs of the profile have, bit T for LLVM's tag T; 0
   without a profile.  */
uint32_t use_schema (void);

/* Open the heap profile that ARGUMENTS name and register the pass that gives
   calls what it knows.  A profile that cannot be used is a warning.  */
void use_match_start (const char *plugin_name);

#endif /* HEAPPROF_USE_MATCH_H */
