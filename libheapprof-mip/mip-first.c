/* The first call of a function whose calls are counted or whose order is
   recorded.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The probe at a function's entry is (gcc-plugin/mip/machine-x86_64.cc)

     83 2d disp32 01	subl $1, slot(%rip)	83 3d disp32 00   cmpl $0, slot
     73 05		jnc  1f			75 05		  jne  1f
     e8 rel32		call __heapprof_mip_first
   1:

   The slot's address is derived from the displacement 12 bytes before the
   return address.  The call is made when the count is 0, that is, the first
   time and after 2^32 calls, or when there is no order yet.

   Two threads may both make the first call.  The later one finds an order, as
   it would after 2^32 calls; but those take much longer than a tick of the
   order word, and only after that time is the count pinned to its maximum, 2^32
   - 1, which means "at least".  The slot then holds 1, and is pinned again two
   calls later.

   mip-first-called.c does this on other machines.  */

#include "mip-runtime.h"

#ifdef __x86_64__

__asm__("	.text\n"
	"	.globl	" HEAPPROF_MIP_SYMBOL_FIRST "\n"
	"	.hidden	" HEAPPROF_MIP_SYMBOL_FIRST "\n"
	"	.type	" HEAPPROF_MIP_SYMBOL_FIRST
	", @function\n" HEAPPROF_MIP_SYMBOL_FIRST ":\n"
	"	.cfi_startproc\n"
	"	pushfq\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	pushq	%rax\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	pushq	%rcx\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	pushq	%rdx\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	pushq	%rsi\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	movq	40(%rsp), %rcx\n" /* return address */
	"	xorl	%esi, %esi\n"	  /* the count, if any */
	"	movslq	-12(%rcx), %rax\n"
	"	cmpb	$0x2d, -13(%rcx)\n"
	"	leaq	-7(%rax,%rcx), %rcx\n" /* slot */
	"	jne	1f\n"
	"	movq	%rcx, %rsi\n"
	"	addq	$4, %rcx\n" /* its order */
	"1:	rdtsc\n"
	"	shlq	$32, %rdx\n"
	"	orq	%rax, %rdx\n"
	"	shrq	$31, %rdx\n" /* HEAPPROF_MIP_TICK_SHIFT */
	"	movl	(%rcx), %eax\n"
	"	testl	%eax, %eax\n"
	"	jne	3f\n"
	"	movl	$1, %eax\n"
	"	lock xaddl %eax, mip_last_order(%rip)\n"
	"	incl	%eax\n"
	"	cmpl	$0xffffff, %eax\n" /* HEAPPROF_MIP_ORDER_MASK */
	"	jbe	2f\n"
	"	movl	$0xffffff, %eax\n"
	"2:	shll	$24, %edx\n"
	"	orl	%eax, %edx\n"
	"	xorl	%eax, %eax\n"
	"	lock cmpxchgl %edx, (%rcx)\n"
	"	jmp	4f\n"
	"3:	testq	%rsi, %rsi\n"
	"	je	4f\n"
	"	shrl	$24, %eax\n"
	"	subl	%eax, %edx\n" /* ticks since the first call */
	"	incb	%dl\n"
	"	cmpb	$2, %dl\n"
	"	jbe	4f\n"
	"	movl	$1, (%rsi)\n"
	"4:	popq	%rsi\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	popq	%rdx\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	popq	%rcx\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	popq	%rax\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	popfq\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.size	" HEAPPROF_MIP_SYMBOL_FIRST
	", .-" HEAPPROF_MIP_SYMBOL_FIRST "\n");

#endif
