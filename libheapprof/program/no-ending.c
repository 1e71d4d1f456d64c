/* Signals that end an attached program: they are not handled.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The program may already rely on how they are.  So these functions of
   ending.h, which other files call, have nothing to do.  */

#include "ending.h"

void
rt_ending_forget (void)
{}

void
rt_ending_allow (void)
{}

void
rt_ending_forbid (void)
{}
