/* Raw profiles: the file that libheapprof writes (doc/raw-format.md).
   SPDX-License-Identifier: GPL-3.0-or-later

   The complete file is read and checked once: header, extents, every index in
   every record.  Results of the functions below are in host byte order and
   valid until raw_profile_close; they cannot fail.  */

#ifndef HEAPPROF_RAW_PROFILE_H
#define HEAPPROF_RAW_PROFILE_H

#include "heapprof/raw-format.h"
#include "memory-info.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

  struct raw_profile;

  /* Return true if the file starts with the magic of a raw profile.  */
  bool raw_profile_has_magic (const void *data, size_t n);

  /* Open the raw profile PATH and check all of it.  Return NULL and set *ERR on
     failure.  PATH must outlive the profile.  */
  struct raw_profile *raw_profile_open (const char *path,
					struct profile_error *err);

  /* The same for SIZE bytes at DATA, which are copied.  PATH names them in
     errors.  */
  struct raw_profile *raw_profile_parse (const char *path, const void *data,
					 size_t size,
					 struct profile_error *err);
  void raw_profile_close (struct raw_profile *profile);

  const struct heapprof_raw_header *
  raw_profile_header (const struct raw_profile *profile);
  const char *raw_profile_program_name (const struct raw_profile *profile);

  /* Number of MIBs that were being updated when the process was killed or the
     file was read; each may be missing an observation, or have it only in some
     fields.  */
  uint32_t raw_profile_in_flight_count (const struct raw_profile *profile);

  uint32_t raw_profile_context_count (const struct raw_profile *profile);
  const struct heapprof_raw_context *
  raw_profile_context (const struct raw_profile *profile, uint32_t index);

  uint32_t raw_profile_segment_count (const struct raw_profile *profile);
  const struct heapprof_raw_segment *
  raw_profile_segment (const struct raw_profile *profile, uint32_t index);
  const char *raw_profile_segment_path (const struct raw_profile *profile,
					uint32_t index);

  /* Return the index of the segment that contains the return address of
     CONTEXT, -1 if none.  The address looked up is one less, since the call
     instruction is before the return address.  */
  int64_t raw_profile_find_segment (const struct raw_profile *profile,
				    uint32_t context);

  /* Set *INFO to the MIB of CONTEXT, freed and live blocks combined.  In a
     running file, blocks that were not freed count as unfinished.  Return false
     if nothing was allocated there.  */
  bool raw_profile_context_info (const struct raw_profile *profile,
				 uint32_t context, struct memory_info *info);

  /* Parts of access histograms, by number; the parts of one context must be
     added up.  Word numbers are less than
     HEAPPROF_RAW_HISTOGRAM_WORDS.  */
  uint64_t raw_profile_histogram_count (const struct raw_profile *profile);
  const struct heapprof_raw_histogram *
  raw_profile_histogram (const struct raw_profile *profile, uint64_t number);

  /* Affinities of pairs of contexts, by number; those of one pair must be added
     up.  Unused ones have no first context.  */
  uint64_t raw_profile_affinity_count (const struct raw_profile *profile);
  const struct heapprof_raw_affinity *
  raw_profile_affinity (const struct raw_profile *profile, uint64_t number);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_RAW_PROFILE_H */
