/* Indexed profiles: LLVM's .profdata, with a heapprof section at the end.
   SPDX-License-Identifier: GPL-3.0-or-later

   The writer makes file version 12 with MemProf version 3, which LLVM 19 to 22
   read, and appends the heapprof section (doc/profdata-extension.md), which
   carries what LLVM's schema drops.  The reader takes the heapprof section if
   there is one, else LLVM's own records.  */

#ifndef HEAPPROF_INDEXED_PROFILE_H
#define HEAPPROF_INDEXED_PROFILE_H

#include "heap-profile.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

/* How LLVM's part is written.  */
struct indexed_profile_options
{
  bool full_schema;		/* all 27 fields instead of LLVM's short 4 */
  bool keep_columns;		/* also where clang counts columns otherwise */
};

/* Do the N bytes at DATA start as an indexed profile does?  */
bool indexed_profile_has_magic (const void *data, size_t n);

/* Read PATH into a new profile, to be freed by the caller.  NULL and *ERR if
   that fails.  */
struct heap_profile *indexed_profile_read (const char *path,
					   struct profile_error *err);

/* The same for SIZE bytes at DATA; PATH names them in errors.  */
struct heap_profile *indexed_profile_parse (const char *path, const void *data,
					    size_t size,
					    struct profile_error *err);

/* Write PROFILE to PATH: to a temporary file beside it first, then renamed.
   Equal profiles give equal bytes.  False and *ERR if that fails; PATH is then
   untouched and the temporary is gone.  */
bool indexed_profile_write (const char *path,
			    const struct heap_profile *profile,
			    const struct indexed_profile_options *options,
			    struct profile_error *err);

/* The file's content in memory instead: *DATA is malloced, *SIZE its bytes.  */
bool indexed_profile_serialize (const struct heap_profile *profile,
				const struct indexed_profile_options *options,
				void **data, size_t *size,
				struct profile_error *err);

#endif /* HEAPPROF_INDEXED_PROFILE_H */
