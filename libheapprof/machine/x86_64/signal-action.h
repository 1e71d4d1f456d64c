/* How the kernel is told of a signal handler, on x86-64.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_SIGNAL_ACTION_H
#define HEAPPROF_SIGNAL_ACTION_H

#include <stdint.h>

/* The kernel's struct sigaction.  */
struct machine_signal_action
{
  void (*handler) (int);
  unsigned long flags;
  void (*restorer) (void);
  uint64_t mask;
};

/* The flag that there is a restorer: the program must not see it.  */
#define MACHINE_RESTORER_FLAG 0x04000000ul

/* What a signal handler returns to.  */
void machine_restorer (void) __attribute__ ((visibility ("hidden")));
__asm__(".text\n"
	".hidden machine_restorer\n"
	".globl machine_restorer\n"
	".type machine_restorer, @function\n"
	"machine_restorer:\n"
	"	mov $15, %eax\n"
	"	syscall\n"
	".size machine_restorer, . - machine_restorer\n");

static inline void
machine_set_restorer (struct machine_signal_action *action)
{
  action->restorer = machine_restorer;
  action->flags |= MACHINE_RESTORER_FLAG;
}

#endif /* HEAPPROF_SIGNAL_ACTION_H */
