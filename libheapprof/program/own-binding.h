/* Modules that are opened with RTLD_DEEPBIND find this library's functions.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_OWN_BINDING_H
#define HEAPPROF_OWN_BINDING_H

#include "deep-binding.h"
#include <stdbool.h>
#include <stddef.h>

typedef void *rt_open_function (const char *file, int flags);

/* Change the symbols of the COUNT FUNCTIONS, unless that was done or is of no
   use, because the program has another allocator.  Return false if the system
   does not allow it.  No lock is held.  OPEN is the C library's dlopen.  */
bool rt_own_binding_prepare (const struct deep_function *functions,
			     size_t count, rt_open_function *open);

#endif /* HEAPPROF_OWN_BINDING_H */
