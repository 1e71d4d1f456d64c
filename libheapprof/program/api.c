/* The public run-time interface, under our names and MemProf's.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "heapprof/heapprof.h"
#include "abi-symbols.h"
#include "dump.h"
#include "leak-check.h"
#include "mark.h"
#include "thread.h"
#include <stddef.h>

RT_PUBLIC int heapprof_dump (void);
RT_PUBLIC int heapprof_reset (void);
RT_PUBLIC int heapprof_mark (const char *label);
RT_PUBLIC long heapprof_find_leaks (void);
RT_PUBLIC int __memprof_profile_dump (void);
RT_PUBLIC void __memprof_profile_reset (void);

/* In a signal handler that interrupted the library this can only fail.  */

static __attribute__ ((noinline)) int
call_inside (int (*function) (void))
{
  int result = -1;
  if (rt_is_inside ())
    return result;
  rt_enter ();
  rt_note_stack ();
  result = function ();
  rt_forget_stack ();
  rt_leave ();
  return result;
}

int
heapprof_dump (void)
{
  return call_inside (rt_dump);
}

int
heapprof_reset (void)
{
  return call_inside (rt_forget);
}

int
heapprof_mark (const char *label)
{
  int result = -1;
  if (label == NULL || rt_is_inside ())
    return result;
  rt_enter ();
  result = rt_mark (label);
  rt_leave ();
  return result;
}

__attribute__ ((noinline)) long
heapprof_find_leaks (void)
{
  if (rt_is_inside ())
    return -1;
  rt_enter ();
  rt_note_stack ();
  const int64_t blocks = rt_find_leaks ();
  rt_forget_stack ();
  rt_leave ();
  return blocks;
}

int
__memprof_profile_dump (void)
{
  return call_inside (rt_dump);
}

void
__memprof_profile_reset (void)
{
  call_inside (rt_forget);
}
