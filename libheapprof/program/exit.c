/* Completing the profile at exit, as late as possible.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   exit () runs handlers in reverse order of registration, and ours is
   registered before the dynamic linker's own, which runs the destructors of all
   modules.  In a static program destructors come last, but exit () ends in our
   _exit.  abort and deadly signals leave the profile as it is: valid, and not
   marked as complete.  */

#include "exit.h"
#include "abi-symbols.h"
#include "complete.h"
#include "sys.h"
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <elf.h>

int __cxa_atexit (void (*function) (void *), void *data, void *module);
int __cxa_at_quick_exit (void (*function) (void *), void *module);

/* The C library's fork, with its handlers, under its reserved name.  */
pid_t __fork (void);

RT_PUBLIC int daemon (int keeps_folder, int keeps_files);
RT_PUBLIC _Noreturn void _exit (int status);
RT_PUBLIC _Noreturn void _Exit (int status);

static bool
is_static (void)
{
  return sys_auxiliary (AT_BASE) == 0;
}

static void
at_exit (void *data)
{
  (void) data;
  rt_complete_at_exit ((uintptr_t) __builtin_return_address (0), false);
}

/* Called by the program or, in static ones, by exit.  */

static inline __attribute__ ((always_inline)) void
complete (void)
{
  const bool by_exit = is_static ();
  rt_complete_at_exit (by_exit ? (uintptr_t) __builtin_return_address (0) : 0,
		       by_exit);
}

/* Registered for no module, so that the handler runs at exit, not with a
   module's destructors.  */

void
rt_exit_start (void)
{
  if (is_static ())
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

/* The C library's version ends the parent by its own _exit.  */

__attribute__ ((weak)) int
daemon (int keeps_folder, int keeps_files)
{
  const pid_t child = __fork ();
  if (child < 0)
    return -1;
  if (child > 0)
    _exit (0);
  int error = sys_begin_session ();
  if (error == 0 && !keeps_folder)
    sys_change_folder ("/");
  if (error == 0 && !keeps_files)
    error = sys_forget_terminal ();
  if (error == 0)
    return 0;
  errno = -error;
  return -1;
}
