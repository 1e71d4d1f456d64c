/* Run a program in which one call of the kernel fails.
   SPDX-License-Identifier: GPL-3.0-or-later

   fail-call N ERROR PROGRAM...   the Nth call of those below, 1 the first,
				  fails with the number ERROR; with N 0 none
				  does

   Counted are the calls of the program's first thread that ask for memory,
   files or time, except reads and writes of standard streams.  Exit status is
   the program's; 128 and its number if a signal ended it; 98 if there were
   fewer than N calls, 99 if the program cannot be traced.  What failed is a
   line on standard error.  */

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define FEWER 98
#define UNTRACED 99

/* Where a program is at a stop for a call.  */
enum { BEFORE, AFTER };

static const long failing[] = {
  SYS_brk, SYS_close, SYS_fallocate, SYS_fchmod, SYS_fchown, SYS_fcntl,
  SYS_flock, SYS_fstat, SYS_fsync, SYS_ftruncate, SYS_getcwd, SYS_getrandom,
  SYS_getrlimit, SYS_linkat, SYS_lseek, SYS_madvise, SYS_mmap, SYS_mprotect,
  SYS_mremap, SYS_msync, SYS_munmap, SYS_newfstatat, SYS_open, SYS_openat,
  SYS_prctl, SYS_pread64, SYS_prlimit64, SYS_pwrite64, SYS_read, SYS_readlink,
  SYS_readlinkat, SYS_rename, SYS_renameat2, SYS_rt_sigaction,
  SYS_sched_getaffinity, SYS_stat, SYS_statx, SYS_uname, SYS_unlink,
  SYS_unlinkat, SYS_write
};

static bool
may_fail (const struct user_regs_struct *registers)
{
  const long number = (long) registers->orig_rax;
  if ((number == SYS_read || number == SYS_write) && registers->rdi <= 2)
    return false;
  for (size_t i = 0; i < sizeof failing / sizeof failing[0]; i++)
    if (failing[i] == number)
      return true;
  return false;
}

static void
start (char **command)
{
  if (ptrace (PTRACE_TRACEME, 0, NULL, NULL) != 0)
    _exit (UNTRACED);
  execvp (command[0], command);
  _exit (UNTRACED);
}

/* Let CHILD go on to its next stop; false if it has ended, with *STATUS.  */

static bool
step (pid_t child, int signal_number, int *status)
{
  if (ptrace (PTRACE_SYSCALL, child, NULL, (long) signal_number) != 0
      && errno != ESRCH)
    exit (UNTRACED);
  if (waitpid (child, status, 0) != child)
    exit (UNTRACED);
  return WIFSTOPPED (*status);
}

/* Make the call of CHILD, before which it stands, fail with ERROR.  */

static void
fail (pid_t child, struct user_regs_struct *registers, int error)
{
  fprintf (stderr, "fail-call: call %llu fails\n", registers->orig_rax);
  registers->orig_rax = (unsigned long long) -1;
  int status;
  if (ptrace (PTRACE_SETREGS, child, NULL, registers) != 0
      || !step (child, 0, &status))
    exit (UNTRACED);
  registers->rax = (unsigned long long) -error;
  if (ptrace (PTRACE_SETREGS, child, NULL, registers) != 0)
    exit (UNTRACED);
}

/* Run CHILD to its end; how often it made calls that may fail.  */

static long
run (pid_t child, long wanted, int error, int *status)
{
  long count = 0;
  int signal_number = 0;
  int at = BEFORE;
  while (step (child, signal_number, status))
    {
      signal_number = 0;
      struct user_regs_struct registers;
      if (WSTOPSIG (*status) != (SIGTRAP | 0x80))
	signal_number = WSTOPSIG (*status);
      else if (at == AFTER)
	at = BEFORE;
      else if (ptrace (PTRACE_GETREGS, child, NULL, &registers) != 0)
	exit (UNTRACED);
      else if (may_fail (&registers) && ++count == wanted)
	fail (child, &registers, error);
      else
	at = AFTER;
    }
  return count;
}

int
main (int argc, char **argv)
{
  if (argc < 4)
    return UNTRACED;
  const long wanted = atol (argv[1]);
  const pid_t child = fork ();
  if (child == 0)
    start (argv + 3);
  int status;
  if (child < 0 || waitpid (child, &status, 0) != child || !WIFSTOPPED (status)
      || ptrace (PTRACE_SETOPTIONS, child, NULL,
		 (long) (PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL)) != 0)
    return UNTRACED;
  const long count = run (child, wanted, atoi (argv[2]), &status);
  if (count < wanted)
    return FEWER;
  return WIFSIGNALED (status) ? 128 + WTERMSIG (status) : WEXITSTATUS (status);
}
