/* Sample profiles in LLVM's binary forms.
   SPDX-License-Identifier: GPL-3.0-or-later

   The extended form is a table of sections (sample-binary-format.h).  The raw
   form is just a summary, names and functions; it cannot hold virtual tables,
   contexts, checksums, attributes and lists of functions.  Neither form can
   hold source files and first runs.  */

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

  /* Options for writing.  All zeros are the defaults: the extended form as read
     by LLVM 12 and later.  */
  struct sample_binary_options
  {
    bool is_raw;
    bool keep_vtables; /* for LLVM 22 and later; earlier versions reject the
			  file */
    bool md5_names;    /* GUIDs instead of names; always used if only the GUID
			  of some name is known */
    bool compress;     /* all sections */
    bool split;	       /* put functions without inlinees into a section of their
			  own */
  };

  /* Return true if the N bytes at DATA start like one of the two forms.  */
  bool sample_binary_has_magic (const void *data, size_t n);

  /* Merge the file of SIZE bytes at DATA into PROFILE.  PATH names it in
     errors.  Return false and set *ERR on failure; PROFILE is then
     incomplete.  */
  bool sample_binary_fold (struct sample_profile *profile, const char *path,
			   const void *data, size_t size,
			   struct profile_error *err);

  /* Create the file of PROFILE: *DATA is malloced, *SIZE is its size in bytes.
     Return false and set *ERR, without a path, if the form cannot hold the
     profile or memory is exhausted.  */
  bool sample_binary_serialize (const struct sample_profile *profile,
				const struct sample_binary_options *options,
				void **data, size_t *size,
				struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_SAMPLE_BINARY_H */
