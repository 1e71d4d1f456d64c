/* Completing the profile of an attached program.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "completion.h"
#include "dump.h"
#include "gate.h"
#include "thread.h"

void
rt_attach_complete (void)
{
  if (!rt_gate_is_mine () || rt_is_inside ())
    return;
  rt_enter ();
  rt_complete ();
  rt_leave ();
}
