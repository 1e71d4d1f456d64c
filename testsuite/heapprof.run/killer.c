/* killer MICROSECONDS PROGRAM: run PROGRAM, kill it after that time, and print
   the number of releases that it has reported.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int
main (int count, char **arguments)
{
  int ends[2], status;
  uint64_t reported = 0, next;
  if (count != 3 || pipe (ends) != 0)
    return 2;
  const pid_t child = fork ();
  if (child == 0)
    {
      dup2 (ends[1], 1);
      close (ends[0]);
      close (ends[1]);
      execl (arguments[2], arguments[2], (char *) NULL);
      _exit (127);
    }
  close (ends[1]);
  /* The timer is a process of its own, so this one can read meanwhile.  */
  const pid_t timer = fork ();
  if (timer == 0)
    {
      usleep ((useconds_t) atoi (arguments[1]));
      kill (child, SIGKILL);
      _exit (0);
    }
  while (read (ends[0], &next, sizeof next) == sizeof next)
    reported = next;
  waitpid (timer, &status, 0);
  waitpid (child, &status, 0);
  if (!WIFSIGNALED (status) || WTERMSIG (status) != SIGKILL)
    return 1;
  printf ("%" PRIu64 "\n", reported);
  return 0;
}
