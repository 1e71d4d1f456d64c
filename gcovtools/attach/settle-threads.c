/* Threads of other processes that stop when nothing waits for them any more.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "settle-threads.h"
#include <sys/wait.h>

void
remote_threads_settle (void)
{
  int status;
  for (pid_t thread; (thread = waitpid (-1, &status, __WALL | WNOHANG)) > 0;)
    if (WIFSTOPPED (status))
      ptrace (PTRACE_DETACH, thread, NULL,
	      remote_stop_is_event (status) ? 0 : WSTOPSIG (status));
}
