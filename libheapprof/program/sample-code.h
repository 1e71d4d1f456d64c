/* malloc, free and realloc with samples as code made at run time.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A shared library does not know its thread-local variables' distance from the
   thread pointer before it is loaded, nor where the next allocator is, so it
   has to load both.  Code that is written once they are known has them as
   constants, and needs three instructions less for malloc and free together:

     malloc:  sub %rdi, %fs:LEFT		free:  cmp LOWEST, %rdi
	      jae NEXT_MALLOC			       jb NEXT_FREE
	      jmp rt_sample_due			       jmp rt_sample_release

     realloc: cmp LOWEST, %rdi
	      jae 1f
	      sub %rsi, %fs:LEFT
	      jae NEXT_REALLOC
	      jmp rt_sample_realloc_due
     1:	      jmp rt_sample_realloc_own

   It does what that in sample.c does.  */

#ifndef HEAPPROF_SAMPLE_CODE_H
#define HEAPPROF_SAMPLE_CODE_H

#include <stdbool.h>

/* What a call jumps to; all are NULL if it is not allowed to make code, or
   there is no room near the next allocator.  */
struct rt_sample_code
{
  void *malloc;
  void *free;
  void *realloc;
};

struct rt_sample_code rt_sample_code_make (void);

#endif /* HEAPPROF_SAMPLE_CODE_H */
