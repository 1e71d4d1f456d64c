/* Code through which programs enter the library, on x86-64: route.h and
   sample.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Registers that no argument is in may change: %rax and %r11, and %rdx in
   functions with two arguments.  */

#ifndef HEAPPROF_ENTRY_CODE_H
#define HEAPPROF_ENTRY_CODE_H

/* Where jumps through variables may lead.  */
#if defined __CET__ && (__CET__ & 1) != 0
#define MACHINE_BRANCH_TARGET "	endbr64\n"
#else
#define MACHINE_BRANCH_TARGET ""
#endif

/* Jump to TARGET; jump to where the variable of that name says.  */
#define MACHINE_JUMP(target) "	jmp " target "\n"
#define MACHINE_JUMP_BY(variable) "	jmp *" variable "(%rip)\n"

/* Define NAME as a jump through its route.  rt_code_NAME is that code.  */
#define MACHINE_ENTRY(type, name, parameters)                                  \
  RT_ENTRY __attribute__ ((naked)) type name parameters                        \
  {                                                                            \
    __asm__("rt_code_" #name ": jmp *rt_route_" #name "(%rip)");               \
  }

/* What a route leads to at first: have the address of the struct rt_route that
   is labelled 0 above, and go to rt_route_first.  */
#define MACHINE_ROUTE_START                                                    \
  MACHINE_BRANCH_TARGET "	leaq 0b(%rip), %r11\n"                               \
			"	jmp rt_route_first\n"

/* Call rt_route_decide, and jump to what its variable says if that is true, to
   the function that profiles if not.  */
#define MACHINE_ROUTE_FIRST                                                    \
  "	pushq %rdi\n"                                                              \
  "	.cfi_adjust_cfa_offset 8\n"                                                \
  "	pushq %rsi\n"                                                              \
  "	.cfi_adjust_cfa_offset 8\n"                                                \
  "	pushq %rdx\n"                                                              \
  "	.cfi_adjust_cfa_offset 8\n"                                                \
  "	pushq %rcx\n"                                                              \
  "	.cfi_adjust_cfa_offset 8\n"                                                \
  "	pushq %r11\n"                                                              \
  "	.cfi_adjust_cfa_offset 8\n"                                                \
  "	call rt_route_decide\n"                                                    \
  "	popq %r11\n"                                                               \
  "	.cfi_adjust_cfa_offset -8\n"                                               \
  "	popq %rcx\n"                                                               \
  "	.cfi_adjust_cfa_offset -8\n"                                               \
  "	popq %rdx\n"                                                               \
  "	.cfi_adjust_cfa_offset -8\n"                                               \
  "	popq %rsi\n"                                                               \
  "	.cfi_adjust_cfa_offset -8\n"                                               \
  "	popq %rdi\n"                                                               \
  "	.cfi_adjust_cfa_offset -8\n"                                               \
  "	testb %al, %al\n"                                                          \
  "	je 1f\n"                                                                   \
  "	movq (%r11), %r11\n"                                                       \
  "	jmp *(%r11)\n"                                                             \
  "1:	jmp *8(%r11)\n"

/* Subtract the register SIZE from the thread's rt_sampler.left.  */
#ifdef PIC
#define MACHINE_SAMPLE_SUBTRACT(size)                                          \
  "	movq rt_sampler@gottpoff(%rip), %r11\n"                                    \
  "	subq " size ", %fs:(%r11)\n"
#else
#define MACHINE_SAMPLE_SUBTRACT(size)                                          \
  "	subq " size ", %fs:rt_sampler@tpoff\n"
#endif

/* Subtract the first argument from the thread's rt_sampler.left; go to DUE if
   that was less, otherwise to OTHER, what MACHINE_JUMP or MACHINE_JUMP_BY
   made.  */
#define MACHINE_SAMPLE_COUNT(other, due)                                       \
  MACHINE_BRANCH_TARGET MACHINE_SAMPLE_SUBTRACT ("%rdi") "	jb 1f\n" other \
							 "1:	jmp " due "\n"

/* Go to OWN if the first argument is at rt_span_lowest or above, otherwise to
   where the variable NEXT says.  */
#define MACHINE_SAMPLE_BLOCK(next, own)                                        \
  MACHINE_BRANCH_TARGET "	cmpq rt_span_lowest(%rip), %rdi\n"                   \
			"	jae 1f\n"                                            \
			"	jmp *" next "(%rip)\n"                         \
			"1:	jmp " own "\n"

/* The same, and before going to where NEXT says subtract the second argument
   from the thread's rt_sampler.left; go to DUE if that was less.  */
#define MACHINE_SAMPLE_RESIZE(next, due, own)                                  \
  MACHINE_BRANCH_TARGET                                                        \
  "	cmpq rt_span_lowest(%rip), %rdi\n"                                         \
  "	jae 2f\n" MACHINE_SAMPLE_SUBTRACT ("%rsi") "	jb 1f\n"                  \
						   "	jmp *" next "(%rip)\n" \
						   "1:	jmp " due "\n"         \
						   "2:	jmp " own "\n"

/* Subtract the product of the first two arguments from the thread's
   rt_sampler.left; go to DUE if that was less, otherwise, or if the product is
   too large, to where the variable NEXT says.  */
#define MACHINE_SAMPLE_PRODUCT(next, due)                                      \
  MACHINE_BRANCH_TARGET                                                        \
  "	movq %rdi, %rax\n"                                                         \
  "	mulq %rsi\n"                                                               \
  "	jo 2f\n" MACHINE_SAMPLE_SUBTRACT (                                     \
    "%rax") "	jb 1f\n"                                                         \
	    "2:" MACHINE_JUMP_BY (next) "1:" MACHINE_JUMP (due)

#endif /* HEAPPROF_ENTRY_CODE_H */
