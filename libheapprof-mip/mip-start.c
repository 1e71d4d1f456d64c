/* Start and end of a program with slots, and its options.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The plugin makes every object's constructor table call the start function, so
   it runs before user-written constructors.  The destructor runs when the
   program ends and when a shared object is unloaded.  */

#include "mip-runtime.h"
#include "fork.h"
#include "limited-write.h"
#include "mip-system.h"
#include "heapprof/mip.h"
#include "text.h"
#include <elf.h>
#include <signal.h>

/* The C library's, under names that no program may define.  */
int __sigaction (int number, const struct sigaction *action,
		 struct sigaction *previous);
unsigned long __getauxval (unsigned long type);
int __xpg_strerror_r (int error, char *text, size_t bytes);

static void
on_signal (int number)
{
  (void) number;
  mip_dump (HEAPPROF_MIP_FROM_SIGNAL);
}

/* Return the number of the signal TEXT, a number or one of two names; 0 if it
   is invalid.  */

static int
find_signal (const char *text)
{
  int number = 0;
  const char *const user = text_after (text, "USR");
  if (user != NULL)
    return *user == '1' ? SIGUSR1 : *user == '2' ? SIGUSR2 : 0;
  for (; *text >= '0' && *text <= '9' && number < 100; text++)
    number = number * 10 + (*text - '0');
  return number;
}

static bool
set_signal (const char *value)
{
  struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
  return __sigaction (find_signal (value), &action, NULL) == 0;
}

/* Set option NUMBER to VALUE; return false if VALUE is invalid.  */

static bool
set_number (int number, const char *value)
{
  if (number == MIP_SIGNAL)
    return set_signal (value);
  if (number == MIP_FILE)
    mip_options.file = value;
  else
    mip_options.is_on[number] = *value == '1';
  return true;
}

static bool
set_option (const char *text)
{
  static const char names[][8] = { [MIP_MERGE] = "merge=",
				   [MIP_MAP] = "map=",
				   [MIP_OFF] = "off=",
				   [MIP_FILE] = "file=",
				   [MIP_SIGNAL] = "signal=" };
  for (int i = 0; i < MIP_OPTIONS; i++)
    {
      const char *const value = text_after (text, names[i]);
      if (value != NULL)
	return set_number (i, value);
    }
  return false;
}

/* Print one line: WHAT and the first N bytes of DETAIL.  The signals that this
   may cause are blocked meanwhile, and then removed: limited_write, in less
   code.  */

static void
complain (const char *what, const char *detail, size_t n)
{
  const struct iovec pieces[] = { { (char *) "heapprof-mip: ", 14 },
				  { (char *) what, mip_length (what) },
				  { (char *) detail, n },
				  { (char *) "\n", 1 } };
  const uint64_t ours = MESSAGE_SIGNALS;
  const struct timespec now = { 0, 0 };
  uint64_t before;
  mip_system_call_4 (SYS_rt_sigprocmask, SIG_BLOCK, (long) &ours,
		     (long) &before, sizeof before);
  if (mip_system_call_3 (SYS_writev, STDERR_FILENO, (long) pieces, 4) < 0)
    mip_system_call_4 (SYS_rt_sigtimedwait, (long) &ours, 0, (long) &now,
		       sizeof ours);
  mip_system_call_4 (SYS_rt_sigprocmask, SIG_SETMASK, (long) &before, 0,
		     sizeof before);
}

static void
read_options (const char *text)
{
  while (text != NULL && *text != '\0')
    {
      size_t n = 0;
      while (text[n] != '\0' && text[n] != ':')
	n++;
      if (n > 0 && !set_option (text))
	complain ("HEAPPROF_MIP_OPTIONS: ignored: ", text, n);
      text += n + (text[n] == ':');
    }
}

/* Report that WHAT failed with RESULT, a negated error number.  */

static void
complain_of (const char *what, int result)
{
  char cause[80];
  __xpg_strerror_r (-result, cause, sizeof cause);
  complain (what, cause, mip_length (cause));
}

int (*mip_map_function) (void) __attribute__ ((weak));

static void
map (void)
{
  const int result = mip_map_function != NULL ? mip_map_function () : -ENOSYS;
  if (result != 0)
    complain_of ("map=1: ", result);
}

void __heapprof_link_with_heapprof_gcc_or_lheapprof_mip (void)
  __attribute__ ((visibility ("hidden")));

void
__heapprof_link_with_heapprof_gcc_or_lheapprof_mip (void)
{
  mip_start_ns = mip_clock_ns ();
  mip_start_process = mip_process ();
  /* In a program with more rights than its user, the user must not control what
     is written and where.  */
  mip_options.is_on[MIP_OFF] = __getauxval (AT_SECURE) != 0;
  if (!mip_options.is_on[MIP_OFF])
    read_options (environment_value ("HEAPPROF_MIP_OPTIONS"));
  if (mip_options.is_on[MIP_MAP])
    map ();
  /* The parent adds the slots that the child inherits.  */
  else if (mip_options.is_on[MIP_MERGE])
    at_fork (NULL, NULL, heapprof_mip_reset);
}

static void __attribute__ ((destructor (101))) end (void)
{
  const int result
    = mip_options.is_on[MIP_OFF] ? 0 : mip_dump (HEAPPROF_MIP_AT_EXIT);
  if (result != 0)
    complain_of ("no raw file: ", result);
}
