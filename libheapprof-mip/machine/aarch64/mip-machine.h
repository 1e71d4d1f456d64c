/* What machine-level profiles need of the machine, on AArch64.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_MIP_MACHINE_H
#define HEAPPROF_MIP_MACHINE_H

#include <stdint.h>

#include "mip-called.h"

/* The most bytes of a page.  */
#define MIP_PAGE_BYTES 65536

/* Return the time in ticks of half a second to a second.  */

static inline uint8_t
mip_ticks (void)
{
  uint64_t counter, frequency;
  __asm__ volatile("mrs	%0, cntvct_el0" : "=r"(counter));
  __asm__("mrs	%0, cntfrq_el0" : "=r"(frequency));
  return (uint8_t) (counter >> (63 - __builtin_clzll (frequency | 1)));
}

/* Define the helper NAME: run FIRST, which may return, call FUNCTION with
   arguments that MOVES puts into place, then put the instrumented function's
   return address, passed in x17, into x30.  This library does not use
   floating-point registers. The helper returns with "ret", which needs no
   landing instruction and pairs with the call for return predictors and shadow
   stacks.  Unwinders take column 16 as the return address, so that x30 can be
   the function's own.  */
/* clang-format off */
#define MIP_HELPER_WITH(NAME, FUNCTION, FIRST, MOVES) \
  __asm__ ( \
    MIP_HELPER_BEGIN (NAME) \
    "	.cfi_return_column 16\n" \
    "	.cfi_register 16, 30\n" \
    "	.cfi_register 30, 17\n" \
    "	hint	34\n"			/* bti c */ \
    FIRST \
    "	stp	x0, x1, [sp, #-160]!\n" \
    "	.cfi_def_cfa_offset 160\n" \
    "	stp	x2, x3, [sp, #16]\n" \
    "	stp	x4, x5, [sp, #32]\n" \
    "	stp	x6, x7, [sp, #48]\n" \
    "	stp	x8, x9, [sp, #64]\n" \
    "	stp	x10, x11, [sp, #80]\n" \
    "	stp	x12, x13, [sp, #96]\n" \
    "	stp	x14, x15, [sp, #112]\n" \
    "	str	x18, [sp, #128]\n" \
    "	stp	x17, x30, [sp, #144]\n" \
    "	.cfi_offset 30, -16\n" \
    "	.cfi_offset 16, -8\n" \
    MOVES \
    "	bl	" FUNCTION "\n" \
    "	ldp	x30, x16, [sp, #144]\n" \
    "	.cfi_same_value 30\n" \
    "	.cfi_same_value 16\n" \
    "	ldr	x18, [sp, #128]\n" \
    "	ldp	x14, x15, [sp, #112]\n" \
    "	ldp	x12, x13, [sp, #96]\n" \
    "	ldp	x10, x11, [sp, #80]\n" \
    "	ldp	x8, x9, [sp, #64]\n" \
    "	ldp	x6, x7, [sp, #48]\n" \
    "	ldp	x4, x5, [sp, #32]\n" \
    "	ldp	x2, x3, [sp, #16]\n" \
    "	ldp	x0, x1, [sp], #160\n" \
    "	.cfi_def_cfa_offset 0\n" \
    "	ret	x16\n" \
    MIP_HELPER_END (NAME))
/* clang-format on */

/* Likewise, with the slot's address, passed in x16.  */
#define MIP_HELPER(NAME, FUNCTION)                                             \
  MIP_HELPER_WITH (NAME, FUNCTION, "", "	mov	x0, x16\n")

/* Likewise, before a call through a pointer: the called function is in x16, the
   call site's data in x14, and where the call returns to in x15.
   If the first place for the pair in
   mip_pointer_table has this pair, count there, and take back the count of the
   call site in advance, except from time to time.  */
/* clang-format off */
#define MIP_POINTER_HELPER(NAME, FUNCTION) \
  MIP_HELPER_WITH (NAME, FUNCTION, \
    "	stp	x9, x10, [sp, #-16]!\n" \
    "	.cfi_adjust_cfa_offset 16\n" \
    "	lsr	w9, w16, #4\n" \
    "	eor	w9, w9, w14, lsr #3\n" \
    "	and	w9, w9, #1023\n" \
    "	add	w9, w9, w9, lsl #1\n" \
    "	adrp	x10, mip_pointer_table\n" \
    "	add	x10, x10, #:lo12:mip_pointer_table\n" \
    "	add	x10, x10, x9, lsl #3\n" \
    "	ldr	x9, [x10, #8]\n" \
    "	cmp	x9, x16\n" \
    "	b.ne	2f\n" \
    "	ldr	x9, [x10]\n" \
    "	cmp	x9, x14\n" \
    "	b.ne	2f\n" \
    "	ldr	x9, [x10, #16]\n" \
    "	tst	x9, #15\n" \
    "	b.eq	2f\n" \
    "	add	x9, x9, #1\n" \
    "	str	x9, [x10, #16]\n" \
    "	ldr	x9, [x14, #8]\n" \
    "	sub	x9, x9, #1\n" \
    "	str	x9, [x14, #8]\n" \
    "	.cfi_remember_state\n" \
    "	ldp	x9, x10, [sp], #16\n" \
    "	.cfi_adjust_cfa_offset -16\n" \
    "	mov	x16, x30\n" \
    "	.cfi_same_value 16\n" \
    "	mov	x30, x17\n" \
    "	.cfi_same_value 30\n" \
    "	ret	x16\n" \
    "	.cfi_restore_state\n" \
    "2:	ldp	x9, x10, [sp], #16\n" \
    "	.cfi_adjust_cfa_offset -16\n", \
    "	mov	x0, x16\n" \
    "	mov	x1, x14\n" \
    "	mov	x2, x15\n")
/* clang-format on */

#endif /* HEAPPROF_MIP_MACHINE_H */
