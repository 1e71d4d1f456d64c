/* A long-running program with phases: what lives as long as a phase, what lives
   until the end, and temporary blocks, allocated by turns and all used alike.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: lifetimes [PHASES] [BLOCKS]

   Each of PHASES phases allocates BLOCKS blocks of one size, another one in
   each phase, and releases them at its end; one in 32 blocks stays, in a table
   that all phases use.  Prints the KiB in memory after the last phase, without
   pages of files.  */

#include "workload.h"
#include <string.h>
#include <unistd.h>

enum
{
  SIZE_LEAST = 64,
  SIZE_STEP = 48,
  KEPT_EVERY = 32,
  ROUNDS = 3
};

struct block
{
  struct block *next;
  uint64_t key;
  char text[SIZE_LEAST - 16];
};

static struct block *table; /* what stays */
static uint64_t sum;

#define MAKE(name)                                                             \
  static                                                                       \
    __attribute__ ((noinline)) struct block *make_##name (size_t size,         \
							  uint64_t key,        \
							  struct block *next)  \
  {                                                                            \
    struct block *const block = malloc (size);                                 \
    block->key = key;                                                          \
    block->next = next;                                                        \
    memset (block->text, (int) key, size - 16);                                \
    return block;                                                              \
  }

MAKE (request)
MAKE (entry)
MAKE (answer)

static __attribute__ ((noinline)) void
use (struct block *list)
{
  for (; list != NULL; list = list->next)
    {
      list->key++;
      sum += list->key + (uint64_t) list->text[0];
    }
}

static void
run_phase (size_t size, unsigned long blocks)
{
  struct block *requests = NULL;
  for (unsigned long i = 0; i < blocks; i++)
    {
      requests = make_request (size, i, requests);
      if (i % KEPT_EVERY == 0)
	table = make_entry (size, i, table);
      struct block *const answer = make_answer (size, i, NULL);
      use (answer);
      free (answer);
    }
  for (unsigned i = 0; i < ROUNDS; i++)
    {
      use (requests);
      use (table);
    }
  while (requests != NULL)
    {
      struct block *const next = requests->next;
      free (requests);
      requests = next;
    }
}

/* Return the KiB in memory that are not those of files.  */
static long
own_memory (void)
{
  long all = 0, of_files = 0;
  FILE *const file = fopen ("/proc/self/statm", "r");
  if (file == NULL || fscanf (file, "%*d %ld %ld", &all, &of_files) != 2)
    return -1;
  fclose (file);
  return (all - of_files) * (long) (sysconf (_SC_PAGESIZE) / 1024);
}

int
main (int argc, char **argv)
{
  const unsigned long phases = workload_argument (argc, argv, 1, 20);
  const unsigned long blocks = workload_argument (argc, argv, 2, 20000);
  for (unsigned long i = 0; i < phases; i++)
    run_phase (SIZE_LEAST + i % 20 * SIZE_STEP, blocks);
  use (table);
  printf ("%ld KiB\n", own_memory ());
  return sum == 0;
}
