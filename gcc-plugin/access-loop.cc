/* Count heap accesses of loops outside of the loops.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "access.h"
#include "arguments.h"
#include "counter-emit.h"

void
count_loop_accesses (function *, function_accesses *, tree)
{
  if (!(arguments.coalesce & COALESCE_LOOP))
    return;
}
