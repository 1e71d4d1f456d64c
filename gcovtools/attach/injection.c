/* Loading the library into a running process, and calling it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "injection.h"
#include "diagnostics.h"
#include "heapprof/attach.h"
#include "monotonic-time.h"
#include "process-stat.h"
#include "process-view.h"
#include "remote-thread.h"
#include "safe-point.h"
#include "settle-threads.h"
#include "target-check.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* The stack for calls; texts are at its start.  */
#define STACK_BYTES ((size_t) 1 << 20)
#define TEXT_BYTES ((size_t) 64 << 10)

/* The flag of __libc_dlopen_mode that makes it work.  */
#define OLD_DLOPEN_FLAG 0x80000000u

/* Time between two looks at all threads.  */
#define PAUSE_NS 3000000

/* Functions of the C library.  */
struct functions
{
  uint64_t map, unmap, error_location;
  uint64_t open, find, error; /* dlopen, dlsym, dlerror */
  bool is_old;		      /* the internal ones of glibc before 2.34 */
};

/* A thread that does the work.  */
struct worker
{
  struct remote_thread thread;
  struct functions functions;
  uint64_t area; /* stack and texts */
  uint64_t text; /* of the texts, the next free byte */
  uint64_t error_address;
  int error; /* errno of the thread */
};

static uint64_t
find_function (struct process_view *view, const char *name)
{
  static const char *const modules[] = { "libc.so.6", "libc-2.", "libdl" };
  uint64_t address = 0;
  for (size_t i = 0; address == 0 && i < sizeof modules / sizeof *modules; i++)
    address = process_view_find (view, modules[i], name);
  return address;
}

static bool
find_functions (struct process_view *view, struct functions *functions)
{
  *functions = (struct functions){ .map = find_function (view, "mmap"),
				   .unmap = find_function (view, "munmap"),
				   .error_location
				   = find_function (view, "__errno_location"),
				   .open = find_function (view, "dlopen"),
				   .find = find_function (view, "dlsym"),
				   .error = find_function (view, "dlerror") };
  if (functions->open == 0 || functions->find == 0)
    {
      functions->open = find_function (view, "__libc_dlopen_mode");
      functions->find = find_function (view, "__libc_dlsym");
      functions->error = 0;
      functions->is_old = true;
    }
  return functions->map != 0 && functions->unmap != 0
	 && functions->error_location != 0 && functions->open != 0
	 && functions->find != 0;
}

/* ---- One thread.  */

/* A call in THREAD takes long.  */
static void
say_late (pid_t thread)
{
  diagnostics_note ("thread %ld has not returned from a call for some seconds, "
		    "as if it waits for a lock of the dynamic linker; waiting: "
		    "if this command ends before it does, the process may "
		    "crash",
		    (long) thread);
}

static bool
call (struct worker *worker, uint64_t function, uint64_t a, uint64_t b,
      uint64_t *result)
{
  const uint64_t arguments[REMOTE_ARGUMENTS] = { a, b };
  return remote_thread_call (&worker->thread, function, arguments, result);
}

/* Keep the errno of the worker's thread, and give it a stack.  */
static bool
begin (struct worker *worker)
{
  struct remote_thread *thread = &worker->thread;
  const uint64_t arguments[REMOTE_ARGUMENTS] = { 0,
						 STACK_BYTES,
						 PROT_READ | PROT_WRITE,
						 MAP_PRIVATE | MAP_ANONYMOUS,
						 UINT64_MAX,
						 0 };
  thread->late = say_late;
  if (!remote_thread_begin (thread)
      || !call (worker, worker->functions.error_location, 0, 0,
		&worker->error_address)
      || !remote_thread_read (thread, worker->error_address, &worker->error,
			      sizeof worker->error)
      || !remote_thread_call (thread, worker->functions.map, arguments,
			      &worker->area)
      || worker->area == UINT64_MAX)
    return false;
  worker->text = worker->area;
  thread->stack = worker->area + STACK_BYTES;
  return true;
}

/* Undo that.  */
static void
end (struct worker *worker)
{
  struct remote_thread *thread = &worker->thread;
  uint64_t result;
  thread->stack = (thread->registers.rsp - 1024) & -16ul;
  call (worker, worker->functions.unmap, worker->area, STACK_BYTES, &result);
  remote_thread_write (thread, worker->error_address, &worker->error,
		       sizeof worker->error);
}

/* Store TEXT in the process; return its address, 0 on failure.  */
static uint64_t
put_text (struct worker *worker, const char *text)
{
  uint64_t address = worker->text;
  size_t bytes = strlen (text) + 1;
  if (address + bytes > worker->area + TEXT_BYTES
      || !remote_thread_write (&worker->thread, address, text, bytes))
    return 0;
  worker->text += bytes;
  return address;
}

static bool
set_broken (const struct worker *worker, struct profile_error *err)
{
  return profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
			    "thread %ld did not return from a call",
			    (long) worker->thread.thread);
}

/* Set *ERR to the dynamic linker's message.  Return false.  */
static bool
set_load_error (struct worker *worker, const char *library,
		struct profile_error *err)
{
  char text[256] = "it could not be loaded";
  uint64_t message = 0;
  if (worker->functions.error != 0
      && call (worker, worker->functions.error, 0, 0, &message) && message != 0)
    for (size_t i = 0; i + 1 < sizeof text; i++)
      if (!remote_thread_read (&worker->thread, message + i, &text[i], 1)
	  || text[i] == '\0')
	{
	  text[i] = '\0';
	  break;
	}
  text[sizeof text - 1] = '\0';
  return profile_error_set (err, library, PROFILE_ERROR_NO_OFFSET, "%s", text);
}

static bool
find_symbol (struct worker *worker, uint64_t handle, const char *name,
	     uint64_t *address)
{
  uint64_t text = put_text (worker, name);
  return text != 0
	 && call (worker, worker->functions.find, handle, text, address)
	 && *address != 0;
}

/* Set *ERR to what the library's RESULT means.  Return false.  */
static bool
set_refusal (pid_t pid, int result, struct profile_error *err)
{
  static const struct
  {
    int error;
    const char *text;
  } causes[]
    = { { EBUSY, "has a profile already, by another attach" },
	{ ESRCH, "is not attached any more" },
	{ ENOSYS, "has no malloc that can be found" },
	{ EINVAL, "does not accept an option for the run-time library" },
	{ EIO, "cannot write a profile; is there space, and may its user "
	       "write there?" } };
  const char *cause = strerror (-result);
  for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
    if (causes[i].error == -result)
      cause = causes[i].text;
  return profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
			    "process %ld %s", (long) pid, cause);
}

/* What is to be done in a thread.  */
struct work
{
  struct injection *injection;
  const char *library; /* NULL: detach */
  const char *options;
  enum thread_task task;
};

/* Load the library and find its functions.  */
static bool
load (struct worker *worker, const struct work *work, uint64_t *attach,
      struct profile_error *err)
{
  uint64_t handle = 0;
  uint64_t mode = RTLD_NOW | (worker->functions.is_old ? OLD_DLOPEN_FLAG : 0);
  uint64_t name = put_text (worker, work->library);
  if (name == 0 || !call (worker, worker->functions.open, name, mode, &handle))
    return set_broken (worker, err);
  if (handle == 0)
    return set_load_error (worker, work->library, err);
  if (!find_symbol (worker, handle, HEAPPROF_ATTACH_FUNCTION, attach)
      || !find_symbol (worker, handle, HEAPPROF_DETACH_FUNCTION,
		       &work->injection->detach))
    return profile_error_set (err, work->library, PROFILE_ERROR_NO_OFFSET,
			      "is another version than this program");
  return true;
}

/* Do WORK.  Return false and set *ERR on failure.  *CAN_RETRY: another thread
   may succeed.  */
static bool
do_work (struct worker *worker, const struct work *work, bool *can_retry,
	 struct profile_error *err)
{
  uint64_t function = work->injection->detach;
  uint64_t argument = 0;
  uint64_t result = 0;
  if (work->library != NULL)
    {
      if (!load (worker, work, &function, err))
	return false;
      argument = put_text (worker, work->options);
      if (argument == 0)
	return set_broken (worker, err);
    }
  else if (!target_maps (work->injection->pid, HEAPPROF_ATTACH_LIBRARY,
			 function))
    return profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
			      "process %ld has executed another program",
			      (long) work->injection->pid);
  if (!call (worker, function, argument, 0, &result))
    return set_broken (worker, err);
  *can_retry = (int) result == -EAGAIN;
  return (int) result == 0
	 || set_refusal (work->injection->pid, (int) result, err);
}

/* ---- All threads.  */

enum attempt
{
  ATTEMPT_DONE,
  ATTEMPT_FAILED,
  ATTEMPT_LATER,
  ATTEMPT_GONE
};

/* Work in THREAD, which is stopped at a safe point.  */
static enum attempt
use_thread (struct worker *worker, const struct work *work,
	    struct profile_error *err)
{
  bool can_retry = false;
  if (!begin (worker))
    {
      set_broken (worker, err);
      return ATTEMPT_FAILED;
    }
  bool is_done = do_work (worker, work, &can_retry, err);
  end (worker);
  return is_done ? ATTEMPT_DONE : can_retry ? ATTEMPT_LATER : ATTEMPT_FAILED;
}

static enum attempt
try_thread (struct process_view *view, struct worker *worker, pid_t thread,
	    const struct work *work, struct profile_error *err)
{
  const pid_t pid = work->injection->pid;
  enum attempt attempt = ATTEMPT_LATER;
  switch (remote_thread_stop (&worker->thread, pid, thread))
    {
    case REMOTE_GONE:
    case REMOTE_BUSY:
      return ATTEMPT_LATER;
    case REMOTE_REFUSED:
      target_set_refused (pid, err);
      return ATTEMPT_FAILED;
    case REMOTE_STOPPED:
      break;
    }
  if (safe_point_reached (view, thread, work->task))
    attempt = use_thread (worker, work, err);
  remote_thread_release (&worker->thread);
  return attempt;
}

/* Try all threads of the process once.  */
static enum attempt
try_threads (struct process_view *view, struct worker *worker,
	     const struct work *work, struct profile_error *err)
{
  char path[64];
  enum attempt attempt = ATTEMPT_LATER;
  snprintf (path, sizeof path, "/proc/%ld/task", (long) work->injection->pid);
  DIR *folder = opendir (path);
  if (folder == NULL)
    return ATTEMPT_GONE;
  const struct dirent *entry;
  while (attempt == ATTEMPT_LATER && (entry = readdir (folder)) != NULL)
    if (entry->d_name[0] != '.')
      attempt
	= try_thread (view, worker, (pid_t) atol (entry->d_name), work, err);
  closedir (folder);
  return attempt;
}

/* Try all threads, with the modules that the process has now.  While it loads
   some, they may not be readable.  */
static enum attempt
try_once (struct worker *worker, const struct work *work,
	  struct profile_error *err)
{
  const pid_t pid = work->injection->pid;
  enum attempt attempt = ATTEMPT_LATER;
  struct process_stat stat;
  if (!process_stat_read ((uint64_t) pid, &stat)
      || (stat.state == 'Z' && stat.threads <= 1))
    return ATTEMPT_GONE;
  struct process_view *view = process_view_open (pid, err);
  if (view == NULL)
    return ATTEMPT_LATER;
  if (find_functions (view, &worker->functions))
    attempt = try_threads (view, worker, work, err);
  else
    {
      profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
			 "process %ld: its C library has no dlopen",
			 (long) pid);
      attempt = ATTEMPT_FAILED;
    }
  process_view_close (view);
  return attempt;
}

/* Try until a thread has done WORK, for SECONDS.  */
static enum attempt
try_for (double seconds, const struct work *work, struct profile_error *err)
{
  static struct worker worker;
  const struct timespec pause = { .tv_nsec = PAUSE_NS };
  const double end_s = monotonic_time_s () + seconds;
  enum attempt attempt;
  worker = (struct worker){ 0 };
  while ((attempt = try_once (&worker, work, err)) == ATTEMPT_LATER
	 && monotonic_time_s () < end_s)
    {
      nanosleep (&pause, NULL);
      remote_threads_settle ();
    }
  return attempt;
}

/* Do WORK as try_for does; *ERR also if no thread could do it.  */
static enum injection_end
inject (double seconds, const struct work *work, struct profile_error *err)
{
  switch (try_for (seconds, work, err))
    {
    case ATTEMPT_DONE:
      return INJECTION_DONE;
    case ATTEMPT_GONE:
      return INJECTION_GONE;
    case ATTEMPT_LATER:
      profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
			 "process %ld: no thread was found outside memory "
			 "allocation and the dynamic linker in %.0f seconds; "
			 "try again, or give it more time (--wait)",
			 (long) work->injection->pid, seconds);
      return INJECTION_FAILED;
    case ATTEMPT_FAILED:
    default:
      return INJECTION_FAILED;
    }
}

bool
injection_check_machine (struct profile_error *err)
{
  (void) err;
  return true;
}

enum injection_end
injection_attach (struct injection *injection, pid_t pid, const char *library,
		  const char *options, double seconds,
		  struct profile_error *err)
{
  *injection = (struct injection){ .pid = pid };
  const struct work work = { .injection = injection,
			     .library = library,
			     .options = options,
			     .task = TASK_LOAD };
  return inject (seconds, &work, err);
}

enum injection_end
injection_detach (const struct injection *injection, double seconds,
		  struct profile_error *err)
{
  struct injection copy = *injection;
  const struct work work = { .injection = &copy, .task = TASK_DETACH };
  return inject (seconds, &work, err);
}
