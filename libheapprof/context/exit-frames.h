/* The program's part of the stack, above the frames of exit.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   When exit runs our handler, the frames of exit are below those of the
   program. They leave words unwritten, which may be pointers of functions that
   returned long ago; and they saved the registers that the program had.  */

#ifndef HEAPPROF_EXIT_FRAMES_H
#define HEAPPROF_EXIT_FRAMES_H

#include "unwind-cfi.h"
#include "walker.h"
#include <stdbool.h>
#include <stdint.h>

struct rt_program_stack
{
  uintptr_t start; /* lowest address in use */
  unsigned count;  /* of registers that calls preserve */
  uintptr_t registers[RT_CFI_REGISTERS];
};

/* Find the program's part of the stack of the calling thread, whose walker is
   WALKER, and the registers that the program had there.  The caller has saved
   all that calls preserve.  Its own caller, or the next or so, returns to
   ADDRESS, in the function that runs handlers.  All frames from there on that
   belong to the same module are passed; in a static program, which is one
   module, that one's and its caller's, which must be exit or quick_exit. Return
   false if there is no such function, or if the unwind tables do not tell.
   WALKER has forgotten its walks afterwards.  */
bool rt_exit_frames_pass (struct rt_walker *walker, uintptr_t address,
			  bool is_static, struct rt_program_stack *stack);

#endif /* HEAPPROF_EXIT_FRAMES_H */
