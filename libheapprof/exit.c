/* The end of the program: complete the profile as late as possible.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   exit () runs handlers in reverse order of registration, and ours is
   registered before the dynamic linker's own, which runs the destructors of
   all modules.  In a static program destructors come last, but exit () ends
   in our _exit.  abort and deadly signals leave the profile as it is: valid,
   and marked as not complete.  */

#include "exit.h"
#include "abi-symbols.h"
#include "dump.h"
#include "sys.h"
#include "thread.h"
#include <stddef.h>
#include <elf.h>

int __cxa_atexit (void (*function) (void *), void *data, void *module);
int __cxa_at_quick_exit (void (*function) (void *), void *module);

RT_PUBLIC _Noreturn void _exit (int status);
RT_PUBLIC _Noreturn void _Exit (int status);

/* In a signal handler that interrupted the library its locks may be held by
   the interrupted call, so the profile stays incomplete.  */

static void
complete (void)
{
  if (rt_is_inside ())
    return;
  rt_enter ();
  rt_complete ();
  rt_leave ();
}

static void
at_exit (void *data)
{
  (void) data;
  complete ();
}

/* For no module: then it runs at exit, not when the module's destructors
   do.  */

void
rt_exit_start (void)
{
  const bool is_static = sys_auxiliary (AT_BASE) == 0;
  if (is_static)
    return;
  __cxa_atexit (at_exit, NULL, NULL);
  __cxa_at_quick_exit (at_exit, NULL);
}

__attribute__ ((weak)) void
_exit (int status)
{
  complete ();
  sys_exit (status);
}

__attribute__ ((weak)) void
_Exit (int status)
{
  complete ();
  sys_exit (status);
}
