/* exec: the end of a program, if it succeeds.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The kernel tells only of failure.  So the complete profile takes the running
   one's place before, and if the call returns, the running one takes it again.
   Each time a whole file is renamed: what is there is valid at every moment.
   Threads wait meanwhile, so that nothing is counted in between.

   A vfork child shares its parent's memory: nothing here changes any until it
   is clear that the process is the profile's.  */

#include "exec.h"
#include "dump.h"
#include "ending.h"
#include "gate.h"
#include "sys.h"
#include "thread.h"
#include <errno.h>
#include <fcntl.h>

/* May the call succeed?  Searches along PATH fail most often, and a file that
   is not there is found out without a profile being written.  */

static bool
is_there (int folder, const char *path, int flags)
{
  if ((flags & AT_EMPTY_PATH) != 0 && path != NULL && *path == '\0')
    return true;
  const int fd = sys_open_at (folder, path, O_PATH);
  if (fd >= 0)
    sys_close (fd);
  /* Too many files are open: that does not matter to exec.  */
  return fd >= 0 || fd == -EMFILE || fd == -ENFILE;
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
