/* Whether a stopped thread may load a library now.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "safe-point.h"
#include <string.h>

/* The stack is judged by runs of frames in the C library.  One that was
   interrupted, by us or by a signal, must wait for something: the C library
   does not wait inside its allocator.  Another one has called the program,
   which the allocator does not do either.  */
struct stack_check
{
  enum thread_task task;
  bool is_safe;
  bool is_innermost; /* no run has ended yet */
  bool waits;	     /* the innermost run does */
  bool program_allocates;
  bool has_frames;
  /* The current run: */
  bool is_in_run;
  bool is_interrupted;
  bool is_waiting;    /* in its interrupted frame or one that called it */
  char outermost[64]; /* the function called from elsewhere; "": not known */
};

/* Functions that wait, and neither allocate nor take locks of allocators.
   Without leading underscores.  */
static const char *const waiting[] = { "accept",
				       "accept4",
				       "clock_nanosleep",
				       "connect",
				       "epoll_pwait",
				       "epoll_pwait2",
				       "epoll_wait",
				       "flock",
				       "fsync",
				       "fdatasync",
				       "futex_abstimed_wait_cancelable64",
				       "msgrcv",
				       "msgsnd",
				       "nanosleep",
				       "pause",
				       "poll",
				       "ppoll",
				       "pread",
				       "pread64",
				       "preadv",
				       "pselect",
				       "pthread_barrier_wait",
				       "pthread_clockjoin_np",
				       "pthread_cond_clockwait",
				       "pthread_cond_timedwait",
				       "pthread_cond_wait",
				       "pthread_join",
				       "pthread_mutex_lock",
				       "pthread_timedjoin_np",
				       "pwrite",
				       "pwrite64",
				       "read",
				       "readv",
				       "recv",
				       "recvfrom",
				       "recvmmsg",
				       "recvmsg",
				       "sched_yield",
				       "select",
				       "sem_clockwait",
				       "sem_timedwait",
				       "sem_wait",
				       "semop",
				       "semtimedop",
				       "send",
				       "sendmsg",
				       "sendto",
				       "sigsuspend",
				       "sigtimedwait",
				       "sigwait",
				       "sigwaitinfo",
				       "sleep",
				       "usleep",
				       "wait",
				       "wait3",
				       "wait4",
				       "waitid",
				       "waitpid",
				       "write",
				       "writev" };

/* Functions that hold locks of the allocator or the dynamic linker while they
   call the program.  */
static const char *const holding[]
  = { "aligned_alloc", "calloc", "dl_iterate_phdr", "dlclose",
      "dlmopen",       "dlopen", "dlsym",	    "fork",
      "free",	       "malloc", "memalign",	    "posix_memalign",
      "realloc",       "vfork" };

#define LENGTH(list) (sizeof (list) / sizeof *(list))

static bool
is_in (const char *const *list, size_t count, const char *name)
{
  for (size_t i = 0; i < count; i++)
    if (strcmp (list[i], name) == 0)
      return true;
  return false;
}

static bool
starts_with (const char *text, const char *start)
{
  return strncmp (text, start, strlen (start)) == 0;
}

static bool
is_c_library (const char *module)
{
  static const char *const names[]
    = { "libc.so.", "libc-2.", "libpthread.so.", "libpthread-2." };
  for (size_t i = 0; i < LENGTH (names); i++)
    if (starts_with (module, names[i]))
      return true;
  return false;
}

static bool
is_loader (const char *module)
{
  return starts_with (module, "ld-linux") || starts_with (module, "ld-2.")
	 || starts_with (module, "ld.so");
}

/* Store in NAME, of BYTES, FUNCTION as the tables above name it: without
   leading underscores, prefixes of aliases and versions.  */
static void
simplify (const char *function, char *name, size_t bytes)
{
  if (starts_with (function, "__GI_"))
    function += strlen ("__GI_");
  function += strspn (function, "_");
  if (starts_with (function, "libc_") && !starts_with (function, "libc_start"))
    function += strlen ("libc_");
  size_t length = strcspn (function, "@");
  if (length >= bytes)
    length = 0;
  memcpy (name, function, length);
  name[length] = '\0';
}

/* The current run ends.  */
static void
end_run (struct stack_check *check)
{
  if (!check->is_in_run)
    return;
  const char *name = check->outermost;
  bool waits = check->is_waiting || is_in (waiting, LENGTH (waiting), name);
  bool holds = is_in (holding, LENGTH (holding), name);
  if (check->task == TASK_LOAD && (check->is_interrupted ? !waits : holds))
    check->is_safe = false;
  if (check->is_innermost)
    check->waits = waits;
  check->is_in_run = check->is_interrupted = check->is_waiting = false;
}

/* FRAME is in the C library.  From glibc 2.41 on, functions that wait do so in
   others, whose names are not exported.  */
static void
add_to_run (struct stack_check *check, const struct process_frame *frame)
{
  check->is_in_run = true;
  check->outermost[0] = '\0';
  if (frame->function != NULL)
    simplify (frame->function, check->outermost, sizeof check->outermost);
  if (frame->is_interrupted)
    {
      check->is_interrupted = true;
      check->is_waiting = false;
    }
  if (check->is_interrupted
      && is_in (waiting, LENGTH (waiting), check->outermost))
    check->is_waiting = true;
}

static bool
visit_frame (const struct process_frame *frame, void *data)
{
  struct stack_check *check = data;
  check->has_frames = true;
  if (frame->module != NULL && is_c_library (frame->module))
    {
      add_to_run (check, frame);
      return true;
    }
  end_run (check);
  check->is_innermost = false;
  /* Code in no module could have been called by anything, and a module that is
     not known yet could be an allocator.  */
  if (frame->module == NULL || is_loader (frame->module)
      || starts_with (frame->module, "libheapprof-attach."))
    check->is_safe = false;
  else if (frame->allocates && check->task == TASK_LOAD)
    {
      if (strstr (frame->module, ".so") != NULL)
	check->is_safe = false;
      check->program_allocates = true;
    }
  return check->is_safe;
}

bool
safe_point_reached (struct process_view *view, pid_t thread,
		    enum thread_task task)
{
  struct stack_check check
    = { .task = task, .is_safe = true, .is_innermost = true };
  bool is_whole = process_view_walk (view, thread, visit_frame, &check);
  end_run (&check);
  /* A program with an allocator of its own is judged by what it does: it does
     not wait for anything in the allocator.  */
  return is_whole && check.has_frames && check.is_safe
	 && (!check.program_allocates || check.waits);
}
