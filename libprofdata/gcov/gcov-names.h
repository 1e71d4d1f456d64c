/* Names of the functions in GCC's own counters.
   SPDX-License-Identifier: GPL-3.0-or-later

   A data file identifies functions only by ident.  Notes have the names.
   Without notes, a name may be known from notes of another object with the same
   function, or as a public name with the same ident.  */

#ifndef HEAPPROF_GCOV_NAMES_H
#define HEAPPROF_GCOV_NAMES_H

#include "gcov-notes.h"
#include "gcov-profile.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* Set names and files of the functions of UNIT from NOTES, which must be from
     the same compilation.  Return false if memory is exhausted.  */
  bool gcov_names_from_notes (struct gcov_unit *unit,
			      const struct gcov_notes *notes);

  /* Name each unnamed function of PROFILE after one with the same ident and
     checksum of name and line; otherwise after the one of the N NAMES that has
     its ident.  If several names fit, none is used.  The result does not depend
     on any order.  Return false if memory is exhausted.  */
  bool gcov_names_complete (struct gcov_profile *profile,
			    const char *const *names, size_t n);

  /* Return true if FUNCTION, whose name is known, is public according to its
     ident.  */
  bool gcov_names_is_public (const struct gcov_function *function);

  /* Return the name of FUNCTION in LLVM's formats, malloced: the assembler
     name; after the file and `;' if it is local; `?' and the ident, in 8
     hexadecimal digits, if it is unknown.  NULL if memory is exhausted.  */
  char *gcov_names_indexed (const struct gcov_function *function);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_GCOV_NAMES_H */
