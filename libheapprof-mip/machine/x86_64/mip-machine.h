/* What machine-level profiles need of the machine, on x86-64.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_MIP_MACHINE_H
#define HEAPPROF_MIP_MACHINE_H

/* The value of bytes of coverage before anything is reached, and the encoding
   of their chunks.  */
#define MIP_UNMARKED 128
#define MIP_COVERAGE_ENCODING HEAPPROF_MIP_REACHED_SETS

/* The most bytes of a page.  */
#define MIP_PAGE_BYTES 4096

/* Mark a C function called by a helper: it preserves all registers.  */
#define MIP_CALLED_BY_HELPER __attribute__ ((no_caller_saved_registers, used))

/* Define the helper NAME, which a probe calls before a call through a pointer:
   if the first place for the pair in mip_pointer_table has another one, or from
   time to time, call FUNCTION.  The probe passes the called function in r11.
   Behind the call is an instruction with the address of the call site's data,
   one of 7 bytes, and one with the return address.  */
/* clang-format off */
#define MIP_POINTER_HELPER(NAME, FUNCTION) \
  __asm__ ( \
    "	.text\n" \
    "	.globl	" NAME "\n" \
    "	.hidden	" NAME "\n" \
    "	.type	" NAME ", @function\n" \
    NAME ":\n" \
    "	.cfi_startproc\n" \
    "	pushq	%rdi\n" \
    "	.cfi_adjust_cfa_offset 8\n" \
    "	pushq	%rsi\n" \
    "	.cfi_adjust_cfa_offset 8\n" \
    "	pushq	%rdx\n" \
    "	.cfi_adjust_cfa_offset 8\n" \
    "	movq	24(%rsp), %rdx\n" \
    "	movslq	3(%rdx), %rsi\n" \
    "	leaq	7(%rdx,%rsi), %rsi\n" /* the site's data */ \
    "	movl	%r11d, %edi\n" \
    "	shrl	$4, %edi\n" \
    "	movl	%esi, %edx\n" \
    "	shrl	$3, %edx\n" \
    "	xorl	%edx, %edi\n" \
    "	andl	$1023, %edi\n" \
    "	leal	(%rdi,%rdi,2), %edi\n" \
    "	leaq	mip_pointer_table(%rip), %rdx\n" \
    "	leaq	(%rdx,%rdi,8), %rdi\n" /* the pair */ \
    "	cmpq	%r11, 8(%rdi)\n" \
    "	jne	2f\n" \
    "	cmpq	%rsi, (%rdi)\n" \
    "	jne	2f\n" \
    "	testb	$15, 16(%rdi)\n" \
    "	je	2f\n" \
    "	incq	16(%rdi)\n" \
    "	decq	8(%rsi)\n" \
    "1:\n" \
    "	popq	%rdx\n" \
    "	.cfi_adjust_cfa_offset -8\n" \
    "	popq	%rsi\n" \
    "	.cfi_adjust_cfa_offset -8\n" \
    "	popq	%rdi\n" \
    "	.cfi_adjust_cfa_offset -8\n" \
    "	ret\n" \
    "2:	.cfi_adjust_cfa_offset 24\n" \
    "	movq	24(%rsp), %rdx\n" \
    "	movslq	10(%rdx), %rdi\n" \
    "	leaq	14(%rdx,%rdi), %rdx\n" /* return address */ \
    "	movq	%r11, %rdi\n" \
    "	call	" FUNCTION "\n" \
    "	jmp	1b\n" \
    "	.cfi_endproc\n" \
    "	.size	" NAME ", .-" NAME "\n")
/* clang-format on */

#endif /* HEAPPROF_MIP_MACHINE_H */
