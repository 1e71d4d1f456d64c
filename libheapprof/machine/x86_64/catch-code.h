/* The code of rt_call_catching (catch.c), on x86-64.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_CATCH_CODE_H
#define HEAPPROF_CATCH_CODE_H

/* DWARF's number of the register in which unwinders pass an exception: rax.  */
#define MACHINE_EXCEPTION_REGISTER 0

#define MACHINE_CALL_CATCHING                                                  \
  "	endbr64\n"                                                                 \
  "	pushq %rbp\n"                                                              \
  "	.cfi_def_cfa_offset 16\n"                                                  \
  "	.cfi_offset %rbp, -16\n"                                                   \
  "	movq %rsp, %rbp\n"                                                         \
  "	.cfi_def_cfa_register %rbp\n"                                              \
  "	movq %rdi, %rax\n"                                                         \
  "	movq %rsi, %rdi\n"                                                         \
  "	movq %rdx, %rsi\n"                                                         \
  "	movq %rcx, %rdx\n"                                                         \
  "	call *%rax\n"                                                              \
  "	jmp 1f\n"                                                                  \
  "rt_caught:\n"                                                               \
  "	endbr64\n"                                                                 \
  "	movq %rax, %rdi\n"                                                         \
  "	call rt_destroy_exception\n"                                               \
  "	xorl %eax, %eax\n"                                                         \
  "1:	popq %rbp\n"                                                             \
  "	.cfi_def_cfa %rsp, 8\n"                                                    \
  "	ret\n"

#endif /* HEAPPROF_CATCH_CODE_H */
