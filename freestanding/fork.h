/* What to do before and after fork.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   pthread_atfork is a name that a program may define; this is what the C
   library's does.  */

#ifndef HEAPPROF_FORK_H
#define HEAPPROF_FORK_H

#include <stddef.h>

int __register_atfork (void (*before) (void), void (*in_parent) (void),
		       void (*in_child) (void), void *module);

/* Of the executable or shared object that this is linked into; the compiler's
   start files have it.  */
extern void *__dso_handle __attribute__ ((visibility ("hidden"), weak));

/* Each of the three may be NULL.  They are forgotten with the module.  */

static inline void
at_fork (void (*before) (void), void (*in_parent) (void),
	 void (*in_child) (void))
{
  void *const module = &__dso_handle == NULL ? NULL : __dso_handle;
  __register_atfork (before, in_parent, in_child, module);
}

#endif /* HEAPPROF_FORK_H */
