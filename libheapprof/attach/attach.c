/* Attaching to a running program, and detaching.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   `heapprof-gcov attach' loads this library into the program and calls these
   functions in one of its threads, while the others run.  */

#include "heapprof/attach.h"
#include "abi-symbols.h"
#include "block-table.h"
#include "complete.h"
#include "fork.h"
#include "gate.h"
#include "interval.h"
#include "new-modules.h"
#include "log.h"
#include "options.h"
#include "path.h"
#include "raw-file.h"
#include "replacements.h"
#include "sys.h"
#include "thread.h"
#include "dump.h"
#include <errno.h>

RT_PUBLIC int __heapprof_attach_v1 (const char *options);
RT_PUBLIC int __heapprof_detach_v1 (void);

int __cxa_atexit (void (*function) (void *), void *data, void *module);
int __cxa_at_quick_exit (void (*function) (void *), void *module);

static bool is_started, is_attached, was_attached;

static void
at_exit (void *data)
{
  (void) data;
  rt_complete_at_exit ((uintptr_t) __builtin_return_address (0), false);
}

/* The child of a fork is not profiled: it calls the originals at once.  */

static void
in_child (void)
{
  rt_attach_observe (false);
  rt_attach_look_reset_lock ();
  is_attached = false;
}

/* Do what is done once, at the first call.  */

static void
start (void)
{
  if (is_started)
    return;
  is_started = true;
  at_fork (NULL, NULL, in_child);
  __cxa_atexit (at_exit, NULL, NULL);
  __cxa_at_quick_exit (at_exit, NULL);
}

static bool
configure (const char *options)
{
  rt_options_set_defaults (&rt_options);
  if (!rt_options_parse (options, &rt_options))
    return false;
  rt_options.process = (unsigned) sys_pid ();
  rt_options.finds_leaks = false;
  if (rt_options.sample_bytes != 0)
    {
      rt_log ("an attached program cannot be profiled by samples");
      return false;
    }
  rt_path_start ();
  return true;
}

/* Start a profile; a negative errno on failure.  */

static int
begin_profile (void)
{
  if (was_attached)
    rt_gate_begin_again ();
  was_attached = true;
  if (!rt_gate_open (true))
    return -EIO;
  rt_raw_header->flags |= HEAPPROF_RAW_ATTACHED;
  rt_interval_start ();
  return 0;
}

static int
attach (const char *options)
{
  if (is_attached)
    return -EBUSY;
  if (!rt_attach_find_all ())
    return -ENOSYS;
  if (!configure (options))
    return -EINVAL;
  rt_noted_forget ();
  const int error = begin_profile ();
  if (error != 0)
    return error;
  is_attached = true;
  rt_attach_observe (true);
  rt_attach_redirect_all ();
  rt_attach_look (rt_attach_redirect_all);
  return 0;
}

int
__heapprof_attach_v1 (const char *options)
{
  if (rt_is_inside ())
    return -EAGAIN;
  rt_enter ();
  start ();
  const int error = attach (options);
  rt_leave ();
  return error;
}

int
__heapprof_detach_v1 (void)
{
  if (rt_is_inside ())
    return -EAGAIN;
  if (!is_attached)
    return -ESRCH;
  rt_enter ();
  rt_attach_observe (false);
  rt_attach_look (NULL);
  rt_attach_restore_all ();
  rt_thread_wait_for_others ();
  rt_note_stack ();
  rt_complete ();
  rt_forget_stack ();
  rt_noted_forget ();
  is_attached = false;
  rt_leave ();
  return 0;
}
