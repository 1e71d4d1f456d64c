/* Modules that are opened with RTLD_DEEPBIND.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Such a module looks names up in itself and its dependencies before the rest
   of the program, so it would find the C library's free, and not ours, for
   blocks of ours.  So the C library's symbols are changed in memory, where the
   dynamic linker looks them up, to lead to our functions: whoever looks for
   free there finds ours, in constructors and by dlsym, too.  Everything else
   about such a module stays.  Modules that are bound already are not affected,
   nor is the C library itself.  */

#ifndef HEAPPROF_DEEP_BINDING_H
#define HEAPPROF_DEEP_BINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void *rt_open_function (const char *file, int flags);

/* A name, and the function of this program that it is to lead to.  */
struct rt_deep_function
{
  const char *name;
  uintptr_t address;
};

/* Change the symbols of the COUNT FUNCTIONS, unless that was done or is of no
   use, because the program has another allocator.  Return false if the system
   does not allow it.  No lock is held.  OPEN is the C library's dlopen.  */
bool rt_deep_binding_prepare (const struct rt_deep_function *functions,
			      size_t count, rt_open_function *open);

#endif /* HEAPPROF_DEEP_BINDING_H */
