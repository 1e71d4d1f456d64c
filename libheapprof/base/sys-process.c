/* The operating system: helper processes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "sys-process.h"
#include "format.h"
#include "sys.h"
#include "system-call.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <time.h>

/* From linux/sched.h and linux/wait.h, whose names the C library's headers
   define, too, in other ways.  */
#define CLONE_UNTRACED_FLAG 0x00800000L
#define CLONE_VM_FLAG 0x00000100L
#define CLONE_VFORK_FLAG 0x00004000L
#define CLONE_PARENT_FLAG 0x00008000L
#define WAIT_ALL_FLAG 0x40000000L

/* From linux/ptrace.h.  */
#define TRACE_DETACH 17
#define TRACE_GET_REGISTERS 0x4204
#define TRACE_SEIZE 0x4206
#define TRACE_INTERRUPT 0x4207

/* From linux/prctl.h.  */
#define SET_TRACER 0x59616d61
#define ANY_TRACER -1L

void *
sys_map_shared (size_t bytes)
{
  const long result
    = system_call_6 (SYS_mmap, 0, (long) bytes, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return system_call_failed (result) ? NULL : (void *) result;
}

uint64_t
sys_swap_signals (uint64_t set)
{
  uint64_t before = 0;
  system_call_4 (SYS_rt_sigprocmask, SIG_SETMASK, (long) &set, (long) &before,
		 sizeof set);
  return before;
}

/* Without a signal at the end, a helper is found only by a wait that asks for
   such children.  */

pid_t
sys_fork_helper (void)
{
  return (pid_t) system_call_6 (SYS_clone, CLONE_UNTRACED_FLAG, 0, 0, 0, 0, 0);
}

void
sys_become_helper (pid_t parent)
{
  /* 1 byte: for 0, the kernel would still start a program that reads core
     files.  */
  const struct rlimit none = { .rlim_cur = 1, .rlim_max = 1 };
  system_call_4 (SYS_prlimit64, 0, RLIMIT_CORE, (long) &none, 0);
  system_call_4 (SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0);
  if (sys_parent_pid () != parent)
    sys_exit (1);
}

int
sys_wait_for_helper (pid_t helper)
{
  int status = 0;
  long result;
  do
    result
      = system_call_4 (SYS_wait4, helper, (long) &status, WAIT_ALL_FLAG, 0);
  while (result == -EINTR);
  return result < 0 ? (int) result : status;
}

pid_t
sys_fork_helper_beside (void)
{
  return (pid_t) system_call_6 (SYS_clone,
				CLONE_UNTRACED_FLAG | CLONE_PARENT_FLAG, 0, 0,
				0, 0, 0);
}

/* As in vfork, both processes use one stack.  So the system call must be
   inline: the new process must not return from a function that the waiting
   thread has not returned from, and it has its own stack frames below this one.
 */

__attribute__ ((noinline)) pid_t
sys_share_and_wait (void (*function) (void *data), void *data)
{
  const long flags = CLONE_UNTRACED_FLAG | CLONE_VM_FLAG | CLONE_VFORK_FLAG;
  const long refusal
    = __hpr_system_call_refusal (SYS_clone, flags, 0, 0, 0, 0, 0);
  if (refusal != 0)
    return (pid_t) refusal;
  const long process = system_call_inline_6 (SYS_clone, flags, 0, 0, 0, 0, 0);
  if (process != 0)
    return (pid_t) process;
  const pid_t own = sys_pid ();
  function (data);
  if (own == sys_pid ())
    sys_exit (0);
  return 0;
}

bool
sys_allow_tracing (bool is_allowed)
{
  char scope = '0';
  size_t got;
  const int fd = sys_open ("/proc/sys/kernel/yama/ptrace_scope", O_RDONLY, 0);
  if (fd < 0)
    return false;
  sys_read_all (fd, &scope, 1, &got);
  sys_close (fd);
  return scope == '1'
	 && system_call_4 (SYS_prctl, SET_TRACER, is_allowed ? ANY_TRACER : 0,
			   0, 0)
	      == 0;
}

/* The kernel's struct linux_dirent64.  */
struct entry
{
  uint64_t inode;
  int64_t next;
  uint16_t bytes;
  uint8_t type;
  char name[];
};

/* Call VISIT for the threads among the BYTES bytes of entries at DATA.  */

static void
visit_entries (const char *data, size_t bytes,
	       void (*visit) (pid_t thread, void *data), void *user)
{
  for (size_t at = 0; at < bytes;)
    {
      const struct entry *const entry = (const void *) (data + at);
      pid_t thread = 0;
      for (const char *c = entry->name; *c >= '0' && *c <= '9'; c++)
	thread = thread * 10 + (*c - '0');
      if (thread != 0)
	visit (thread, user);
      at += entry->bytes;
    }
}

int
sys_visit_threads (pid_t process, void (*visit) (pid_t thread, void *data),
		   void *data)
{
  static _Alignas(struct entry) char entries[4096];
  char path[32];
  rt_format (path, sizeof path, "/proc/%d/task", (int) process);
  const int fd = sys_open (path, O_RDONLY | O_DIRECTORY, 0);
  if (fd < 0)
    return fd;
  long got;
  while ((got = system_call_4 (SYS_getdents64, fd, (long) entries,
			       sizeof entries, 0))
	 > 0)
    visit_entries (entries, (size_t) got, visit, data);
  sys_close (fd);
  return (int) got;
}

/* True if THREAD is the first one of its process and has ended, but others have
   not, so that it is still there: "PID (NAME) Z ...".  */

static bool
is_zombie (pid_t thread)
{
  char path[32], text[128];
  size_t got = 0;
  rt_format (path, sizeof path, "/proc/%d/stat", (int) thread);
  const int fd = sys_open (path, O_RDONLY, 0);
  if (fd < 0)
    return false;
  sys_read_all (fd, text, sizeof text, &got);
  sys_close (fd);
  while (got > 0 && text[got - 1] != ')')
    got--;
  return got > 0 && got + 1 < sizeof text && text[got] == ' '
	 && (text[got + 1] == 'Z' || text[got + 1] == 'X');
}

int
sys_trace_seize (pid_t thread)
{
  long error = system_call_4 (SYS_ptrace, TRACE_SEIZE, thread, 0, 0);
  if (error == -EPERM && is_zombie (thread))
    return -ESRCH;
  if (error == 0)
    error = system_call_4 (SYS_ptrace, TRACE_INTERRUPT, thread, 0, 0);
  return (int) error;
}

int
sys_trace_wait (pid_t thread, int *status)
{
  const long result = system_call_4 (SYS_wait4, thread, (long) status,
				     WAIT_ALL_FLAG | 1 /* do not block */, 0);
  return result == -EINTR ? 0 : result > 0 ? 1 : (int) result;
}

int
sys_trace_registers (pid_t thread, int set, void *data, size_t bytes)
{
  struct iovec place = { data, bytes };
  return (int) system_call_4 (SYS_ptrace, TRACE_GET_REGISTERS, thread, set,
			      (long) &place);
}

void
sys_trace_end (pid_t thread, int signal)
{
  system_call_4 (SYS_ptrace, TRACE_DETACH, thread, 0, signal);
}

void
sys_sleep_us (unsigned microseconds)
{
  const struct timespec time = { 0, (long) microseconds * 1000 };
  system_call_4 (SYS_nanosleep, (long) &time, 0, 0, 0);
}
