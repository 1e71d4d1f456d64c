/* libheaphint: allocation functions that take a hint about how hot the memory
   will be.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Compilers that use a heap profile emit calls to these functions; programs may
   call them too.  Each behaves like the C function it is named after, errno
   included, and its blocks are released and resized with free and realloc like
   any others.

   A HINT is a number from 0 to 255, as __hot_cold_t of the C++ operators:

     0-127    cold: the block is placed with other cold blocks
     128-222  the block comes from the program's malloc
     223-255  hot: the block is placed with other hot blocks

   plus 256 times a group, from 0 to 255: cold and hot blocks are placed with
   others of the same group.  The operators follow group 0 only.  Any other
   number is treated as 128.  If no cold or hot memory is available, the block
   comes from the program's malloc.  */

#ifndef HEAPPROF_HEAPHINT_H
#define HEAPPROF_HEAPHINT_H

#include <stddef.h>

#define HEAPPROF_HINT_COLD 1
#define HEAPPROF_HINT_NOT_COLD 128
#define HEAPPROF_HINT_AMBIGUOUS 222 /* cold in some contexts */
#define HEAPPROF_HINT_HOT 254
#define HEAPPROF_HINT_GROUP_SHIFT 8
#define HEAPPROF_HINT_GROUPS 256

#ifdef __cplusplus
extern "C"
{
#endif

  void *heapprof_malloc_hinted (size_t size, int hint)
    __attribute__ ((malloc, alloc_size (1)));
  void *heapprof_calloc_hinted (size_t count, size_t size, int hint)
    __attribute__ ((malloc, alloc_size (1, 2)));

  /* DATA may come from any allocation function.  The block moves to the kind of
     memory that HINT selects.  */
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

  /* Return where cold and hot memory comes from: "pools" (this library's own),
     "jemalloc", "mimalloc", or "none" if hints are ignored.  The string is
     constant.  */
  const char *heapprof_hint_backend (void);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_HEAPHINT_H */
