/* Calling functions in a thread of another process.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "remote-thread.h"
#include "monotonic-time.h"
#include "settle-threads.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How long a thread may take to stop.  */
#define STOP_S 0.5

/* After this time, a call is late.  */
#define CALL_S 5.0

#define STEP_NS 200000

/* Below the stack pointer a function may use this many bytes.  */
#define RED_ZONE_BYTES 128

#define DIRECTION_FLAG 0x400ul
#define TRAP_FLAG 0x100ul

/* Wait until the thread changes its state, at most SECONDS; without a limit if
   that is negative.  Return false if it has ended, or not stopped in time;
   *STATUS is 0 then in the second case.  */
static bool
wait_for_stop (pid_t thread, double seconds, int *status)
{
  const struct timespec step = { .tv_nsec = STEP_NS };
  double end_s = monotonic_time_s () + seconds;
  for (;;)
    {
      *status = 0;
      pid_t result = waitpid (thread, status, __WALL | WNOHANG);
      if (result == thread)
	return WIFSTOPPED (*status);
      if (result < 0 && errno != EINTR)
	{
	  *status = -1;
	  return false;
	}
      if (seconds >= 0 && monotonic_time_s () > end_s)
	return false;
      nanosleep (&step, NULL);
    }
}

/* Wait for the stop that was asked for.  Signals that arrive before it are
   delivered.  */
static enum remote_stop
await_interruption (struct remote_thread *remote)
{
  int status;
  while (wait_for_stop (remote->thread, STOP_S, &status))
    {
      if (remote_stop_is_event (status))
	return WSTOPSIG (status) == SIGTRAP ? REMOTE_STOPPED : REMOTE_BUSY;
      ptrace (PTRACE_CONT, remote->thread, NULL, WSTOPSIG (status));
    }
  return status == 0 ? REMOTE_BUSY : REMOTE_GONE;
}

enum remote_stop
remote_thread_stop (struct remote_thread *remote, pid_t process, pid_t thread)
{
  char name[64];
  *remote = (struct remote_thread){ .thread = thread, .memory = -1 };
  if (ptrace (PTRACE_SEIZE, thread, NULL, NULL) != 0)
    return errno == ESRCH ? REMOTE_GONE : REMOTE_REFUSED;
  ptrace (PTRACE_INTERRUPT, thread, NULL, NULL);
  enum remote_stop stop = await_interruption (remote);
  if (stop == REMOTE_STOPPED)
    {
      snprintf (name, sizeof name, "/proc/%ld/task/%ld/mem", (long) process,
		(long) thread);
      remote->memory = open (name, O_RDWR | O_CLOEXEC);
      if (remote->memory >= 0)
	return REMOTE_STOPPED;
      stop = REMOTE_REFUSED;
    }
  remote_thread_release (remote);
  return stop;
}

/* Get or set, by REQUEST, all registers.  */
static bool
transfer_extended (struct remote_thread *remote, int request)
{
  struct iovec all = { remote->extended, request == PTRACE_GETREGSET
					   ? sizeof remote->extended
					   : remote->extended_bytes };
  if (ptrace (request, remote->thread, (void *) NT_X86_XSTATE, &all) != 0)
    return false;
  remote->extended_bytes = all.iov_len;
  return true;
}

bool
remote_thread_begin (struct remote_thread *remote)
{
  /* The fault at the end of a call would make the kernel unblock the signal,
     and forget the program's handler.  */
  const uint64_t blocked = ~((uint64_t) 1 << (SIGSEGV - 1));
  if (ptrace (PTRACE_GETREGS, remote->thread, NULL, &remote->registers) != 0
      || !transfer_extended (remote, PTRACE_GETREGSET)
      || ptrace (PTRACE_GETSIGMASK, remote->thread, sizeof remote->mask,
		 &remote->mask)
	   != 0
      || ptrace (PTRACE_SETSIGMASK, remote->thread, sizeof blocked, &blocked)
	   != 0)
    return false;
  remote->is_calling = true;
  remote->stack = (remote->registers.rsp - RED_ZONE_BYTES) & -16ul;
  return true;
}

/* Set the registers for a call of FUNCTION with ARGUMENTS.  */
static bool
enter_function (struct remote_thread *remote, uint64_t function,
		const uint64_t arguments[REMOTE_ARGUMENTS])
{
  const uint64_t return_address = 0;
  struct user_regs_struct registers = remote->registers;
  registers.rsp = remote->stack - sizeof return_address;
  registers.rip = function;
  registers.rdi = arguments[0];
  registers.rsi = arguments[1];
  registers.rdx = arguments[2];
  registers.rcx = arguments[3];
  registers.r8 = arguments[4];
  registers.r9 = arguments[5];
  registers.rax = 0;
  registers.rbp = 0;
  /* It is in no system call that could be restarted.  */
  registers.orig_rax = UINT64_MAX;
  registers.eflags &= ~(DIRECTION_FLAG | TRAP_FLAG);
  return remote_thread_write (remote, registers.rsp, &return_address,
			      sizeof return_address)
	 && ptrace (PTRACE_SETREGS, remote->thread, NULL, &registers) == 0
	 && ptrace (PTRACE_CONT, remote->thread, NULL, NULL) == 0;
}

bool
remote_thread_call (struct remote_thread *remote, uint64_t function,
		    const uint64_t arguments[REMOTE_ARGUMENTS],
		    uint64_t *result)
{
  struct user_regs_struct registers;
  int status;
  double limit_s = remote->late != NULL ? CALL_S : -1;
  if (!enter_function (remote, function, arguments))
    return false;
  for (;;)
    {
      if (!wait_for_stop (remote->thread, limit_s, &status))
	{
	  if (status != 0 || limit_s < 0)
	    return false;
	  remote->late (remote->thread);
	  limit_s = -1;
	  continue;
	}
      if (remote_stop_is_event (status))
	{
	  ptrace (PTRACE_CONT, remote->thread, NULL, NULL);
	  continue;
	}
      if (ptrace (PTRACE_GETREGS, remote->thread, NULL, &registers) != 0)
	return false;
      *result = registers.rax;
      return WSTOPSIG (status) == SIGSEGV && registers.rip == 0;
    }
}

bool
remote_thread_read (struct remote_thread *remote, uint64_t address, void *data,
		    size_t bytes)
{
  return pread (remote->memory, data, bytes, (off_t) address)
	 == (ssize_t) bytes;
}

bool
remote_thread_write (struct remote_thread *remote, uint64_t address,
		     const void *data, size_t bytes)
{
  return pwrite (remote->memory, data, bytes, (off_t) address)
	 == (ssize_t) bytes;
}

void
remote_thread_release (struct remote_thread *remote)
{
  if (remote->is_calling)
    {
      transfer_extended (remote, PTRACE_SETREGSET);
      ptrace (PTRACE_SETREGS, remote->thread, NULL, &remote->registers);
      ptrace (PTRACE_SETSIGMASK, remote->thread, sizeof remote->mask,
	      &remote->mask);
    }
  remote->is_calling = false;
  if (remote->memory >= 0)
    close (remote->memory);
  remote->memory = -1;
  ptrace (PTRACE_DETACH, remote->thread, NULL, NULL);
}
