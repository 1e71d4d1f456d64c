/* Counters that are mapped when they are first touched.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   An access to a counter without a mapping raises SIGSEGV; the library's
   handler maps it, and the access is repeated.  All other faults are the
   program's.  */

#ifndef HEAPPROF_SHADOW_FAULT_H
#define HEAPPROF_SHADOW_FAULT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Set once the handler is installed.  */
extern bool rt_shadow_is_lazy __attribute__ ((visibility ("hidden")));

/* Install it: for a fault OFFSET bytes after BASE, where counters start, call
   PROVIDE, which returns false if it cannot map them.  All signals are
   blocked.  */
void rt_shadow_fault_start (void *base, bool (*provide) (uintptr_t offset));

/* sigaction for SIGSEGV: ACTION applies to faults that are not caused by
   counters.  */
void rt_shadow_fault_handle (const struct sigaction *action,
			     struct sigaction *previous);

#endif /* HEAPPROF_SHADOW_FAULT_H */
