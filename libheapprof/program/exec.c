/* exec, which ends the program if it succeeds.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The kernel reports only failure.  So the complete profile replaces the
   running one before the call, and if the call returns, the running one is
   restored.  Each time a complete file is renamed, so a valid file exists at
   every moment.  Threads wait meanwhile, so that nothing is counted in between.

   A vfork child shares its parent's memory: nothing here changes memory until
   it is clear that the process owns the profile.  */

#include "exec.h"
#include "dump.h"
#include "ending.h"
#include "gate.h"
#include "sys.h"
#include "thread.h"
#include <errno.h>
#include <fcntl.h>

/* True if the call may succeed.  Searches along PATH fail most of the time;
   this detects missing files without writing a profile.  */

static bool
is_there (int folder, const char *path, int flags)
{
  if ((flags & AT_EMPTY_PATH) != 0 && path != NULL && *path == '\0')
    return true;
  const int fd = sys_open_at (folder, path, O_PATH);
  if (fd >= 0)
    sys_close (fd);
  /* Having too many open files, or a filter of system calls, does not matter to
     exec.  */
  return fd >= 0 || fd == -EMFILE || fd == -ENFILE || fd == -EPERM
	 || fd == -ENOSYS;
}

int
rt_exec (int folder, const char *path, char *const *arguments,
	 char *const *environment, int flags)
{
  if (!rt_gate_is_mine () || rt_is_inside () || !is_there (folder, path, flags))
    return sys_exec (folder, path, arguments, environment, flags);
  rt_enter ();
  const bool is_complete = rt_suspend ();
  if (is_complete)
    rt_ending_allow ();
  const int error = sys_exec (folder, path, arguments, environment, flags);
  if (is_complete)
    {
      rt_ending_forbid ();
      rt_continue ();
    }
  rt_leave ();
  return error;
}
