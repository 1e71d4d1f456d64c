/* Marks of local functions in linkage names.
   SPDX-License-Identifier: GPL-3.0-or-later

   In linkage names, GCC 15 and later mark the functions and variables of
   unnamed namespaces as local, by an `L' before the last part:
   `_ZN12_GLOBAL__N_1L4makeEv'.  Earlier versions of GCC only mark those that
   are also static, and clang none.  Without the marks all have one name.  A
   static function of a named namespace has its mark from every compiler and
   keeps it.  */

#ifndef HEAPPROF_LOCAL_MARKS_H
#define HEAPPROF_LOCAL_MARKS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* Return true if the N bytes of NAME may contain such marks.  Fast; few names
     do.  */
  bool local_marks_are_possible (const char *name, size_t n);

  /* Return a copy of the *N bytes of NAME without such marks, malloced, and set
   *N to its length; there is no NUL.  NULL if memory is exhausted.  */
  char *local_marks_remove (const char *name, size_t *n);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_LOCAL_MARKS_H */
