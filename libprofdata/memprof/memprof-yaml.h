/* LLVM's YAML form of a heap profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   It is what `llvm-profdata show --memory' of LLVM 21 and 22 prints and what
   `llvm-profdata merge' of these reads: all that the MemProf section of version
   4 holds.  doc/profdata-extension.md tells what that is not.  */

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
    bool keep_columns; /* also where clang counts columns otherwise */
  };

  /* Append PROFILE to WRITER.  False and *ERR, without a path, if memory cannot
     be had, or a name is no UTF-8.  */
  bool memprof_yaml_write (struct byte_writer *writer,
			   const struct heap_profile *profile,
			   const struct memprof_yaml_options *options,
			   struct profile_error *err);

  /* Do the N bytes at DATA start as such a file does?  */
  bool memprof_yaml_is_it (const void *data, size_t n);

  /* Fold the SIZE bytes at DATA into PROFILE; PATH names them in errors.  Keys,
     values and nesting are those that LLVM writes or reads; YAML's other
     notations are refused.  False and *ERR if something is wrong; PROFILE is
     then half changed.  */
  bool memprof_yaml_read (struct heap_profile *profile, const char *path,
			  const void *data, size_t size,
			  struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_MEMPROF_YAML_H */
