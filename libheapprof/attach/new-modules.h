/* Modules that are loaded while the library is attached.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Functions that load a module must not be called by this library: they look
   for it where their caller says.  So the replacement of dlopen only counts the
   call, and jumps to the original.  The next allocations look for new modules,
   several times, as the dynamic linker may still be working on them.  */

#ifndef HEAPPROF_NEW_MODULES_H
#define HEAPPROF_NEW_MODULES_H

#include <stddef.h>
#include <stdint.h>

/* Calls of dlopen and dlmopen, and how many of them need no more attention.  */
extern uint32_t rt_attach_opens __attribute__ ((visibility ("hidden")));
extern uint32_t rt_attach_settled_opens __attribute__ ((visibility ("hidden")));

/* From now on, call REDIRECT for new modules, also for those that are being
   loaded; or, if it is NULL, do not, and wait for a call that is going on.  */
void rt_attach_look (size_t (*redirect) (void));

void rt_attach_look_slowly (uint64_t now_ns);

/* Redirect the calls of new modules, if there may be any.  NOW_NS is the
   time.  */
static inline void
rt_attach_look_for_modules (uint64_t now_ns)
{
  if (__builtin_expect (__atomic_load_n (&rt_attach_opens, __ATOMIC_RELAXED)
			  != __atomic_load_n (&rt_attach_settled_opens,
					      __ATOMIC_RELAXED),
			0))
    rt_attach_look_slowly (now_ns);
}

/* In the child of a fork: nobody is looking.  */
void rt_attach_look_reset_lock (void);

#endif /* HEAPPROF_NEW_MODULES_H */
