/* Raw profiles whose MIBs are read while others look at their contexts.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_RAW_PROFILE_BEGIN_H
#define HEAPPROF_RAW_PROFILE_BEGIN_H

#include "raw-profile.h"
#include "record-table.h"

/* raw_profile_parse, but until raw_profile_finish only the header, the name of
   the program, contexts but for their MIBs, and segments may be asked for, and
   DATA must stay.  What is wrong with the rest is known then.  */
struct raw_profile *raw_profile_begin (const char *path, const void *data,
				       size_t size, struct profile_error *err);

/* Wait for the rest, once or more often.  False, with *ERR filled, if it is
   damaged or memory cannot be had: then PROFILE is only to be closed.  */
bool raw_profile_finish (struct raw_profile *profile,
			 struct profile_error *err);

/* raw_profile_find_segment, faster for a context whose address is near that of
   the last one: *NEAR, 0 at first, is where that was found.  */
int64_t raw_profile_find_segment_near (const struct raw_profile *profile,
				       uint32_t context, uint64_t *near);

/* Would raw_profile_context_info return true for CONTEXT?  */
bool raw_profile_has_info (const struct raw_profile *profile, uint32_t context);

/* The MIBs of a packed profile, struct memory_info by number, for a caller that
   makes them its own; of any other, NULL.  When they are changed or moved,
   PROFILE knows no MIBs any more.  */
struct record_table *raw_profile_infos (struct raw_profile *profile);

/* Make the first of CONTEXT's MIBs, of which there is one at least, the sum of
   them all.  Return its number.  Once for each context.  */
uint32_t raw_profile_gather_info (struct raw_profile *profile,
				  uint32_t context);

#endif /* HEAPPROF_RAW_PROFILE_BEGIN_H */
