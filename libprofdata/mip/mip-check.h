/* Checks of a machine-level profile that was read.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_CHECK_H
#define HEAPPROF_MIP_CHECK_H

#include "byte-reader.h"
#include "mip-profile.h"

/* The first block of FUNCTION whose rule is not in the rules of PROFILE, or
   names a block that FUNCTION does not have; UINT32_MAX if there is none.  Its
   blocks are in PROFILE.  *LENGTH, 0 for the first function, is how long the
   rules of all blocks are; longer than all rules together is wrong, too, so
   that following them takes no more time than reading them.  */
uint32_t mip_function_wrong_block (const struct mip_profile *profile,
				   const struct mip_function *function,
				   uint64_t *length);

/* Do functions, blocks, rules, traces and edges of PROFILE refer to what is
   there? False if READER, which has read it, fails because they do not.  */
bool mip_profile_check (const struct mip_profile *profile,
			struct byte_reader *reader);

/* True if mip_profile_check finds nothing, no list is longer than its memory,
   and the strings end with a NUL.  Takes time proportional to the profile; for
   PROFILE_CHECK and tests.  */
bool mip_profile_is_valid (const struct mip_profile *profile);

#endif /* HEAPPROF_MIP_CHECK_H */
