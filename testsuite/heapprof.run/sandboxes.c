/* A sandbox that ends the process: sandboxes WAY END.  It allocates in 16 contexts,
   restricts its system calls by WAY to those that allocators and servers need,
   and allocates in 4096.  Exits with 77 if that is not permitted, and with 3 at
   the end.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#define _GNU_SOURCE
#include "ways.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define CODE(what, k) { what, 0, 0, k }
#define ALLOW CODE (BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define IS(number, yes, no) { BPF_JMP | BPF_JEQ | BPF_K, yes, no, number }
#define ALLOWED(number) IS (number, 0, 1), ALLOW
#define LOAD(field)                                                            \
  CODE (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, field))

/* Like that of the OpenSSH server.  The memory that it maps is neither
   executable nor a file.  Calculations, memory and index are of no use, but have
   to be understood.  */

static struct sock_filter code[] = {
  LOAD (nr),
  CODE (BPF_ST, 3),
  CODE (BPF_LDX | BPF_W | BPF_LEN, 0),
  CODE (BPF_MISC | BPF_TXA, 0),
  CODE (BPF_ALU | BPF_ADD | BPF_K, 36),
  CODE (BPF_ALU | BPF_DIV | BPF_K, 10),	 /* 10 */
  CODE (BPF_ALU | BPF_MUL | BPF_X, 0),	 /* 640 */
  CODE (BPF_ALU | BPF_RSH | BPF_K, 7),	 /* 5 */
  CODE (BPF_ALU | BPF_LSH | BPF_K, 1),	 /* 10 */
  CODE (BPF_ALU | BPF_XOR | BPF_K, 3),	 /* 9 */
  CODE (BPF_ALU | BPF_AND | BPF_K, 0xd), /* 9 */
  CODE (BPF_ALU | BPF_OR | BPF_K, 2),	 /* 11 */
  CODE (BPF_ALU | BPF_NEG, 0),
  CODE (BPF_ALU | BPF_SUB | BPF_K, -11u), /* 0 */
  CODE (BPF_MISC | BPF_TAX, 0),
  CODE (BPF_LD | BPF_MEM, 3),
  CODE (BPF_ALU | BPF_ADD | BPF_X, 0),
  CODE (BPF_JMP | BPF_JA, 1),
  CODE (BPF_RET | BPF_K, SECCOMP_RET_KILL),
  ALLOWED (SYS_brk),
  ALLOWED (SYS_clock_gettime),
  ALLOWED (SYS_clock_nanosleep),
  ALLOWED (SYS_clone),
  ALLOWED (SYS_close),
  ALLOWED (SYS_execve),
  ALLOWED (SYS_exit),
  ALLOWED (SYS_exit_group),
  ALLOWED (SYS_fstat),
  ALLOWED (SYS_futex),
  ALLOWED (SYS_getpid),
  ALLOWED (SYS_getrandom),
  ALLOWED (SYS_gettid),
  ALLOWED (SYS_madvise),
  ALLOWED (SYS_mremap),
  ALLOWED (SYS_munmap),
  ALLOWED (SYS_nanosleep),
  ALLOWED (SYS_read),
  ALLOWED (SYS_rt_sigprocmask),
  ALLOWED (SYS_rt_sigreturn),
  ALLOWED (SYS_set_robust_list),
  ALLOWED (SYS_wait4),
  ALLOWED (SYS_write),
  ALLOWED (SYS_writev),
  IS (SYS_mprotect, 5, 0),
  IS (SYS_mmap, 0, 7),
  LOAD (args[3]),
  { BPF_JMP | BPF_JSET | BPF_K, 0, 5, MAP_ANONYMOUS },
  CODE (BPF_LDX | BPF_IMM, 65535),
  LOAD (args[2]),
  { BPF_JMP | BPF_JGT | BPF_X, 2, 0, 0 },
  { BPF_JMP | BPF_JGE | BPF_K, 1, 0, PROT_EXEC },
  ALLOW,
  CODE (BPF_RET | BPF_K, SECCOMP_RET_KILL),
};

#define CODES (sizeof code / sizeof code[0])

static volatile sig_atomic_t trapped;

static void
on_trap (int number)
{
  (void) number;
  trapped = 1;
}

static void
restrict_calls (const char *way)
{
  struct sock_filter all[] = { ALLOW };
  const struct sock_fprog harmless = { 1, all };
  const struct sock_fprog program = { CODES, code };
  require (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  if (strcmp (way, "trap") == 0)
    {
      code[CODES - 1].k = SECCOMP_RET_TRAP;
      signal (SIGSYS, on_trap);
    }
  if (strcmp (way, "supervisor") == 0)
    code[CODES - 1].k = SECCOMP_RET_TRACE;
  if (strcmp (way, "strict") == 0)
    require (prctl (PR_SET_SECCOMP, SECCOMP_MODE_STRICT));
  else if (strcmp (way, "syscall") == 0)
    require ((int) syscall (SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			    SECCOMP_FILTER_FLAG_TSYNC, &program));
  else if (strcmp (way, "syscall-prctl") == 0)
    require ((int) syscall (SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER,
			    &program, 0, 0));
  else if (strcmp (way, "two") == 0)
    {
      require (prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
      code[CODES - 1].k = SECCOMP_RET_ALLOW;
    }
  else if (strcmp (way, "second") == 0)
    {
      require (prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &harmless));
      require (prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
    }
  else if (strcmp (way, "wrong") == 0)
    {
      /* The kernel accepts none of these.  */
      const struct sock_fprog none = { 0, code };
      const struct sock_fprog nowhere = { CODES, (struct sock_filter *) 8 };
      const struct sock_fprog cut = { CODES - 1, code + 1 };
      code[CODES - 1].code = BPF_LD;
      const struct sock_fprog *const wrong[]
	= { NULL, (const struct sock_fprog *) 8, &none, &nowhere, &program,
	    &cut };
      const int errors[] = { EFAULT, EFAULT, EINVAL, EFAULT, EINVAL, EINVAL };
      for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
	{
	  errno = 0;
	  if (prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, wrong[i]) != -1
	      || errno != errors[i])
	    _exit (10 + (int) i);
	  errno = 0;
	  if (syscall (SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, wrong[i]) != -1
	      || errno != errors[i])
	    _exit (20 + (int) i);
	}
    }
  else if (strcmp (way, "none") != 0)
    require (prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
}

/* prctl and syscall as such: values, errors, all arguments, and a call that
   returns on another stack.  */

static NOINLINE void
on_other_stack (void)
{
  syscall (SYS_exit, 5);
}

static int
check_calls (void)
{
  char name[16] = "";
  errno = 0;
  if (prctl (PR_SET_NAME, "other") != 0 || prctl (PR_GET_NAME, name) != 0
      || strcmp (name, "other") != 0 || prctl (PR_SET_PDEATHSIG, 12345) != -1
      || errno != EINVAL)
    return 1;
  errno = 0;
  if (syscall (SYS_getpid) != getpid () || syscall (SYS_close, -1) != -1
      || errno != EBADF)
    return 2;
  char *const zeros
    = (char *) syscall (SYS_mmap, NULL, (size_t) 8192, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, (off_t) 0);
  errno = 0;
  if (zeros == (char *) -1 || zeros[8191] != 0
      || syscall (SYS_mmap, NULL, (size_t) 8192, PROT_READ, MAP_PRIVATE,
		  STDIN_FILENO, (off_t) 1)
	   != -1
      || errno != EINVAL)
    return 3;
#ifdef __x86_64__
  void **const stack = (void **) (zeros + 4096);
  stack[0] = (void *) on_other_stack;
  int status = 0;
  const pid_t child = (pid_t) syscall (SYS_clone, CLONE_VM | SIGCHLD, stack);
  if (child < 0 || waitpid (child, &status, 0) != child
      || WEXITSTATUS (status) != 5)
    return 4;
#endif
  return 3;
}

int
main (int count, char **arguments)
{
  if (count != 3)
    return 1;
  const char *const end = arguments[2];
  const struct itimerval soon = { .it_value = { .tv_usec = 100000 } };
  if (strcmp (end, "calls") == 0)
    return check_calls ();
  if (strcmp (end, "alarm") == 0)
    setitimer (ITIMER_REAL, &soon, NULL);
  for (unsigned way = 0; way < 16; way++)
    descend (12, way);
  restrict_calls (arguments[1]);
  if (strcmp (end, "fork") == 0)
    return serve_in_child ();
  keeps = strcmp (end, "keep") == 0;
  serve ();
  if (strcmp (end, "exec") == 0)
    {
      char *const none[] = { NULL };
      execve ("/nonexistent/program", none, none);
      return errno == ENOENT ? 3 : 1;
    }
  if (strcmp (end, "open") == 0)
    open ("/dev/null", O_RDONLY);
  if (strcmp (end, "thread") == 0)
    syscall (SYS_exit, 3);
  while (strcmp (end, "alarm") == 0)
    usleep (1000);
  return trapped ? 4 : 3;
}
