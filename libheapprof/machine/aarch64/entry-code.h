/* Code through which programs enter the library, on AArch64: route.h and
   sample.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Registers that no argument is in may change: x16 and x17, which also linkers
   use between caller and function.  Jumps through these may lead to `bti c',
   which is hint 34.  */

#ifndef HEAPPROF_ENTRY_CODE_H
#define HEAPPROF_ENTRY_CODE_H

#define MACHINE_BRANCH_TARGET "	hint #34\n"

/* Jump to TARGET; jump to where the variable of that name says.  */
#define MACHINE_JUMP(target) "	b " target "\n"
#define MACHINE_JUMP_BY(variable)                                              \
  "	adrp x16, " variable "\n"                                              \
  "	ldr x16, [x16, #:lo12:" variable "]\n"                                 \
  "	br x16\n"

#define MACHINE_ENTRY_ALIGNMENT "4"
#include "entry-symbol.h"

/* What a route leads to at first: have the address of the struct rt_route that
   is labelled 0 above, and go to rt_route_first.  */
#define MACHINE_ROUTE_START                                                    \
  MACHINE_BRANCH_TARGET "	adrp x16, 0b\n"                                      \
			"	add x16, x16, #:lo12:0b\n"                           \
			"	b rt_route_first\n"

/* Call rt_route_decide, and jump to what its variable says if that is true, to
   the function that profiles if not.  */
#define MACHINE_ROUTE_FIRST                                                    \
  "	stp x29, x30, [sp, #-64]!\n"                                               \
  "	.cfi_def_cfa_offset 64\n"                                                  \
  "	.cfi_offset x29, -64\n"                                                    \
  "	.cfi_offset x30, -56\n"                                                    \
  "	mov x29, sp\n"                                                             \
  "	stp x0, x1, [sp, #16]\n"                                                   \
  "	stp x2, x3, [sp, #32]\n"                                                   \
  "	str x16, [sp, #48]\n"                                                      \
  "	bl rt_route_decide\n"                                                      \
  "	and w17, w0, #255\n"                                                       \
  "	ldr x16, [sp, #48]\n"                                                      \
  "	ldp x2, x3, [sp, #32]\n"                                                   \
  "	ldp x0, x1, [sp, #16]\n"                                                   \
  "	ldp x29, x30, [sp], #64\n"                                                 \
  "	.cfi_restore x29\n"                                                        \
  "	.cfi_restore x30\n"                                                        \
  "	.cfi_def_cfa_offset 0\n"                                                   \
  "	cbz w17, 1f\n"                                                             \
  "	ldr x16, [x16]\n"                                                          \
  "	ldr x16, [x16]\n"                                                          \
  "	br x16\n"                                                                  \
  "1:	ldr x16, [x16, #8]\n"                                                    \
  "	br x16\n"

/* Subtract the register SIZE from the thread's rt_sampler.left; go to label 1
   if that was less.  */
#ifdef PIC
#define MACHINE_SAMPLER                                                        \
  "	mrs x16, tpidr_el0\n"                                                      \
  "	adrp x17, :gottprel:rt_sampler\n"                                          \
  "	ldr x17, [x17, #:gottprel_lo12:rt_sampler]\n"                              \
  "	add x16, x16, x17\n"
#else
#define MACHINE_SAMPLER                                                        \
  "	mrs x16, tpidr_el0\n"                                                      \
  "	add x16, x16, #:tprel_hi12:rt_sampler, lsl #12\n"                          \
  "	add x16, x16, #:tprel_lo12_nc:rt_sampler\n"
#endif
#define MACHINE_SAMPLE_SUBTRACT(size)                                          \
  MACHINE_SAMPLER "	ldr x17, [x16]\n"                                          \
		  "	subs x17, x17, " size "\n"                             \
		  "	str x17, [x16]\n"                                          \
		  "	b.lo 1f\n"

/* Subtract the first argument from the thread's rt_sampler.left; go to DUE if
   that was less, otherwise to OTHER, what MACHINE_JUMP or MACHINE_JUMP_BY
   made.  */
#define MACHINE_SAMPLE_COUNT(other, due)                                       \
  MACHINE_BRANCH_TARGET MACHINE_SAMPLE_SUBTRACT ("x0") other                   \
    "1:" MACHINE_JUMP (due)

/* Go to OWN if the first argument is at rt_span_lowest or above, otherwise to
   where the variable NEXT says.  */
#define MACHINE_SAMPLE_COMPARE                                                 \
  "	adrp x16, rt_span_lowest\n"                                                \
  "	ldr x16, [x16, #:lo12:rt_span_lowest]\n"                                   \
  "	cmp x0, x16\n"
#define MACHINE_SAMPLE_BLOCK(next, own)                                        \
  MACHINE_BRANCH_TARGET MACHINE_SAMPLE_COMPARE                                 \
    "	b.hs 1f\n" MACHINE_JUMP_BY (next) "1:	b " own "\n"

/* The same, and before going to where NEXT says subtract the second argument
   from the thread's rt_sampler.left; go to DUE if that was less.  */
#define MACHINE_SAMPLE_RESIZE(next, due, own)                                  \
  MACHINE_BRANCH_TARGET MACHINE_SAMPLE_COMPARE                                 \
    "	b.hs 2f\n" MACHINE_SAMPLE_SUBTRACT ("x1")                              \
      MACHINE_JUMP_BY (next) "1:	b " due "\n"                           \
			     "2:	b " own "\n"

/* Subtract the product of the first two arguments from the thread's
   rt_sampler.left; go to DUE if that was less, otherwise, or if the product is
   too large, to where the variable NEXT says.  */
#define MACHINE_SAMPLE_PRODUCT(next, due)                                      \
  MACHINE_BRANCH_TARGET                                                        \
  "	umulh x9, x0, x1\n"                                                        \
  "	cbnz x9, 2f\n"                                                             \
  "	mul x9, x0, x1\n" MACHINE_SAMPLE_SUBTRACT (                            \
    "x9") "2:" MACHINE_JUMP_BY (next) "1:" MACHINE_JUMP (due)

#endif /* HEAPPROF_ENTRY_CODE_H */
