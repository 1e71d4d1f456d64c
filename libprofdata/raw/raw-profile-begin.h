/* Raw profiles whose MIBs are read in the background while contexts are used.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_RAW_PROFILE_BEGIN_H
#define HEAPPROF_RAW_PROFILE_BEGIN_H

#include "raw-profile.h"
#include "info-table.h"

/* Like raw_profile_parse, but until raw_profile_finish only the header, the
   name of the program, contexts except their MIBs, and segments may be
   accessed, and DATA must stay valid.  Errors in the rest are reported
   then.  If MAY_BE_BRIEF, MIBs that raw_profile_infos returns have the short
   form where there is one.  */
struct raw_profile *raw_profile_begin (const char *path, const void *data,
				       size_t size, bool may_be_brief,
				       struct profile_error *err);

/* Wait for the rest; may be called repeatedly.  Return false and set *ERR if it
   is damaged or memory is exhausted: PROFILE may then only be closed.  */
bool raw_profile_finish (struct raw_profile *profile,
			 struct profile_error *err);

/* Like raw_profile_find_segment, but faster for a context whose address is
   close to the previous one.  *NEAR, initially 0, remembers where that was
   found.  */
int64_t raw_profile_find_segment_near (const struct raw_profile *profile,
				       uint32_t context, uint64_t *near);

/* Return what raw_profile_context_info would return for CONTEXT.  */
bool raw_profile_has_info (const struct raw_profile *profile, uint32_t context);

/* Return the MIBs of a packed profile, for a caller that takes them over; NULL
   for a mapped profile.  Once they are modified or moved, PROFILE has no
   MIBs.  */
struct info_table *raw_profile_infos (struct raw_profile *profile);

/* Add all of CONTEXT's MIBs, at least one, into the first.  Return its number;
   0 if memory is exhausted.  Call once for each context.  */
uint32_t raw_profile_gather_info (struct raw_profile *profile,
				  uint32_t context);

#endif /* HEAPPROF_RAW_PROFILE_BEGIN_H */
