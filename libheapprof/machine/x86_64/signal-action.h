/* What a signal handler returns to, on x86-64.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_SIGNAL_ACTION_H
#define HEAPPROF_SIGNAL_ACTION_H

#define MACHINE_RESTORER_WORDS 1
#define MACHINE_RESTORER_FLAG 0x04000000ul

void machine_restorer (void) __attribute__ ((visibility ("hidden")));
__asm__(".text\n"
	".hidden machine_restorer\n"
	".globl machine_restorer\n"
	".type machine_restorer, @function\n"
	"machine_restorer:\n"
	"	mov $15, %eax\n"
	"	syscall\n"
	".size machine_restorer, . - machine_restorer\n");

#endif /* HEAPPROF_SIGNAL_ACTION_H */
