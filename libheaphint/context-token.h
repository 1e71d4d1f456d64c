/* The context token: the hint of the calling context, for allocations without
   one of their own.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Calls of the program set it (heapprof/abi.h).  Compiled allocations that
   need it read it themselves; those of other libraries, and those through
   pointers to malloc, come to the malloc and calloc of this library, which do.
   Only in the shared library: a static program has the C library's malloc.  */

#ifndef HEAPPROF_HINT_CONTEXT_TOKEN_H
#define HEAPPROF_HINT_CONTEXT_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

#ifdef PIC

/* A hint, exclusive-or 222.  Objects that use tokens define it, too; the
   program's definition is the one in use.  */
extern __thread int __heapprof_hint_token
  __attribute__ ((visibility ("default")));

/* Return memory where the token says, zeroed if ZEROED; NULL if that is plain
   memory or there is none.  */
void *hint_allocate_by_token (size_t size, bool zeroed);

static inline void *
hint_follow_token (size_t size, bool zeroed)
{
  return __builtin_expect (__heapprof_hint_token != 0, false)
	   ? hint_allocate_by_token (size, zeroed)
	   : NULL;
}

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

static inline void *
hint_follow_token (size_t size, bool zeroed)
{
  (void) size;
  (void) zeroed;
  return NULL;
}

#define WITHOUT_TOKEN(call) (call)
#define HAS_TOKEN false

#endif

/* CALL, as a jump if possible.  */
#define PLAIN_CALL(call) (HAS_TOKEN ? WITHOUT_TOKEN (call) : (call))

#endif /* HEAPPROF_HINT_CONTEXT_TOKEN_H */
