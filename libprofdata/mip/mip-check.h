/* Validation of machine-level profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_CHECK_H
#define HEAPPROF_MIP_CHECK_H

#include "byte-reader.h"
#include "mip-profile.h"

/* Return the first block of FUNCTION whose rule is not inside the rules of
   PROFILE, or refers to a block that FUNCTION does not have; UINT32_MAX if
   there is none.  The blocks of FUNCTION must be in PROFILE.  *LENGTH, 0 for
   the first function, accumulates the length of the rules of all blocks; more
   than the length of all rules is invalid, too, so that following rules takes
   no longer than reading them.  */
uint32_t mip_function_wrong_block (const struct mip_profile *profile,
				   const struct mip_function *function,
				   uint64_t *length);

/* Return true if the copies of FUNCTION are in PROFILE, each comes after the
   one around it, and their names and rules exist.  *LENGTH is that of the
   rules, as for mip_function_wrong_block.  */
bool mip_function_copies_fit (const struct mip_profile *profile,
			      const struct mip_function *function,
			      uint64_t *length);

/* Check that functions, blocks, rules, traces and edges of PROFILE refer to
   existing items.  If not, return false and make READER, which has read
   PROFILE, fail.  */
bool mip_profile_check (const struct mip_profile *profile,
			struct byte_reader *reader);

/* Return true if mip_profile_check succeeds, no list is longer than its memory,
   and the strings end with a NUL.  Takes time proportional to the profile;
   meant for PROFILE_CHECK and tests.  */
bool mip_profile_is_valid (const struct mip_profile *profile);

#endif /* HEAPPROF_MIP_CHECK_H */
