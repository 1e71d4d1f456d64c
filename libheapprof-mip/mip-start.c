/* Begin and end of a program with slots; its options.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The plugin has a table of constructors name __heapprof_mip_start in every
   object, so this runs before constructors that users write.  The destructor
   runs when the program ends and when a shared object is unloaded.  */

#include "mip-runtime.h"
#include "heapprof/mip.h"
#include <pthread.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

struct mip_options mip_options;
uint64_t mip_start_ns;
uint32_t mip_start_process;

static void
on_signal (int number)
{
  const int error = errno;
  (void) number;
  mip_dump (HEAPPROF_MIP_FROM_SIGNAL);
  errno = error;
}

/* Signals by name; others by number.  */

static int
find_signal (const char *text)
{
  if (strncmp (text, "SIG", 3) == 0)
    text += 3;
  if (strncmp (text, "USR", 3) == 0)
    return text[3] == '1' ? SIGUSR1 : text[3] == '2' ? SIGUSR2 : 0;
  return atoi (text);
}

static bool
set_signal (const char *value)
{
  struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
  return sigaction (find_signal (value), &action, NULL) == 0;
}

/* Does TEXT begin with NAME?  */

static bool
is_option (const char *text, const char *name)
{
  return strncmp (text, name, strlen (name)) == 0;
}

static bool
set_option (const char *text)
{
  if (is_option (text, "file="))
    mip_options.file = text + 5;
  else if (is_option (text, "merge="))
    mip_options.merge = text[6] == '1';
  else if (is_option (text, "off="))
    mip_options.off = text[4] == '1';
  else
    return is_option (text, "signal=") && set_signal (text + 7);
  return true;
}

/* Print one line: WHAT, and the first N bytes of DETAIL.  */

static void
complain (const char *what, const char *detail, size_t n)
{
  static const char prefix[] = "heapprof-mip: ";
  const struct iovec pieces[]
    = { { (char *) prefix, sizeof prefix - 1 },
	{ (char *) what, strlen (what) }, { (char *) detail, n },
	{ (char *) "\n", 1 } };
  if (writev (STDERR_FILENO, pieces, 4) < 0)
    return;
}

static void
read_options (const char *text)
{
  while (text != NULL && *text != '\0')
    {
      const size_t n = strcspn (text, ":");
      if (n > 0 && !set_option (text))
	complain ("HEAPPROF_MIP_OPTIONS: ignored: ", text, n);
      text += n + (text[n] == ':');
    }
}

void __heapprof_mip_start (void) __attribute__ ((visibility ("hidden")));

void
__heapprof_mip_start (void)
{
  mip_start_ns = mip_clock_ns ();
  mip_start_process = (uint32_t) getpid ();
  /* Whoever starts a program with more rights than his own does not say what
     it writes, nor in which folder.  */
  mip_options.off = getauxval (AT_SECURE) != 0;
  if (!mip_options.off)
    read_options (getenv ("HEAPPROF_MIP_OPTIONS"));
  /* What a child inherits, its parent adds.  */
  if (mip_options.merge)
    pthread_atfork (NULL, NULL, heapprof_mip_reset);
}

static void __attribute__ ((destructor (101)))
end (void)
{
  if (mip_options.off || mip_dump (HEAPPROF_MIP_AT_EXIT) == 0)
    return;
  const char *const cause = strerror (errno);
  complain ("cannot write the raw file: ", cause, strlen (cause));
}
