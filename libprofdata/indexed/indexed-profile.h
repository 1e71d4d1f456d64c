/* Indexed profiles: LLVM's .profdata, with a heapprof section at the end.
   SPDX-License-Identifier: GPL-3.0-or-later

   A file has counters of functions, a heap profile, or both.  After LLVM's
   parts there is a heapprof section (doc/profdata-extension.md) with data that
   LLVM's parts cannot hold.  The reader prefers it as the source of the heap
   profile over LLVM's own records.  File versions 8 to 13 are read, 11 to 13
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

  /* Options for writing.  All zeros are the defaults, which LLVM 19 to 22 can
     all read.  */
  struct indexed_profile_options
  {
    unsigned int file_version;	  /* 11 to 13; 0: 12 */
    unsigned int memprof_version; /* 2 to 4; 0: 3 */
    bool full_schema;		  /* of the heap profile, all 27 fields instead
				     of LLVM's short 4 */
    bool keep_columns; /* even where clang counts columns differently */
    bool sparse;       /* omit functions without counts */
    bool llvm_only;    /* no heapprof section: data that LLVM's parts cannot
			  hold is lost */
  };

  /* Return true if the N bytes at DATA start like an indexed profile.  */
  bool indexed_profile_has_magic (const void *data, size_t n);

  /* Merge the indexed profile of SIZE bytes at DATA into PROFILE.  PATH names
     it in errors.  Return false and set *ERR on failure; PROFILE is then
     incomplete.  */
  bool indexed_profile_fold (struct profile *profile, const char *path,
			     const void *data, size_t size,
			     struct profile_error *err);

  /* The same into a new profile, which the caller frees.  NULL and *ERR on
     failure.  */
  struct profile *indexed_profile_parse (const char *path, const void *data,
					 size_t size,
					 struct profile_error *err);

  /* The same from the file PATH.  */
  struct profile *indexed_profile_read (const char *path,
					struct profile_error *err);

  /* Write PROFILE to PATH: to a temporary file next to it first, then renamed.
     Equal profiles give equal bytes.  Return false and set *ERR on failure;
     PATH is then untouched and the temporary file is removed.  */
  bool indexed_profile_write (const char *path, const struct profile *profile,
			      const struct indexed_profile_options *options,
			      struct profile_error *err);

  /* The same into memory: *DATA is malloced, *SIZE is its size in bytes.  */
  bool indexed_profile_serialize (const struct profile *profile,
				  const struct indexed_profile_options *options,
				  void **data, size_t *size,
				  struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_INDEXED_PROFILE_H */
