/* What a function is called across compilers: its canonical name and GUID.
   SPDX-License-Identifier: GPL-3.0-or-later

   A GUID is the first 8 bytes, little-endian, of the MD5 digest of the
   linkage name.  Compilers give their own copies of a function a suffix
   (`foo.constprop.0', `foo.llvm.4711'), which is cut off first, so that all
   copies are one function.  */

#ifndef HEAPPROF_FUNCTION_ID_H
#define HEAPPROF_FUNCTION_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* How many of the N bytes of NAME remain when the compilers' suffixes are cut
     off: any sequence of GCC's `.constprop.N', `.isra.N', `.part.N',
     `.lto_priv.N', `.cold', `.cold.N', `.localalias', `.localalias.N', and
     LLVM's `.llvm.X' and `.part.X'.  Never 0 unless N is.  */
  size_t function_canonical_bytes (const char *name, size_t n);

  /* GUID of the N bytes of NAME as they are.  */
  uint64_t function_guid (const char *name, size_t n);

  /* GUID of the canonical part of the NUL-terminated NAME; 0 if NAME is empty:
     no function.  */
  uint64_t function_canonical_guid (const char *name);

  /* GCC has one entry, and one body to inline, for all variants of a
     constructor, with a linkage name that no symbol has: `C4' where symbols
     have `C1' and `C2'.  If the mangled NAME is that of such a constructor or
     destructor, make it in place that of the base variant, C2 or D2.  False if
     it is another.  */
  bool function_base_variant (char *name);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_FUNCTION_ID_H */
