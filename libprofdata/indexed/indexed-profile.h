/* Indexed profiles: LLVM's .profdata, with a heapprof section at the end.
   SPDX-License-Identifier: GPL-3.0-or-later

   A file has the counters of functions, a heap profile, or both; and behind
   LLVM's parts a heapprof section (doc/profdata-extension.md), which carries
   what LLVM's parts cannot.  The reader takes a heap profile from there if it
   can, else from LLVM's own records.  File versions 8 to 13 are read, 11 to 13
   are written.  */

#ifndef HEAPPROF_INDEXED_PROFILE_H
#define HEAPPROF_INDEXED_PROFILE_H

#include "profile-error.h"
#include "profile.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* How a file is written.  All zeros are the defaults: what LLVM 19 to 22 all
     read.  */
  struct indexed_profile_options
  {
    unsigned int file_version;	  /* 11 to 13; 0: 12 */
    unsigned int memprof_version; /* 2 to 4; 0: 3 */
    bool full_schema;		  /* of the heap profile, all 27 fields instead
				     of LLVM's short 4 */
    bool keep_columns; /* also where clang counts columns otherwise */
    bool sparse;       /* leave out functions that counted nothing */
    bool llvm_only;    /* no heapprof section: what LLVM's parts have
			  no room for is lost */
  };

  /* Do the N bytes at DATA start as an indexed profile does?  */
  bool indexed_profile_has_magic (const void *data, size_t n);

  /* Fold the indexed profile of SIZE bytes at DATA into PROFILE; PATH names it
     in errors.  False and *ERR if that fails; PROFILE is then half changed.  */
  bool indexed_profile_fold (struct profile *profile, const char *path,
			     const void *data, size_t size,
			     struct profile_error *err);

  /* The same into a new profile, to be freed by the caller.  NULL and *ERR if
     that fails.  */
  struct profile *indexed_profile_parse (const char *path, const void *data,
					 size_t size,
					 struct profile_error *err);

  /* The same from the file PATH.  */
  struct profile *indexed_profile_read (const char *path,
					struct profile_error *err);

  /* Write PROFILE to PATH: to a temporary file beside it first, then renamed.
     Equal profiles give equal bytes.  False and *ERR if that fails; PATH is
     then untouched and the temporary is gone.  */
  bool indexed_profile_write (const char *path, const struct profile *profile,
			      const struct indexed_profile_options *options,
			      struct profile_error *err);

  /* The file's content in memory instead: *DATA is malloced, *SIZE its
     bytes.  */
  bool indexed_profile_serialize (const struct profile *profile,
				  const struct indexed_profile_options *options,
				  void **data, size_t *size,
				  struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_INDEXED_PROFILE_H */
