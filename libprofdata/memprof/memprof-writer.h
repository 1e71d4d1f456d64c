/* LLVM's MemProf section of an indexed profile, as written here: versions 2 to
   4.
   SPDX-License-Identifier: GPL-3.0-or-later

     version   read by LLVM    frames and stacks
     2         19, 21, 22      tables by id
     3         19, 21, 22      arrays; stacks share their outer frames
     4         21, 22          the same; callees of call sites, a summary, and
			       accesses to static data

   Data that a version cannot hold is only in the heapprof section.  */

#ifndef HEAPPROF_MEMPROF_WRITER_H
#define HEAPPROF_MEMPROF_WRITER_H

#include "byte-writer.h"
#include "heap-profile.h"
#include "profile-error.h"
#include <stdbool.h>

#define MEMPROF_VERSION_LEAST_WRITTEN 2
#define MEMPROF_VERSION_GREATEST_WRITTEN 4
#define MEMPROF_VERSION_DEFAULT 3

struct memprof_options
{
  unsigned int version; /* 2 to 4 */
  bool full_schema;	/* all 27 fields instead of LLVM's short 4 */
  bool keep_columns;	/* even where clang counts columns differently */
};

/* Append the section of PROFILE to WRITER, which holds the file up to there,
   and the placement classes of its contexts to CLASSES and their groups to
   GROUPS (stack-classes.h), unless NULL.  Return false and set *ERR, without a
   path, if memory is exhausted or a table of the format is full.  */
bool memprof_section_write (struct byte_writer *writer,
			    const struct heap_profile *profile,
			    const struct memprof_options *options,
			    struct byte_writer *classes,
			    struct byte_writer *groups,
			    struct profile_error *err);

#endif /* HEAPPROF_MEMPROF_WRITER_H */
