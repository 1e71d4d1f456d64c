/* Handlers to run before and after fork.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A program may define pthread_atfork; this calls what the C library's version
   calls.  */

#ifndef HEAPPROF_FORK_H
#define HEAPPROF_FORK_H

#include <stddef.h>

int __register_atfork (void (*before) (void), void (*in_parent) (void),
		       void (*in_child) (void), void *module);

/* Identifies the executable or shared object that this is linked into; defined
   by the compiler's start files.  */
extern void *__dso_handle __attribute__ ((visibility ("hidden"), weak));

/* Register handlers; each may be NULL.  They are dropped when the module is
   unloaded.  */

static inline void
at_fork (void (*before) (void), void (*in_parent) (void),
	 void (*in_child) (void))
{
  void *const module = &__dso_handle == NULL ? NULL : __dso_handle;
  __register_atfork (before, in_parent, in_child, module);
}

#endif /* HEAPPROF_FORK_H */
