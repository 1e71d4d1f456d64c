/* A program that asks for memory to be given back.
   SPDX-License-Identifier: GPL-3.0-or-later

   Prints what malloc_trim returned, and the resident pages in MiB before and after
   that; there are 64 MiB of released small blocks and 16 of a large one.  */

#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
  BLOCKS = 1 << 19,
  BYTES = 100,
  LARGE_BYTES = 16 << 20
};

static char *blocks[BLOCKS];

/* Without allocating memory.  */

static long
resident_mib (void)
{
  char text[256] = "";
  const int file = open ("/proc/self/statm", O_RDONLY);
  if (file < 0 || read (file, text, sizeof text - 1) < 0)
    return -1;
  close (file);
  const char *const second = strchr (text, ' ');
  return second == NULL ? -1
			: atol (second) * (getpagesize () / 1024) / 1024;
}

int
main (void)
{
  for (int i = 0; i < BLOCKS; i++)
    memset (blocks[i] = malloc (BYTES), 1, BYTES);
  char *const large = malloc (LARGE_BYTES);
  memset (large, 1, LARGE_BYTES);
  for (int i = 0; i < BLOCKS; i++)
    free (blocks[i]);
  free (large);
  const long before = resident_mib ();
  const int some = malloc_trim (0);
  printf ("%d %ld %ld %d\n", some, before, resident_mib (), malloc_trim (0));
  return 0;
}
