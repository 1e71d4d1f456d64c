/* The context token: the hint of the calling context, for allocations without
   one of their own.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Calls of the program set it (heapprof/abi.h).  Compiled allocations that
   need it read it themselves; those of other libraries, and those through
   pointers to malloc, come to this library's malloc, calloc and realloc, which
   do.
   Only in the shared library: a static program has the C library's malloc.  */

#ifndef HEAPPROF_HINT_TOKEN_H
#define HEAPPROF_HINT_TOKEN_H

#include "hint-kind.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef PIC

/* A hint, exclusive-or 222.  Objects that use tokens define it, too; the
   program's definition is the one in use.  */
extern __thread int __heapprof_hint_token
  __attribute__ ((visibility ("default")));

/* The malloc that follows the token; NULL before the library is initialized. */
extern void *(*hint_malloc_by_token) (size_t size) HINT_PRIVATE;

/* Evaluate CALL, of an allocation function, without a token.  */
#define WITHOUT_TOKEN(call)                                                    \
  ({                                                                           \
    const int token_ = __heapprof_hint_token;                                  \
    __heapprof_hint_token = 0;                                                 \
    const __auto_type result_ = (call);                                        \
    __heapprof_hint_token = token_;                                            \
    result_;                                                                   \
  })
#define HAS_TOKEN __builtin_expect (__heapprof_hint_token != 0, false)

#else

#define WITHOUT_TOKEN(call) (call)
#define HAS_TOKEN false

#endif

/* CALL, as a jump if possible.  */
#define PLAIN_CALL(call) (HAS_TOKEN ? WITHOUT_TOKEN (call) : (call))

#endif /* HEAPPROF_HINT_TOKEN_H */
