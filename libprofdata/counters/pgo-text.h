/* Function counters as text: LLVM's .proftext.
   SPDX-License-Identifier: GPL-3.0-or-later

   Lines that start with a colon are flags of the file.  A function consists of
   its name, its hash, the number of counters, each counter; if it has a bitmap,
   `$' and the number of bytes, each byte; if it has values, the number of
   kinds, and for each kind its number, the number of sites, and for each site
   the number of values, each as VALUE:COUNT.  Each item is on a line of its
   own; empty lines and lines that start with `#' are ignored.

   Targets of calls and virtual tables are written as names, so targets without
   a known name keep only their count.  There are no binary IDs.  */

#ifndef HEAPPROF_PGO_TEXT_H
#define HEAPPROF_PGO_TEXT_H

#include "counter-profile.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* Parts of a profile that its text cannot hold.  */
  struct pgo_text_losses
  {
    uint64_t unknown_targets; /* values whose GUID has no known name */
    uint64_t unknown_steps;   /* steps of traces without a known name,
				 omitted */
    uint64_t binary_ids;
    uint64_t names; /* not plain text, or not readable unchanged: their
		       functions are omitted */
  };

/* Number of leading bytes that show whether a file is such a text.  */
#define PGO_TEXT_START_BYTES 4096

  /* Return true if a file that starts with the N bytes at DATA can be such a
     text.  N is at least PGO_TEXT_START_BYTES, or the size of a smaller
     file.  */
  bool pgo_text_is_possible (const void *data, size_t n);

  /* Merge the text of SIZE bytes at DATA into PROFILE.  PATH names it in
     errors.  Return false and set *ERR on failure; PROFILE is then
     incomplete.  */
  bool pgo_text_fold (struct counter_profile *profile, const char *path,
		      const void *data, size_t size, struct profile_error *err);

  /* Create the text of PROFILE: *DATA is malloced, *SIZE is its size in bytes.
     If SPARSE, functions without counts are omitted.  Set *LOSSES.  Return
     false and set *ERR, without a path, if memory is exhausted or none of the
     functions to be written can be written.  */
  bool pgo_text_serialize (const struct counter_profile *profile, bool sparse,
			   void **data, size_t *size,
			   struct pgo_text_losses *losses,
			   struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_PGO_TEXT_H */
