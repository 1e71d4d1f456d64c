/* Sample profiles in LLVM's binary forms.
   SPDX-License-Identifier: GPL-3.0-or-later

   The extended form is a table of sections (sample-binary-format.h); the raw
   form is one run of a summary, names and functions, and has no place for
   virtual tables, contexts, checksums, attributes and lists of functions.
   Neither has one for source files and first runs.  */

#ifndef HEAPPROF_SAMPLE_BINARY_H
#define HEAPPROF_SAMPLE_BINARY_H

#include "profile-error.h"
#include "sample-profile.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* How a file is written.  All zeros are the defaults, the extended form as
     LLVM 12 and later read it.  */
  struct sample_binary_options
  {
    bool is_raw;
    bool keep_vtables; /* for LLVM 22 and later; others take the file
			  for damaged */
    bool md5_names;    /* GUIDs instead of names; a profile of which
			  some name is only known by its GUID has them
			  in any case */
    bool compress;     /* all sections */
    bool split;	       /* functions into which nothing is inlined have
			  a section of their own */
  };

  /* Do the N bytes at DATA start as one of the two forms does?  */
  bool sample_binary_has_magic (const void *data, size_t n);

  /* Fold the file of SIZE bytes at DATA into PROFILE; PATH names it in errors.
     False and *ERR if that fails, with PROFILE half changed.  */
  bool sample_binary_fold (struct sample_profile *profile, const char *path,
			   const void *data, size_t size,
			   struct profile_error *err);

  /* Make the file of PROFILE: *DATA is malloced, *SIZE its bytes.  False and
     *ERR, without a path, if the form has no place for what PROFILE is, or
     memory cannot be had.  */
  bool sample_binary_serialize (const struct sample_profile *profile,
				const struct sample_binary_options *options,
				void **data, size_t *size,
				struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_SAMPLE_BINARY_H */
