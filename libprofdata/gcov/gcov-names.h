/* Names of the functions in gcc's own counters.
   SPDX-License-Identifier: GPL-3.0-or-later

   A data file knows functions by ident alone.  Notes have the names.  Without
   them, a name may be known from elsewhere: from notes of another object with
   the same function, or as a public name whose ident fits.  */

#ifndef HEAPPROF_GCOV_NAMES_H
#define HEAPPROF_GCOV_NAMES_H

#include "gcov-notes.h"
#include "gcov-profile.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* Give the functions of UNIT their names and files in NOTES, which must be of
     the same compilation.  False if memory cannot be had.  */
  bool gcov_names_from_notes (struct gcov_unit *unit,
			      const struct gcov_notes *notes);

  /* Give functions of PROFILE without name the name of one with the same ident
     and checksum of name and line; else the one of the N NAMES that gives their
     ident.  If there are two, neither.  The result does not depend on any
     order. False if memory cannot be had.  */
  bool gcov_names_complete (struct gcov_profile *profile,
			    const char *const *names, size_t n);

  /* Is FUNCTION, whose name is known, public?  Its ident says so.  */
  bool gcov_names_is_public (const struct gcov_function *function);

  /* The name of FUNCTION in LLVM's formats, malloced: the assembler name;
     behind the file and `;' if it is local; `?' and the ident, in 8 hexadecimal
     digits, if it is unknown.  NULL if memory cannot be had.  */
  char *gcov_names_indexed (const struct gcov_function *function);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_GCOV_NAMES_H */
