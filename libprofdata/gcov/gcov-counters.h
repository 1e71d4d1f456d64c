/* gcc's own counters as counters of functions, which LLVM's formats hold.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function becomes a record: its name is that of gcov_names_indexed, its hash
   that of gcov_counters_hash, its counters those of arcs, its call targets
   those of indirect calls, as GUIDs of these names.  Functions of several units
   with equal names and hashes are added.  Such records say less than what they
   are made of; a file that has both has them once.  */

#ifndef HEAPPROF_GCOV_COUNTERS_H
#define HEAPPROF_GCOV_COUNTERS_H

#include "counter-profile.h"
#include "gcov-profile.h"
#include "profile-error.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* The hash of a function: its checksum of the flow graph in the upper half
     and that of name and line in the lower, without the bit that means
     something to LLVM.  */
  static inline uint64_t gcov_counters_hash (uint32_t cfg_checksum,
					     uint32_t lineno_checksum)
  {
    uint64_t hash = (uint64_t) cfg_checksum << 32 | lineno_checksum;
    return hash & ~COUNTER_HASH_CONTEXT_SENSITIVE;
  }

  /* Add the records of GCOV to INTO.  False and *ERR, without a path, if these
     cannot be in one profile with what INTO has, or memory cannot be had; INTO
     is then half changed.  */
  bool gcov_counters_add (const struct gcov_profile *gcov,
			  struct counter_profile *into,
			  struct profile_error *err);

  /* Take the records of GCOV off *COUNTERS, which becomes a profile of what is
     left, without records of which nothing is; NULL if that is nothing at all.
     False and *ERR, without a path, if memory cannot be had; *COUNTERS is then
     as it was.  */
  bool gcov_counters_remove (const struct gcov_profile *gcov,
			     struct counter_profile **counters,
			     struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_GCOV_COUNTERS_H */
