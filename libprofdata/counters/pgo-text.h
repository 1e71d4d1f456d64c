/* Counters of functions as text: LLVM's .proftext.
   SPDX-License-Identifier: GPL-3.0-or-later

   Flags of the file are lines that begin with a colon.  A function is: its
   name, its hash, the number of counters, each counter; if it has a bitmap,
   `$' and the number of bytes, each byte; if it has values, the number of
   kinds, and for each: its number, the number of sites, and for each site the
   number of values, each as VALUE:COUNT.  Every item has a line of its own;
   empty lines and lines that begin with `#' are passed over.

   Targets of calls and virtual tables are names here, so of those whose name is
   not known only the count remains; and there are no binary IDs.  */

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

  /* What a profile has and its text has not.  */
  struct pgo_text_losses
  {
    uint64_t unknown_targets; /* values whose GUID is not of a known name */
    uint64_t unknown_steps;   /* the same of traces: left out */
    uint64_t binary_ids;
    uint64_t names; /* that are not plain text, or would not be read
		       as they are: their functions are left out */
  };

/* So many bytes tell whether a file is such a text.  */
#define PGO_TEXT_START_BYTES 4096

  /* Can a file that begins with the N bytes at DATA be such a text?  N is at
     least PGO_TEXT_START_BYTES, or the file's size if that is less.  */
  bool pgo_text_is_possible (const void *data, size_t n);

  /* Fold the text of SIZE bytes at DATA into PROFILE; PATH names it in errors.
     False and *ERR if that fails, with PROFILE half changed.  */
  bool pgo_text_fold (struct counter_profile *profile, const char *path,
		      const void *data, size_t size, struct profile_error *err);

  /* Make the text of PROFILE: *DATA is malloced, *SIZE its bytes.  If SPARSE,
     functions that counted nothing are left out.  Set *LOSSES.  False and *ERR,
     without a path, if memory cannot be had, or no function can be written of
     those that should be.  */
  bool pgo_text_serialize (const struct counter_profile *profile, bool sparse,
			   void **data, size_t *size,
			   struct pgo_text_losses *losses,
			   struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_PGO_TEXT_H */
