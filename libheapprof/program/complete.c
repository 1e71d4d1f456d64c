/* Completing the profile when the program calls exit.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "complete.h"
#include "dump.h"
#include "exit-frames.h"
#include "gate.h"
#include "thread.h"
#include <stddef.h>

/* Not inline: the search for lost blocks takes this frame for the start of the
   program's part of the stack, if it cannot be found above the frames of
   exit.  */

__attribute__ ((noinline)) void
rt_complete_at_exit (uintptr_t address, bool is_static)
{
  if (!rt_gate_is_mine () || rt_is_inside ())
    return;
  struct rt_thread *const thread = rt_enter ();
  struct rt_program_stack stack;
  rt_note_stack ();
  if (address != 0 && thread != NULL && rt_gate_is_open ()
      && rt_exit_frames_pass (&thread->walker, address, is_static, &stack))
    rt_note_program_stack (&stack);
  rt_complete ();
  rt_forget_stack ();
  rt_leave ();
}
