/* Common parts of the run-time library's unit tests.
   SPDX-License-Identifier: GPL-3.0-or-later

   The tests are linked with the library, so they use its allocator.  They do
   not profile themselves.  */

#ifndef HEAPPROF_RT_UNIT_H
#define HEAPPROF_RT_UNIT_H

#include "abi-symbols.h"
#include "options.h"
#include "unit-main.h"

/* Runs after the library has read its options (the call pulls it from its
   archive) and before anything allocates.  */

__attribute__ ((constructor (101))) static void
rt_unit_take_no_profile (void)
{
  __heapprof_init_v1 ();
  rt_options.enabled = false;
}

#define RT_UNIT_MAIN(...) UNIT_MAIN ("libheapprof", __VA_ARGS__)

#endif /* HEAPPROF_RT_UNIT_H */
