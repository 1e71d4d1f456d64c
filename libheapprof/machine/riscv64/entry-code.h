/* Code through which programs enter the library, on RISC-V: route.h and
   sample.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Registers that no argument is in may change: t1 to t4.  */

#ifndef HEAPPROF_ENTRY_CODE_H
#define HEAPPROF_ENTRY_CODE_H

/* Jump to TARGET; jump to where the variable of that name says.  */
#define MACHINE_JUMP(target) "	tail " target "\n"
#define MACHINE_JUMP_BY(variable)                                              \
  "	ld t1, " variable "\n"                                                 \
  "	jr t1\n"

#define MACHINE_ENTRY_ALIGNMENT "4"
#define MACHINE_BRANCH_TARGET ""
#include "entry-symbol.h"

/* What a route leads to at first: have the address of the struct rt_route that
   is labelled 0 above, and go to rt_route_first.  */
#define MACHINE_ROUTE_START                                                    \
  "	lla t2, 0b\n"                                                              \
  "	tail rt_route_first\n"

/* Call rt_route_decide, and jump to what its variable says if that is true, to
   the function that profiles if not.  */
#define MACHINE_ROUTE_FIRST                                                    \
  "	addi sp, sp, -64\n"                                                        \
  "	.cfi_def_cfa_offset 64\n"                                                  \
  "	sd ra, 56(sp)\n"                                                           \
  "	sd s0, 48(sp)\n"                                                           \
  "	.cfi_offset ra, -8\n"                                                      \
  "	.cfi_offset s0, -16\n"                                                     \
  "	addi s0, sp, 64\n"                                                         \
  "	sd a0, 0(sp)\n"                                                            \
  "	sd a1, 8(sp)\n"                                                            \
  "	sd a2, 16(sp)\n"                                                           \
  "	sd a3, 24(sp)\n"                                                           \
  "	sd t2, 32(sp)\n"                                                           \
  "	call rt_route_decide\n"                                                    \
  "	andi t1, a0, 255\n"                                                        \
  "	ld t2, 32(sp)\n"                                                           \
  "	ld a3, 24(sp)\n"                                                           \
  "	ld a2, 16(sp)\n"                                                           \
  "	ld a1, 8(sp)\n"                                                            \
  "	ld a0, 0(sp)\n"                                                            \
  "	ld s0, 48(sp)\n"                                                           \
  "	ld ra, 56(sp)\n"                                                           \
  "	.cfi_restore ra\n"                                                         \
  "	.cfi_restore s0\n"                                                         \
  "	addi sp, sp, 64\n"                                                         \
  "	.cfi_def_cfa_offset 0\n"                                                   \
  "	beqz t1, 1f\n"                                                             \
  "	ld t2, 0(t2)\n"                                                            \
  "	ld t2, 0(t2)\n"                                                            \
  "	jr t2\n"                                                                   \
  "1:	ld t2, 8(t2)\n"                                                          \
  "	jr t2\n"

/* Subtract the register SIZE from the thread's rt_sampler.left; go to label 1
   if that was less.  */
#ifdef PIC
#define MACHINE_SAMPLER                                                        \
  "	la.tls.ie t1, rt_sampler\n"                                                \
  "	add t1, t1, tp\n"
#else
#define MACHINE_SAMPLER                                                        \
  "	lui t1, %tprel_hi(rt_sampler)\n"                                           \
  "	add t1, t1, tp, %tprel_add(rt_sampler)\n"                                  \
  "	addi t1, t1, %tprel_lo(rt_sampler)\n"
#endif
#define MACHINE_SAMPLE_SUBTRACT(size)                                          \
  MACHINE_SAMPLER                                                              \
  "	ld t2, 0(t1)\n"                                                            \
  "	sub t3, t2, " size "\n"                                                \
  "	sd t3, 0(t1)\n"                                                            \
  "	bltu t2, " size ", 1f\n"

/* Subtract the first argument from the thread's rt_sampler.left; go to DUE if
   that was less, otherwise to OTHER, what MACHINE_JUMP or MACHINE_JUMP_BY
   made.  */
#define MACHINE_SAMPLE_COUNT(other, due)                                       \
  MACHINE_SAMPLE_SUBTRACT ("a0") other "1:	tail " due "\n"

/* Go to OWN if the first argument is at rt_span_lowest or above, otherwise to
   where the variable NEXT says.  */
#define MACHINE_SAMPLE_BLOCK(next, own)                                        \
  "	ld t1, rt_span_lowest\n"                                                   \
  "	bgeu a0, t1, 1f\n" MACHINE_JUMP_BY (next) "1:	tail " own "\n"

/* The same, and before going to where NEXT says subtract the second argument
   from the thread's rt_sampler.left; go to DUE if that was less.  */
#define MACHINE_SAMPLE_RESIZE(next, due, own)                                  \
  "	ld t1, rt_span_lowest\n"                                                   \
  "	bgeu a0, t1, 2f\n" MACHINE_SAMPLE_SUBTRACT ("a1")                      \
    MACHINE_JUMP_BY (next) "1:	tail " due "\n"                                \
			   "2:	tail " own "\n"

/* Subtract the product of the first two arguments from the thread's
   rt_sampler.left; go to DUE if that was less, otherwise, or if the product is
   too large, to where the variable NEXT says.  */
#define MACHINE_SAMPLE_PRODUCT(next, due)                                      \
  "	mulhu t4, a0, a1\n"                                                        \
  "	bnez t4, 2f\n"                                                             \
  "	mul t4, a0, a1\n" MACHINE_SAMPLE_SUBTRACT (                            \
    "t4") "2:" MACHINE_JUMP_BY (next) "1:" MACHINE_JUMP (due)

#endif /* HEAPPROF_ENTRY_CODE_H */
