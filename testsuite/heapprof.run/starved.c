/* A program that goes on when it gets no memory: blocks of all kinds, kept and
   compared, also by a thread.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 24 };

static const size_t sizes[] = { 1, 24, 100, 3000, 70000, 3000000 };
static int wrong;

/* Fill BLOCKS blocks, change the size of some, look whether each has what was
   put there, and release them.  */

static void *
work (void *data)
{
  unsigned char *blocks[BLOCKS];
  size_t bytes[BLOCKS];
  for (int i = 0; i < BLOCKS; i++)
    {
      bytes[i] = sizes[i % 6];
      blocks[i] = i % 3 == 0 ? calloc (1, bytes[i]) : malloc (bytes[i]);
      if (blocks[i] != NULL)
	memset (blocks[i], i, bytes[i]);
      if (blocks[i] == NULL || i % 5 != 0)
	continue;
      unsigned char *const more = realloc (blocks[i], bytes[i] + 50);
      if (more != NULL)
	{
	  blocks[i] = more;
	  memset (more + bytes[i], i, 50);
	  bytes[i] += 50;
	}
    }
  for (int i = 0; i < BLOCKS; i++)
    {
      for (size_t k = 0; blocks[i] != NULL && k < bytes[i]; k += 7)
	wrong += blocks[i][k] != (unsigned char) i;
      free (blocks[i]);
    }
  return data;
}

int
main (void)
{
  pthread_t thread;
  work (NULL);
  if (pthread_create (&thread, NULL, work, NULL) == 0)
    pthread_join (thread, NULL);
  work (NULL);
  puts (wrong == 0 ? "right" : "wrong");
  return wrong != 0;
}
