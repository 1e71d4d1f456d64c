/* Code through which programs enter the library, on s390x: route.h and
   sample.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Registers that no argument is in may change: %r0 and %r1, and %r4 in
   functions with two arguments.  */

#ifndef HEAPPROF_ENTRY_CODE_H
#define HEAPPROF_ENTRY_CODE_H

/* Jump to TARGET; jump to where the variable of that name says.  */
#define MACHINE_JUMP(target) "	jg " target "\n"
#define MACHINE_JUMP_BY(variable)                                              \
  "	lgrl %r1, " variable "\n"                                              \
  "	br %r1\n"

#define MACHINE_ENTRY_ALIGNMENT "16"
#define MACHINE_BRANCH_TARGET ""
#include "entry-symbol.h"

/* What a route leads to at first: have the address of the struct rt_route that
   is labelled 0 above, and go to rt_route_first.  */
#define MACHINE_ROUTE_START                                                    \
  "	larl %r1, 0b\n"                                                            \
  "	jg rt_route_first\n"

/* Call rt_route_decide, and jump to what its variable says if that is true, to
   the function that profiles if not.  */
#define MACHINE_ROUTE_FIRST                                                    \
  "	stmg %r14, %r15, 112(%r15)\n"                                              \
  "	.cfi_offset %r14, -48\n"                                                   \
  "	.cfi_offset %r15, -40\n"                                                   \
  "	aghi %r15, -200\n"                                                         \
  "	.cfi_def_cfa_offset 360\n"                                                 \
  "	stmg %r1, %r5, 160(%r15)\n"                                                \
  "	brasl %r14, rt_route_decide\n"                                             \
  "	llgcr %r0, %r2\n"                                                          \
  "	lmg %r1, %r5, 160(%r15)\n"                                                 \
  "	lmg %r14, %r15, 312(%r15)\n"                                               \
  "	.cfi_restore %r14\n"                                                       \
  "	.cfi_restore %r15\n"                                                       \
  "	.cfi_def_cfa_offset 160\n"                                                 \
  "	ltgr %r0, %r0\n"                                                           \
  "	je 1f\n"                                                                   \
  "	lg %r1, 0(%r1)\n"                                                          \
  "	lg %r1, 0(%r1)\n"                                                          \
  "	br %r1\n"                                                                  \
  "1:	lg %r1, 8(%r1)\n"                                                        \
  "	br %r1\n"

/* Subtract the register SIZE from the thread's rt_sampler.left; go to label 1
   if that was less.  */
#define MACHINE_SAMPLE_SUBTRACT(size)                                          \
  "	ear %r1, %a0\n"                                                            \
  "	sllg %r1, %r1, 32\n"                                                       \
  "	ear %r1, %a1\n"                                                            \
  "	lgrl %r0, rt_sampler@INDNTPOFF\n"                                          \
  "	agr %r1, %r0\n"                                                            \
  "	lg %r0, 0(%r1)\n"                                                          \
  "	slgr %r0, " size "\n"                                                  \
  "	stg %r0, 0(%r1)\n"                                                         \
  "	jl 1f\n"

/* Subtract the first argument from the thread's rt_sampler.left; go to DUE if
   that was less, otherwise to OTHER, what MACHINE_JUMP or MACHINE_JUMP_BY
   made.  */
#define MACHINE_SAMPLE_COUNT(other, due)                                       \
  MACHINE_SAMPLE_SUBTRACT ("%r2") other "1:" MACHINE_JUMP (due)

/* Compare the first argument with rt_span_lowest.  */
#define MACHINE_SAMPLE_COMPARE                                                 \
  "	lgrl %r1, rt_span_lowest\n"                                                \
  "	clgr %r2, %r1\n"

/* Go to OWN if the first argument is at rt_span_lowest or above, otherwise to
   where the variable NEXT says.  */
#define MACHINE_SAMPLE_BLOCK(next, own)                                        \
  MACHINE_SAMPLE_COMPARE                                                       \
  "	jhe 1f\n" MACHINE_JUMP_BY (next) "1:" MACHINE_JUMP (own)

/* The same, and before going to where NEXT says subtract the second argument
   from the thread's rt_sampler.left; go to DUE if that was less.  */
#define MACHINE_SAMPLE_RESIZE(next, due, own)                                  \
  MACHINE_SAMPLE_COMPARE "	jhe 2f\n" MACHINE_SAMPLE_SUBTRACT ("%r3")      \
    MACHINE_JUMP_BY (next) "1:" MACHINE_JUMP (due) "2:" MACHINE_JUMP (own)

/* Subtract the product of the first two arguments from the thread's
   rt_sampler.left; go to DUE if that was less, otherwise, or if the product is
   too large, to where the variable NEXT says.  */
#define MACHINE_SAMPLE_PRODUCT(next, due)                                      \
  "	lgr %r1, %r2\n"                                                            \
  "	mlgr %r0, %r3\n"                                                           \
  "	ltgr %r0, %r0\n"                                                           \
  "	jne 2f\n"                                                                  \
  "	lgr %r4, %r1\n" MACHINE_SAMPLE_SUBTRACT ("%r4") "2:" MACHINE_JUMP_BY ( \
    next) "1:" MACHINE_JUMP (due)

#endif /* HEAPPROF_ENTRY_CODE_H */
