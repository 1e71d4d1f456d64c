/* Allocation with a hint how hot the memory will be: libheaphint.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Compilers that use a heap profile call these functions; so may programs.
   Each does what the C function of its name does, errno included, and the
   block is released and resized with free and realloc as any other.

   A HINT is a number from 0 to 255, as __hot_cold_t of the C++ operators:

     0-127    cold: the block lies together with other cold ones
     128-222  the program's malloc
     223-255  hot: the block lies together with other hot ones

   A number outside of that is as 128.  Memory of a kind that cannot be had
   comes from the program's malloc.  */

#ifndef HEAPPROF_HEAPHINT_H
#define HEAPPROF_HEAPHINT_H

#include <stddef.h>

#define HEAPPROF_HINT_COLD 1
#define HEAPPROF_HINT_NOT_COLD 128
#define HEAPPROF_HINT_AMBIGUOUS 222 /* cold in some contexts */
#define HEAPPROF_HINT_HOT 254

#ifdef __cplusplus
extern "C"
{
#endif

  void *heapprof_malloc_hinted (size_t size, int hint)
    __attribute__ ((malloc, alloc_size (1)));
  void *heapprof_calloc_hinted (size_t count, size_t size, int hint)
    __attribute__ ((malloc, alloc_size (1, 2)));

  /* DATA may come from any allocation function.  The block moves to memory of
     the kind that HINT asks for.  */
  void *heapprof_realloc_hinted (void *data, size_t size, int hint)
    __attribute__ ((warn_unused_result, alloc_size (2)));

  void *heapprof_aligned_alloc_hinted (size_t alignment, size_t size, int hint)
    __attribute__ ((malloc, alloc_size (2), alloc_align (1)));
  int heapprof_posix_memalign_hinted (void **result, size_t alignment,
				      size_t size, int hint);
  char *heapprof_strdup_hinted (const char *string, int hint)
    __attribute__ ((malloc));
  char *heapprof_strndup_hinted (const char *string, size_t most, int hint)
    __attribute__ ((malloc));

  /* What cold and hot memory is taken from: "pools" of this library's own,
     "jemalloc", "mimalloc", or "none" when hints are not followed.  The string
     is constant.  */
  const char *heapprof_hint_backend (void);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_HEAPHINT_H */
