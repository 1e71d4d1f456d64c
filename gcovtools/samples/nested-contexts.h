/* Contexts as functions that are inlined into each other.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_NESTED_CONTEXTS_H
#define HEAPPROF_NESTED_CONTEXTS_H

#include "profile-error.h"
#include "sample-profile.h"

/* Return a profile without contexts in which a function of PROFILE with a
   context is inlined into its caller, if that has samples in its own context;
   otherwise it is counted without context.  PROFILE is used up, but must still
   be freed.  NULL and *ERR, without a path, on failure.  */
struct sample_profile *nested_contexts_make (struct sample_profile *profile,
					     struct profile_error *err);

#endif /* HEAPPROF_NESTED_CONTEXTS_H */
