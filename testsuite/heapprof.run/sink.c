/* Print by how many MiB the process has grown after it has touched 512 MiB of
   its blocks, some of them in threads; and which signals it has handled itself.
   SPDX-License-Identifier: GPL-3.0-or-later */

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIB ((size_t) 1 << 20)

static sigjmp_buf place;
static int handled;

/* Proportional size: shared pages count once.  */
static long
size_in_kib (void)
{
  char line[200];
  long size = -1;
  FILE *file = fopen ("/proc/self/smaps_rollup", "r");
  while (file != NULL && fgets (line, sizeof line, file) != NULL)
    sscanf (line, "Pss: %ld", &size);
  if (file != NULL)
    fclose (file);
  return size;
}

static void *
touch (void *data)
{
  size_t count = *(size_t *) data;
  char **blocks = malloc (count * sizeof *blocks);
  for (size_t i = 0; i < count; i++)
    {
      blocks[i] = malloc (MIB / 16);
      for (size_t j = 0; j < MIB / 16; j += 64)
	*(volatile char *) &blocks[i][j] = 1;
    }
  return blocks;
}

static void
on_fault (int number)
{
  handled = number;
  siglongjmp (place, 1);
}

int
main (void)
{
  pthread_t threads[2];
  size_t counts[3] = { 16 * 256, 16 * 128, 16 * 128 };
  const long before = size_in_kib ();
  sigset_t all;
  /* Counters are mapped even so.  */
  sigfillset (&all);
  pthread_sigmask (SIG_BLOCK, &all, NULL);
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, touch, &counts[i + 1]);
  touch (&counts[0]);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  printf ("%ld\n", (size_in_kib () - before) / 1024);
  signal (SIGSEGV, on_fault);
  pthread_sigmask (SIG_UNBLOCK, &all, NULL);
  if (sigsetjmp (place, 1) == 0)
    *(volatile int *) place = *(volatile int *) 16;
  printf ("%d\n", handled == SIGSEGV);
  return 0;
}
