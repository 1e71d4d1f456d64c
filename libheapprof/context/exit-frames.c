/* The program's part of the stack, above the frames of exit.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "exit-frames.h"
#include "debug-log.h"
#include "frame.h"
#include "segment.h"
#include "unwind.h"
#include <stddef.h>
#include <stdlib.h>

/* Only their addresses are used.  A static program that does not call one does
   not get it.  */
#pragma weak exit
#pragma weak quick_exit

/* Frames of ours between the caller and the function that runs handlers.  */
#define OWN_FRAMES_MAX 3u

/* Return the frame of WALK that returns to ADDRESS, one of the innermost; NULL
   if none does.  */

static const struct rt_frame *
find_return (const struct rt_walk *walk, uintptr_t address)
{
  for (unsigned i = 1; i <= OWN_FRAMES_MAX && i <= walk->depth; i++)
    if (walk->frames[walk->depth - i].pc == address)
      return &walk->frames[walk->depth - i];
  return NULL;
}

static bool
is_exit (const struct rt_frame *frame)
{
  const void *const table = rt_segment_unwind_table (frame->pc);
  const uintptr_t function
    = table != NULL ? rt_cfi_function (table, frame->pc) : 0;
  return function != 0
	 && (function == (uintptr_t) exit
	     || function == (uintptr_t) quick_exit);
}

/* Return the frame from which exit was called, if it called FRAME's function,
   as in glibc; NULL otherwise.  OUTERMOST is the last frame.  */

static const struct rt_frame *
pass_exit (const struct rt_frame *frame, const struct rt_frame *outermost)
{
  return frame - outermost >= 2 && is_exit (frame - 1) ? frame - 2 : NULL;
}

/* Return the first frame from FRAME outwards that is in another module; NULL if
   the walk ended before.  */

static const struct rt_frame *
pass_module (const struct rt_frame *frame, const struct rt_frame *outermost)
{
  const void *const table = rt_segment_unwind_table (frame->pc);
  if (table == NULL)
    return NULL;
  for (; frame > outermost; frame--)
    if (rt_segment_unwind_table (frame[-1].pc) != table)
      return frame - 1;
  return NULL;
}

/* Add the registers that FRAME's function saved, in the part of the stack up to
   its caller's frame, to *STACK, except those that are KNOWN already.  */

static bool
add_registers (const struct rt_frame *frame, struct rt_program_stack *stack,
	       uint32_t *known)
{
  const void *const table = rt_segment_unwind_table (frame->pc);
  struct rt_cfi_saves saves;
  if (table == NULL || !rt_cfi_read_saves (table, frame->pc, &saves))
    return false;
  const uintptr_t cfa = frame[-1].sp - (uintptr_t) (intptr_t) MACHINE_SP_AT;
  for (unsigned i = 0; i < RT_CFI_REGISTERS; i++)
    {
      const uintptr_t slot
	= cfa + (uintptr_t) (intptr_t) saves.words[i] * sizeof (uintptr_t);
      if (saves.words[i] == 0 || (*known & 1u << i) != 0 || slot < frame->sp
	  || slot >= cfa)
	continue;
      *known |= 1u << i;
      stack->registers[stack->count++] = *(const uintptr_t *) slot;
    }
  return true;
}

/* The registers at the call from PROGRAM are what the outermost function of
   those that it called has saved, of each that saved it.  INNERMOST's saved
   all.  */

static bool
find_registers (const struct rt_frame *program,
		const struct rt_frame *innermost,
		struct rt_program_stack *stack)
{
  uint32_t known = 0;
  for (const struct rt_frame *frame = program + 1; frame <= innermost; frame++)
    if (!add_registers (frame, stack, &known))
      return false;
  return true;
}

static bool
find_stack (const struct rt_walk *walk, uintptr_t address, bool is_static,
	    struct rt_program_stack *stack)
{
  const struct rt_frame *const frame = find_return (walk, address);
  if (frame == NULL)
    return false;
  const struct rt_frame *const program = is_static
					   ? pass_exit (frame, walk->frames)
					   : pass_module (frame, walk->frames);
  if (program == NULL)
    return false;
  stack->start = program->sp;
  stack->count = 0;
  return find_registers (program, &walk->frames[walk->depth - 1], stack);
}

static void
log_stack (const struct rt_program_stack *stack)
{
  RT_DEBUG (1, "exit: the program's part of the stack starts at 0x%x",
	    (uint64_t) stack->start);
  for (unsigned i = 0; i < stack->count; i++)
    RT_DEBUG (2, "exit: a register was 0x%x", (uint64_t) stack->registers[i]);
}

/* Not inline: the walk starts in the caller's frame.  */

__attribute__ ((noinline)) bool
rt_exit_frames_pass (struct rt_walker *walker, uintptr_t address,
		     bool is_static, struct rt_program_stack *stack)
{
  rt_walker_forget (walker);
  rt_unwind (walker, MACHINE_FRAME, RT_MAX_DEPTH);
  const bool found
    = find_stack (&walker->walk, machine_return_address (address), is_static,
		  stack);
  rt_walker_forget (walker);
  if (found)
    log_stack (stack);
  return found;
}
