/* Canonical names and GUIDs of functions, common to all compilers.
   SPDX-License-Identifier: GPL-3.0-or-later

   A GUID is the first 8 bytes, little-endian, of the MD5 digest of the linkage
   name.  Compilers add a suffix to the names of function copies that they
   create (`foo.constprop.0', `foo.llvm.4711').  It is removed first, so that
   all copies count as one function.  */

#ifndef HEAPPROF_FUNCTION_ID_H
#define HEAPPROF_FUNCTION_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* Return how many of the N bytes of NAME remain without compiler suffixes:
     any sequence of GCC's `.constprop.N', `.isra.N', `.part.N', `.lto_priv.N',
     `.cold', `.cold.N', `.localalias', `.localalias.N', and LLVM's `.llvm.X'
     and `.part.X'.  Never 0 unless N is 0.  */
  size_t function_canonical_bytes (const char *name, size_t n);

  /* Return the GUID of the N bytes of NAME, suffixes included.  */
  uint64_t function_guid (const char *name, size_t n);

  /* Return the GUID of the N bytes of NAME without compiler suffixes and marks
     of local functions (see local-marks.h): the same for all compilers.  0 if N
     is 0 (no function), or if memory is exhausted.  */
  uint64_t function_canonical_guid_n (const char *name, size_t n);

  /* function_canonical_guid_n of the NUL-terminated NAME.  */
  uint64_t function_canonical_guid (const char *name);

  /* GCC has one entry, and one body to inline, for all variants of a
     constructor.  Its linkage name is no symbol: it has `C4' where symbols have
     `C1' and `C2'.  If the mangled NAME is of such a constructor or destructor,
     change it in place to the base variant, C2 or D2.  Return false for any
     other name.  */
  bool function_base_variant (char *name);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_FUNCTION_ID_H */
