/* Signal handlers interrupt the allocator and allocate: the program does not
   hang, and only the handlers' contexts are lost.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static void *volatile slots[16];
static volatile unsigned handled;

/* Handles two signals, so that one handler can interrupt the other.  */

static void
on_alarm (int number)
{
  (void) number;
  /* Some blocks need more than a page.  */
  const size_t bytes = 64 + handled % 2000 + (handled % 64 == 0 ? 9000 : 0);
  char *const mine = calloc (1, bytes);
  if (mine[0] != 0 || mine[63] != 0 || mine[bytes - 1] != 0)
    abort ();
  memset (mine, 1, bytes);
  /* Release a block of the program or of a handler; leave this one instead.  */
  free (__atomic_exchange_n (&slots[handled++ % 16], mine, __ATOMIC_ACQ_REL));
}

int
main (void)
{
  struct sigaction action = { .sa_handler = on_alarm,
			      .sa_flags = SA_RESTART };
  const struct itimerval often = { { 0, 40 }, { 0, 40 } };
  const struct itimerval never = { { 0, 0 }, { 0, 0 } };
  sigaction (SIGALRM, &action, NULL);
  sigaction (SIGVTALRM, &action, NULL);
  setitimer (ITIMER_REAL, &often, NULL);
  setitimer (ITIMER_VIRTUAL, &often, NULL);
  for (unsigned i = 0; i < 2000000; i++)
    {
      char *block = malloc (1 + i % 700);
      block[0] = 1;
      if (i % 3 == 0)
	block = realloc (block, 800);
      if (i % 5 == 0)
	free (__atomic_exchange_n (&slots[i % 16], block, __ATOMIC_ACQ_REL));
      else
	free (block);
    }
  setitimer (ITIMER_REAL, &never, NULL);
  setitimer (ITIMER_VIRTUAL, &never, NULL);
  return handled > 0 ? 0 : 1;
}
