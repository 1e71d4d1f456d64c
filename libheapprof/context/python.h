/* Frames of Python code in calling contexts.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   An interpreter that is in the process, as the program or as a library, keeps
   the frames of each thread in a list.  One call of its evaluation loop runs
   several of them, and has something on the stack that tells where the list
   continues in callers of that call.  So both can be merged: after the frame of
   the loop come those that it runs, the innermost first.

   A frame's address is that of a record of the file (interpreted.h).  Code
   objects are remembered by their addresses, with the instruction; when the
   interpreter releases one, it calls a function of the library first, which
   makes that invalid.  */

#ifndef HEAPPROF_PYTHON_H
#define HEAPPROF_PYTHON_H

#include "python-layout.h"
#include "walker.h"
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The layout of the interpreter in the process; NULL: there is none.  */
extern const struct rt_python_layout *rt_python_layout
  __attribute__ ((visibility ("hidden")));

static inline bool
rt_python_is_there (void)
{
  return __builtin_expect (__atomic_load_n (&rt_python_layout, __ATOMIC_ACQUIRE)
			     != NULL,
			   0);
}

/* Look for the interpreter in the module INFO.  */
void rt_python_notice (const struct dl_phdr_info *info);

/* The module at [START, END) was unloaded.  */
void rt_python_forget (uintptr_t start, uintptr_t end);

/* If the thread runs Python code, merge its frames and WALKER->walk into
   WALKER->python->mixed, of which the innermost MAX_DEPTH belong to the
   context, set *COMMON to the number of outermost frames that are the same as
   last time, and return true.  */
bool rt_python_mix (struct rt_walker *walker, unsigned max_depth,
		    unsigned *common);

void rt_python_reset_locks (void);

#endif /* HEAPPROF_PYTHON_H */
