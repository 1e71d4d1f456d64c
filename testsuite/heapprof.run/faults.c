/* A program that handles SIGSEGV itself, in two ways, while its accesses are
   counted.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

static sigjmp_buf back;
static int faults;
static char *protected;

static void
on_fault (int number)
{
  (void) number;
  faults++;
  siglongjmp (back, 1);
}

static void
on_fault_with_address (int number, siginfo_t *info, void *context)
{
  (void) number;
  (void) context;
  if ((char *) info->si_addr == protected)
    faults += 100;
  siglongjmp (back, 1);
}

int
main (void)
{
  struct sigaction action = { .sa_flags = SA_SIGINFO }, old;
  protected = mmap (NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  signal (SIGSEGV, on_fault);
  if (sigsetjmp (back, 1) == 0)
    *(volatile char *) protected = 1;
  action.sa_sigaction = on_fault_with_address;
  sigaction (SIGSEGV, &action, &old);
  if (sigsetjmp (back, 1) == 0)
    *(volatile char *) protected = 1;
  for (int i = 0; i < 100; i++)
    {
      volatile char *const block = malloc (500000);
      for (int j = 0; j < 500000; j += 1000)
	block[j] = 1;
    }
  return faults == 101 && old.sa_handler == on_fault ? 0 : 1;
}
