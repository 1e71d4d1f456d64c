/* Run a program step by step and print where its own code went.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: step-branches LOW HIGH START PROGRAM ARGUMENT...

   Prints the address of each instruction from LOW up to HIGH, in hexadecimal,
   that ran since START was reached, if that is not 0.  Exits with 77 if programs
   cannot be run so here.  */

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/* An instruction that stops the program.  */
#define BREAKPOINT 0xcc

/* Let CHILD run up to START.  False if that fails.  */
static bool
run_to (pid_t child, uint64_t start)
{
  int status;
  struct user_regs_struct registers;
  long code = ptrace (PTRACE_PEEKTEXT, child, start, NULL);
  long changed = (code & ~0xffL) | BREAKPOINT;
  if (ptrace (PTRACE_POKETEXT, child, start, changed) != 0
      || ptrace (PTRACE_CONT, child, NULL, NULL) != 0
      || waitpid (child, &status, 0) != child || !WIFSTOPPED (status)
      || ptrace (PTRACE_GETREGS, child, NULL, &registers) != 0
      || ptrace (PTRACE_POKETEXT, child, start, code) != 0)
    return false;
  registers.rip = start;
  return ptrace (PTRACE_SETREGS, child, NULL, &registers) == 0;
}

int
main (int argc, char **argv)
{
  int status;
  if (argc < 5)
    return 2;
  uint64_t low = strtoull (argv[1], NULL, 0);
  uint64_t high = strtoull (argv[2], NULL, 0);
  uint64_t start = strtoull (argv[3], NULL, 0);
  pid_t child = fork ();
  if (child == 0)
    {
      if (ptrace (PTRACE_TRACEME, 0, NULL, NULL) != 0)
	_exit (77);
      execv (argv[4], argv + 4);
      _exit (127);
    }
  if (child < 0 || waitpid (child, &status, 0) != child)
    return 77;
  if (start != 0 && !run_to (child, start))
    return 77;
  while (WIFSTOPPED (status))
    {
      struct user_regs_struct registers;
      if (ptrace (PTRACE_GETREGS, child, NULL, &registers) != 0)
	return 77;
      if (registers.rip >= low && registers.rip < high)
	printf ("%llx\n", (unsigned long long) registers.rip);
      if (ptrace (PTRACE_SINGLESTEP, child, NULL, NULL) != 0
	  || waitpid (child, &status, 0) != child)
	return 77;
    }
  return WIFEXITED (status) ? WEXITSTATUS (status) : 1;
}
