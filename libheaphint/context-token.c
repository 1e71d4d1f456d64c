/* The malloc and calloc that follow the context token; for realloc see
   intercept.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The C++ library's operators new call malloc, so they follow it as well.  The
   blocks come back through free (intercept.c), whoever releases them.  */

#include "hint-token.h"
#include "bytes.h"
#include "cache.h"
#include "plain-malloc.h"
#include "select.h"
#include <stdlib.h>

#ifdef PIC

#define ENTRY __attribute__ ((weak, visibility ("default")))

/* Return memory where the token says, zeroed if ZEROED; NULL if that is plain
   memory or there is none.  Backends may allocate for themselves, so the token
   is not set meanwhile.  */

static __attribute__ ((noinline)) void *
allocate_by_token (size_t size, bool zeroed)
{
  const int token = __heapprof_hint_token;
  const unsigned pool = hint_pool_of (token ^ HEAPPROF_HINT_AMBIGUOUS);
  if (pool == HINT_NO_POOL)
    return NULL;
  void *data;
  if (__builtin_expect (hint_cache_take (pool, size, &data), true))
    return zeroed ? own_memset (data, 0, size) : data;
  __heapprof_hint_token = 0;
  data = hint_allocate (pool, size, HINT_ALIGNMENT, zeroed);
  __heapprof_hint_token = token;
  return data;
}

static inline void *
follow_token (size_t size, bool zeroed)
{
  return HAS_TOKEN ? allocate_by_token (size, zeroed) : NULL;
}

ENTRY void *
malloc (size_t size)
{
  void *const data = follow_token (size, false);
  return data != NULL ? data : hint_plain_malloc (size);
}

/* So that realloc, which the choice of a backend depends on, knows it.  */

__attribute__ ((constructor)) static void
start (void)
{
  hint_malloc_by_token = malloc;
}

ENTRY void *
calloc (size_t count, size_t size)
{
  size_t bytes;
  void *data = NULL;
  if (!__builtin_mul_overflow (count, size, &bytes))
    data = follow_token (bytes, true);
  return data != NULL ? data : hint_plain_calloc (count, size);
}

#endif
