/* What machine-level profiles need of the machine, on RISC-V 64.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_MIP_MACHINE_H
#define HEAPPROF_MIP_MACHINE_H

#include "mip-called.h"
#include "system-call.h"
#include <stdint.h>
#include <time.h>

/* The most bytes of a page.  */
#define MIP_PAGE_BYTES 4096

/* Return the time in ticks of about half a second.  Programs cannot tell how
   fast the processor's own counter is.  */

static inline uint8_t
mip_ticks (void)
{
  struct timespec now = { 0, 0 };
  system_call_inline_3 (SYS_clock_gettime, CLOCK_MONOTONIC, (long) &now, 0);
  return (uint8_t) (((uint64_t) now.tv_sec * 1000000000
		     + (uint64_t) now.tv_nsec)
		    >> 29);
}

/* Define the helper NAME: run FIRST, which may return, and call FUNCTION with
   arguments that MOVES puts into place.  The instrumented function's return
   address stays in ra.  The probe calls the helper with t0 as the link
   register, as prologues call code that saves registers, so unwinders take
   column 5 as the return address.  This library does not use floating-point
   registers.  */
/* clang-format off */
#define MIP_HELPER_WITH(NAME, FUNCTION, FIRST, MOVES) \
  __asm__ ( \
    MIP_HELPER_BEGIN (NAME) \
    "	.cfi_return_column 5\n" \
    FIRST \
    "	addi	sp, sp, -128\n" \
    "	.cfi_def_cfa_offset 128\n" \
    "	sd	t0, 0(sp)\n" \
    "	sd	ra, 8(sp)\n" \
    "	.cfi_offset 5, -128\n" \
    "	.cfi_offset 1, -120\n" \
    "	sd	t1, 16(sp)\n" \
    "	sd	t2, 24(sp)\n" \
    "	sd	a0, 32(sp)\n" \
    "	sd	a1, 40(sp)\n" \
    "	sd	a2, 48(sp)\n" \
    "	sd	a3, 56(sp)\n" \
    "	sd	a4, 64(sp)\n" \
    "	sd	a5, 72(sp)\n" \
    "	sd	a6, 80(sp)\n" \
    "	sd	a7, 88(sp)\n" \
    "	sd	t3, 96(sp)\n" \
    "	sd	t4, 104(sp)\n" \
    MOVES \
    "	call	" FUNCTION "\n" \
    "	ld	t0, 0(sp)\n" \
    "	ld	ra, 8(sp)\n" \
    "	.cfi_same_value 5\n" \
    "	.cfi_same_value 1\n" \
    "	ld	t1, 16(sp)\n" \
    "	ld	t2, 24(sp)\n" \
    "	ld	a0, 32(sp)\n" \
    "	ld	a1, 40(sp)\n" \
    "	ld	a2, 48(sp)\n" \
    "	ld	a3, 56(sp)\n" \
    "	ld	a4, 64(sp)\n" \
    "	ld	a5, 72(sp)\n" \
    "	ld	a6, 80(sp)\n" \
    "	ld	a7, 88(sp)\n" \
    "	ld	t3, 96(sp)\n" \
    "	ld	t4, 104(sp)\n" \
    "	addi	sp, sp, 128\n" \
    "	.cfi_def_cfa_offset 0\n" \
    "	jr	t0\n" \
    MIP_HELPER_END (NAME))
/* clang-format on */

/* Likewise, with the slot's address, passed in t6.  */
#define MIP_HELPER(NAME, FUNCTION)                                             \
  MIP_HELPER_WITH (NAME, FUNCTION, "", "	mv	a0, t6\n")

/* Likewise, before a call through a pointer: the called function is in t5, the
   call site's data in t6, and where the call returns to in t4.
   If the first place for the pair in
   mip_pointer_table has this pair, count there, and take back the count of the
   call site in advance, except from time to time.  */
/* clang-format off */
#define MIP_POINTER_HELPER(NAME, FUNCTION) \
  MIP_HELPER_WITH (NAME, FUNCTION, \
    "	addi	sp, sp, -16\n" \
    "	.cfi_adjust_cfa_offset 16\n" \
    "	sd	t1, 0(sp)\n" \
    "	sd	t3, 8(sp)\n" \
    "	srliw	t1, t5, 4\n" \
    "	srliw	t3, t6, 3\n" \
    "	xor	t1, t1, t3\n" \
    "	andi	t1, t1, 1023\n" \
    "	slli	t3, t1, 1\n" \
    "	add	t1, t1, t3\n" \
    "	slli	t1, t1, 3\n" \
    "	lla	t3, mip_pointer_table\n" \
    "	add	t1, t1, t3\n" \
    "	ld	t3, 8(t1)\n" \
    "	bne	t3, t5, 2f\n" \
    "	ld	t3, 0(t1)\n" \
    "	bne	t3, t6, 2f\n" \
    "	ld	t3, 16(t1)\n" \
    "	andi	t3, t3, 15\n" \
    "	beqz	t3, 2f\n" \
    "	ld	t3, 16(t1)\n" \
    "	addi	t3, t3, 1\n" \
    "	sd	t3, 16(t1)\n" \
    "	ld	t3, 8(t6)\n" \
    "	addi	t3, t3, -1\n" \
    "	sd	t3, 8(t6)\n" \
    "	ld	t1, 0(sp)\n" \
    "	ld	t3, 8(sp)\n" \
    "	addi	sp, sp, 16\n" \
    "	.cfi_adjust_cfa_offset -16\n" \
    "	jr	t0\n" \
    "	.cfi_adjust_cfa_offset 16\n" \
    "2:	ld	t1, 0(sp)\n" \
    "	ld	t3, 8(sp)\n" \
    "	addi	sp, sp, 16\n" \
    "	.cfi_adjust_cfa_offset -16\n", \
    "	mv	a0, t5\n" \
    "	mv	a1, t6\n" \
    "	mv	a2, t4\n")
/* clang-format on */

#endif /* HEAPPROF_MIP_MACHINE_H */
