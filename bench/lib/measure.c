/* Run a command and record its resource usage.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: measure REPORT COMMAND [ARGUMENT]...

   Writes one line to REPORT: user, system and elapsed time in microseconds,
   peak resident memory in KB, and the exit status as in the shell's $?.  User
   and system time include the children that the command waited for; the peak is
   that of the largest process.

   A forked process inherits the peak of its parent, so a large parent would
   hide the peak of a small command.  This program is smaller than any command.
 */

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long
microseconds (struct timeval time)
{
  return (long) time.tv_sec * 1000000 + (long) time.tv_usec;
}

/* Microseconds since an arbitrary moment.  */
static long
now (void)
{
  struct timespec time;
  clock_gettime (CLOCK_MONOTONIC, &time);
  return (long) time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

int
main (int argc, char **argv)
{
  if (argc < 3)
    {
      fputs ("usage: measure REPORT COMMAND [ARGUMENT]...\n", stderr);
      return 2;
    }
  const long begin = now ();
  const pid_t child = fork ();
  if (child == 0)
    {
      execvp (argv[2], argv + 2);
      perror (argv[2]);
      _exit (127);
    }
  int status;
  struct rusage usage;
  if (child < 0 || wait4 (child, &status, 0, &usage) != child)
    {
      perror ("measure");
      return 1;
    }
  const long elapsed = now () - begin;
  FILE *const report = fopen (argv[1], "w");
  if (report == NULL)
    {
      perror (argv[1]);
      return 1;
    }
  fprintf (report, "%ld %ld %ld %ld %d\n", microseconds (usage.ru_utime),
	   microseconds (usage.ru_stime), elapsed, usage.ru_maxrss,
	   WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status));
  return fclose (report) == 0 ? 0 : 1;
}
