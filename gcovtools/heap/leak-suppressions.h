/* Suppressions: lost blocks that are known and not worth a report.
   SPDX-License-Identifier: GPL-3.0-or-later

   Files have suppressions in the syntax of LeakSanitizer or of valgrind's
   memcheck, or both:

     # a comment
     leak:PATTERN	a function, source file or module of the context
			contains PATTERN; `*' matches anything, a `^' at the
			start and a `$' at the end are the ends of the name
     {
       NAME
       Memcheck:Leak
       match-leak-kinds: definite,indirect
       fun:PATTERN	the frames from the innermost one on; `*' and `?'
       obj:PATTERN	are wildcards, `...' matches any frames; the first
       src:FILE		one may be the function of the allocator
       ...
     }

   Suppressions of other tools and of other errors are ignored.  */

#ifndef HEAPPROF_LEAK_SUPPRESSIONS_H
#define HEAPPROF_LEAK_SUPPRESSIONS_H

#include "heap-profile.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

#define LEAK_SUPPRESSIONS_ROW(id)                                              \
  {                                                                            \
    id, "suppressions", "FILE",                                                \
      "do not count lost blocks of the contexts that FILE\n"                   \
      "lists as LeakSanitizer or valgrind would; may be\n"                     \
      "repeated"                                                               \
  }

struct leak_suppression;

/* All zeros is empty.  */
struct leak_suppressions
{
  struct leak_suppression *of;
  size_t count;
};

/* Add the suppressions in the file PATH.  Return false and set *ERR on
   failure.  */
bool leak_suppressions_add_file (struct leak_suppressions *suppressions,
				 const char *path, struct profile_error *err);

/* The same; print the error.  For options.  */
bool leak_suppressions_take (struct leak_suppressions *suppressions,
			     const char *path);

/* Remove lost blocks that match SUPPRESSIONS, or one of those for the C and C++
   libraries, from the contexts of PROFILE, which may be NULL, and count them in
   its totals.  Return false, with a message, if memory is exhausted.  */
bool leak_suppressions_apply (const struct leak_suppressions *suppressions,
			      struct heap_profile *profile);

void leak_suppressions_release (struct leak_suppressions *suppressions);

#endif /* HEAPPROF_LEAK_SUPPRESSIONS_H */
