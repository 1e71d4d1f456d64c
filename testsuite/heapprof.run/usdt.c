/* Blocks that listeners to probes must see: usdt [ROUNDS | until FILE].
   SPDX-License-Identifier: GPL-3.0-or-later

   Prints a line for each event in its order: alloc POINTER SIZE, or free
   POINTER.  With ROUNDS, prints only the bytes that many rounds allocate;
   with FILE, prints its process ID, and allocates 10007 bytes at a time until
   the file exists, or for a minute.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char buffer[65536];

static void *
made (void *block, size_t size)
{
  printf ("alloc %p %zu\n", block, size);
  return block;
}

static void
gone (void *block)
{
  printf ("free %p\n", block);
}

static void
release (void *block)
{
  gone (block);
  free (block);
}

static long
many (long rounds)
{
  long sum = 0;
  for (long i = 0; i < rounds; i++)
    {
      size_t size = 16u << i % 12;
      sum += (long) size;
      free (malloc (size));
    }
  return sum;
}

static void
until (const char *file)
{
  printf ("%d\n", (int) getpid ());
  fflush (stdout);
  for (int i = 0; i < 60000 && access (file, F_OK) != 0; i++)
    {
      free (malloc (10007));
      usleep (1000);
    }
}

int
main (int count, char **arguments)
{
  void *aligned;
  /* Printing allocates nothing.  */
  setvbuf (stdout, buffer, _IOFBF, sizeof buffer);
  if (count > 2)
    {
      until (arguments[2]);
      return 0;
    }
  if (count > 1)
    {
      printf ("%ld\n", many (atol (arguments[1])));
      return 0;
    }
  void *a = made (malloc (10007), 10007);
  void *b = made (calloc (7, 2003), 7 * 2003);
  release (a);
  /* In place, by a copy, and of a block with a mapping of its own.  */
  for (int i = 0; i < 3; i++)
    {
      size_t size = (size_t[]){ 14023, 30011, 5000011 }[i];
      gone (b);
      b = made (realloc (b, size), size);
    }
  void *large = made (malloc (3000017), 3000017);
  gone (large);
  large = made (realloc (large, 9000011), 9000011);
  if (posix_memalign (&aligned, 4096, 6007) != 0)
    return 1;
  made (aligned, 6007);
  free (malloc (0));
  release (aligned);
  release (large);
  release (b);
  return 0;
}
