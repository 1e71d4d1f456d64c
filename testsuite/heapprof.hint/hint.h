/* Common parts of libheaphint's test programs: checks, and patterns in blocks.
   SPDX-License-Identifier: GPL-3.0-or-later

   A program prints failures, and exits with 1 if there are any.  Its first
   argument is the expected backend.  */

#ifndef HINT_TEST_H
#define HINT_TEST_H

#include "heapprof/heaphint.h"
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int hint_failures;

#define CHECK(condition)						      \
  do									      \
    if (!(condition))							      \
      {									      \
	printf ("%s:%d: %s\n", __FILE__, __LINE__, #condition);		      \
	__atomic_add_fetch (&hint_failures, 1, __ATOMIC_RELAXED);	      \
      }									      \
  while (0)

static inline int
hint_finish (void)
{
  return hint_failures == 0 ? 0 : 1;
}

static inline void
hint_expect_backend (int argc, char **argv)
{
  if (argc > 1 && strcmp (argv[1], heapprof_hint_backend ()) != 0)
    {
      printf ("backend %s\n", heapprof_hint_backend ());
      hint_failures++;
    }
}

/* The pattern of blocks repeats after this many bytes.  What follows is copied and
   compared with what is before it: many times faster, above all under valgrind.  */
enum { HINT_PERIOD = 256 };

/* Fill SIZE bytes of DATA so that bytes of other blocks would be detected.  */
static inline void
hint_fill (void *data, size_t size, unsigned number)
{
  unsigned char *const bytes = (unsigned char *) data;
  for (size_t i = 0; i < size && i < HINT_PERIOD; i++)
    bytes[i] = (unsigned char) (number * 31 + i * 7);
  for (size_t done = HINT_PERIOD; done < size; done *= 2)
    memcpy (bytes + done, bytes, done < size - done ? done : size - done);
}

static inline int
hint_is_filled (const void *data, size_t size, unsigned number)
{
  const unsigned char *const bytes = (const unsigned char *) data;
  for (size_t i = 0; i < size && i < HINT_PERIOD; i++)
    if (bytes[i] != (unsigned char) (number * 31 + i * 7))
      return 0;
  return size <= HINT_PERIOD
	 || memcmp (bytes, bytes + HINT_PERIOD, size - HINT_PERIOD) == 0;
}

/* Return the number of pages in memory that are not those of files.  */
static inline long
hint_own_pages (void)
{
  long all = -1, of_files = 0;
  FILE *const file = fopen ("/proc/self/statm", "r");
  if (file != NULL)
    {
      if (fscanf (file, "%*d %ld %ld", &all, &of_files) != 2)
	all = -1;
      fclose (file);
    }
  return all - of_files;
}

#endif /* HINT_TEST_H */
