/* GCC's own counters as counters of functions, which LLVM's formats can hold.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each function becomes a record: its name comes from gcov_names_indexed, its
   hash from gcov_counters_hash, its counters are those of arcs, its call
   targets those of indirect calls, as GUIDs of these names.  Functions of
   several units with equal names and hashes are added.  Such records have less
   information than their source; a file that has both stores them once.  */

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

  /* Return the hash of a function: its flow graph checksum in the upper half
     and the checksum of name and line in the lower half, without the bit that
     LLVM uses.  */
  static inline uint64_t gcov_counters_hash (uint32_t cfg_checksum,
					     uint32_t lineno_checksum)
  {
    uint64_t hash = (uint64_t) cfg_checksum << 32 | lineno_checksum;
    return hash & ~COUNTER_HASH_CONTEXT_SENSITIVE;
  }

  /* Add the records of GCOV to INTO.  Return false and set *ERR, without a
     path, if they are incompatible with INTO or memory is exhausted; INTO is
     then incomplete.  */
  bool gcov_counters_add (const struct gcov_profile *gcov,
			  struct counter_profile *into,
			  struct profile_error *err);

  /* Subtract the records of GCOV from *COUNTERS, which becomes a new profile
     without the records that are left with nothing; NULL if nothing is left at
     all.  Return false and set *ERR, without a path, if memory is
     exhausted; *COUNTERS is then unchanged.  */
  bool gcov_counters_remove (const struct gcov_profile *gcov,
			     struct counter_profile **counters,
			     struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_GCOV_COUNTERS_H */
