/* LLVM's YAML form of a heap profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   `llvm-profdata show --memory' of LLVM 21 and 22 prints it, and `llvm-profdata
   merge' reads it.  It has everything in the MemProf section of version 4;
   doc/profdata-extension.md describes what that section does not have.  */

#ifndef HEAPPROF_MEMPROF_YAML_H
#define HEAPPROF_MEMPROF_YAML_H

#include "byte-writer.h"
#include "heap-profile.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

  struct memprof_yaml_options
  {
    bool full_schema;  /* all fields instead of LLVM's short 4 */
    bool keep_columns; /* even where clang counts columns differently */
  };

  /* Append PROFILE to WRITER.  Return false and set *ERR, without a path, if
     memory is exhausted or a name is not UTF-8.  */
  bool memprof_yaml_write (struct byte_writer *writer,
			   const struct heap_profile *profile,
			   const struct memprof_yaml_options *options,
			   struct profile_error *err);

  /* Return true if the N bytes at DATA start like such a file.  */
  bool memprof_yaml_is_it (const void *data, size_t n);

  /* Merge the SIZE bytes at DATA into PROFILE.  PATH names them in errors.
     Keys, values and nesting must be those that LLVM writes or reads; other
     YAML notations are rejected.  Return false and set *ERR on failure; PROFILE
     is then incomplete.  */
  bool memprof_yaml_read (struct heap_profile *profile, const char *path,
			  const void *data, size_t size,
			  struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_MEMPROF_YAML_H */
