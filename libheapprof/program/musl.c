/* What the run-time library needs of glibc, for programs that are linked with
   musl.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   These are names that no program may define.  musl has most of their
   functions, but under the public names only, or only in its static library,
   whose own definitions take precedence over those here.  */

#include "signal-action.h"
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WEAK __attribute__ ((weak))

WEAK int __sigaction (int number, const struct sigaction *action,
		      struct sigaction *previous);
WEAK pid_t __fork (void);
WEAK unsigned long __getauxval (unsigned long type);
WEAK int __register_atfork (void (*before) (void), void (*in_parent) (void),
			    void (*in_child) (void), void *module);
WEAK int __cxa_at_quick_exit (void (*function) (void), void *module);
extern void *__libc_stack_end;

int pthread_atfork (void (*before) (void), void (*in_parent) (void),
		    void (*in_child) (void));

/* The kernel's struct sigaction.  */

struct kernel_action
{
  void (*handler) (int);
  unsigned long flags;
  void (*restorer[MACHINE_RESTORER_WORDS]) (void);
  uint64_t mask;
};

/* By a system call, because the public name is the library's or the program's.
 */

int
__sigaction (int number, const struct sigaction *action,
	     struct sigaction *previous)
{
  struct kernel_action new = { .handler = NULL };
  struct kernel_action old;
  if (action != NULL)
    {
      new.handler = action->sa_handler;
      new.flags = (unsigned) action->sa_flags | MACHINE_RESTORER_FLAG;
      if (MACHINE_RESTORER_FLAG != 0)
	new.restorer[0] = machine_restorer;
      memcpy (&new.mask, &action->sa_mask, sizeof new.mask);
    }
  if (syscall (SYS_rt_sigaction, number, action != NULL ? &new : NULL,
	       previous != NULL ? &old : NULL, sizeof new.mask)
      != 0)
    return -1;
  if (previous != NULL)
    {
      previous->sa_handler = old.handler;
      previous->sa_flags = (int) (old.flags & ~MACHINE_RESTORER_FLAG);
      memcpy (&previous->sa_mask, &old.mask, sizeof old.mask);
    }
  return 0;
}

pid_t
__fork (void)
{
  return fork ();
}

unsigned long
__getauxval (unsigned long type)
{
  return getauxval (type);
}

int
__register_atfork (void (*before) (void), void (*in_parent) (void),
		   void (*in_child) (void), void *module)
{
  (void) module;
  return pthread_atfork (before, in_parent, in_child);
}

/* quick_exit of musl runs handlers of at_quick_exit only; profiles of programs
   that end by it are as those of killed ones.  */

int
__cxa_at_quick_exit (void (*function) (void), void *module)
{
  (void) function;
  (void) module;
  return 0;
}

/* The program's name is at the far end of the first thread's stack.  */

void *__libc_stack_end;

__attribute__ ((constructor (101))) static void
find_stack_end (void)
{
  __libc_stack_end = (void *) (getauxval (AT_EXECFN) & -sizeof (void *));
}
