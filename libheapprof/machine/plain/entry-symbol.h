/* The functions through which programs enter the library, for machines whose
   compiler has no naked functions.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   entry-code.h defines first, all as text for the assembler:
   MACHINE_ENTRY_ALIGNMENT, in bytes; MACHINE_BRANCH_TARGET, the instruction to
   which indirect jumps may lead; and MACHINE_JUMP_BY.  */

#ifndef HEAPPROF_ENTRY_SYMBOL_H
#define HEAPPROF_ENTRY_SYMBOL_H

/* How the program may replace it, as RT_ENTRY.  */
#ifdef PIC
#define MACHINE_BINDING ".globl "
#else
#define MACHINE_BINDING ".weak "
#endif

/* Define NAME as a jump through its route.  rt_code_NAME is that code.  */
#define MACHINE_ENTRY(type, name, parameters)                                  \
  __asm__(".text\n"                                                            \
	  ".balign " MACHINE_ENTRY_ALIGNMENT "\n" MACHINE_BINDING #name "\n"   \
	  ".type " #name ", %function\n"                                       \
	  "rt_code_" #name ":\n" #name ":\n"                                   \
	  "	.cfi_startproc\n" MACHINE_BRANCH_TARGET                        \
	    MACHINE_JUMP_BY ("rt_route_" #name) "	.cfi_endproc\n"              \
						".size " #name ", . - " #name  \
						"\n");

#endif /* HEAPPROF_ENTRY_SYMBOL_H */
