/* The form of a machine-level profile in its file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_TIDY_H
#define HEAPPROF_MIP_TIDY_H

#include "mip-profile.h"

/* Return a copy of PROFILE in which each string occurs once, and strings,
   blocks, rules and trace data are in the order in which functions and traces
   refer to them; NULL if memory is exhausted.  Profiles with the same content
   give the same copy, whether they come from a map, a file or text.  */
struct mip_profile *mip_profile_tidy (const struct mip_profile *profile);

#endif /* HEAPPROF_MIP_TIDY_H */
