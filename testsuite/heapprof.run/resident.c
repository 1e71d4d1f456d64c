/* Very many calling contexts, each used twice: 65,536 paths of 16 levels to one
   allocation.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: resident once|mixed|kill|fork|threads

   Prints how many kB of files the process has in its memory.  */

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__ ((noinline, noclone))
#define LEVELS 16
#define PATHS (1u << LEVELS)
#define THREADS 4

static volatile unsigned calls;

static NOINLINE void
leaf (uint64_t **block)
{
  *block = malloc (sizeof **block);
  **block = 1;
}

static NOINLINE void
descend (unsigned path, unsigned levels, uint64_t **block)
{
  if (levels == 0)
    leaf (block);
  else if ((path >> (levels - 1)) % 2 == 0)
    descend (path, levels - 1, block);
  else
    descend (path, levels - 1, block);
  calls++;
}

/* True if paths that follow each other differ from their first call on.  */
static bool are_mixed;

/* Return the path number I.  */

static unsigned
path_at (unsigned i)
{
  unsigned path = 0;
  if (!are_mixed)
    return i;
  for (unsigned bit = 0; bit < LEVELS; bit++)
    path |= (i >> bit) % 2 << (LEVELS - 1 - bit);
  return path;
}

/* Allocate a block on each path and, unless they ARE_KEPT, release all;
   twice.  */

static void *
use (void *are_kept)
{
  uint64_t **const blocks = calloc (PATHS, sizeof *blocks);
  for (unsigned round = 0; round < 2; round++)
    {
      for (unsigned i = 0; i < PATHS; i++)
	descend (path_at (i), LEVELS, &blocks[i]);
      for (unsigned i = 0; i < PATHS && are_kept == NULL; i++)
	free (blocks[i]);
    }
  if (are_kept == NULL)
    free (blocks);
  return NULL;
}

static void
print_resident_files (void)
{
  char line[256];
  FILE *const status = fopen ("/proc/self/status", "r");
  if (status == NULL)
    return;
  while (fgets (line, sizeof line, status) != NULL)
    if (strncmp (line, "RssFile:", 8) == 0)
      printf ("%s", line + 8);
  fclose (status);
}

static void
use_in_threads (void)
{
  pthread_t threads[THREADS];
  for (unsigned i = 0; i < THREADS; i++)
    if (pthread_create (&threads[i], NULL, use, NULL) != 0)
      abort ();
  for (unsigned i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
}

int
main (int argc, char **argv)
{
  const char *const what = argc > 1 ? argv[1] : "once";
  are_mixed = strcmp (what, "mixed") == 0;
  if (strcmp (what, "threads") == 0)
    use_in_threads ();
  else
    use (strcmp (what, "kill") == 0 ? (void *) argv : NULL);
  print_resident_files ();
  fflush (stdout);
  if (strcmp (what, "kill") == 0)
    raise (SIGKILL);
  if (strcmp (what, "fork") != 0)
    return 0;
  const pid_t child = fork ();
  if (child == 0)
    {
      use (NULL);
      return 0;
    }
  int status = 1;
  waitpid (child, &status, 0);
  return status != 0;
}
