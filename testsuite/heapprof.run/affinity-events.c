/* What happens while affinity is recorded, and must not change any count.
   SPDX-License-Identifier: GPL-3.0-or-later

   affinity-events EVENT [ARGUMENT...]  access BLOCKS blocks in ROUNDS rounds, with
     faults	  faults whose handler accesses a block
     signals	  signals whose handler accesses a block
     vfork	  children of vfork that access a block
     module FILE  the shared library FILE, this source with MODULE defined, which
		  accesses a block
     filter NUMBER...  the system calls NUMBER... failing; exits with 77 if that
		  is not allowed
     and print how often the event's block was accessed: loads and stores.  */

#ifdef MODULE

void
touch_in_module (long *block)
{
  *(volatile long *) block += 1;
}

#else

#include "failing-call.h"
#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__ ((noinline, noclone))
#define BLOCKS 4096
#define ROUNDS 400
#define PAGE 4096

static long *blocks[BLOCKS];
static long *volatile event_block;
static volatile unsigned long events;
static void *volatile spare;
static volatile char *page;
static void (*touch_there) (long *block);

static NOINLINE long *
make_block (void)
{
  long *const block = malloc (64);
  *(volatile long *) block = 0;
  return block;
}

static NOINLINE long *
make_event_block (void)
{
  long *const block = malloc (64);
  *(volatile long *) block = 0;
  return block;
}

static NOINLINE void
touch (void)
{
  *(volatile long *) event_block += 1;
  events++;
}

static void
handle_fault (int number)
{
  (void) number;
  touch ();
  mprotect ((void *) page, PAGE, PROT_READ | PROT_WRITE);
}

static void
handle_signal (int number)
{
  (void) number;
  touch ();
}

static void
start_faults (void)
{
  page = mmap (NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  signal (SIGSEGV, handle_fault);
}

static void
start_signals (void)
{
  const struct itimerval often = { { 0, 700 }, { 0, 700 } };
  signal (SIGALRM, handle_signal);
  setitimer (ITIMER_REAL, &often, NULL);
}

static void
stop_signals (void)
{
  const struct itimerval never = { 0 };
  setitimer (ITIMER_REAL, &never, NULL);
}

static void
start_module (const char *file)
{
  void *const module = dlopen (file, RTLD_NOW);
  if (module == NULL)
    exit (1);
  *(void **) &touch_there = dlsym (module, "touch_in_module");
}

/* Let the event happen.  */

static NOINLINE void
happen (char event)
{
  switch (event)
    {
    case 'f': /* faults */
      mprotect ((void *) page, PAGE, PROT_NONE);
      page[0] = 1;
      break;
    case 'm':
      touch_there (event_block);
      events++;
      break;
    case 'v':
      {
	const pid_t child = vfork ();
	if (child == 0)
	  {
	    touch ();
	    _exit (0);
	  }
	waitpid (child, NULL, 0);
	break;
      }
    }
}

static NOINLINE void
access_blocks (void)
{
  for (unsigned i = 0; i < BLOCKS; i++)
    {
      *(volatile long *) blocks[i * 1663 % BLOCKS] += 1;
      if (i % 4 == 0)
	{
	  spare = malloc (8);
	  free (spare);
	}
    }
}

int
main (int count, char **arguments)
{
  const char *const event = arguments[1];
  event_block = make_event_block ();
  for (unsigned i = 0; i < BLOCKS; i++)
    blocks[i] = make_block ();
  if (strcmp (event, "faults") == 0)
    start_faults ();
  if (strcmp (event, "signals") == 0)
    start_signals ();
  if (strcmp (event, "module") == 0)
    start_module (arguments[2]);
  for (unsigned i = 0; i < ROUNDS; i++)
    {
      if (i == ROUNDS / 2 && strcmp (event, "filter") == 0)
	for (int j = 2; j < count; j++)
	  make_fail ((unsigned) atoi (arguments[j]));
      access_blocks ();
      happen (strcmp (event, "filter") == 0 ? 0 : event[0]);
    }
  if (strcmp (event, "signals") == 0)
    stop_signals ();
  printf ("%lu\n", 2 * events);
  return 0;
}

#endif
