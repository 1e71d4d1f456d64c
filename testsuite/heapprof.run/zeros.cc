/* Blocks of 0 bytes from every allocation function, among other blocks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <new>
#include <unistd.h>

#define NOINLINE __attribute__ ((noinline, noclone))

static void *volatile sink;

/* The compiler must not know the sizes.  */
static volatile std::size_t none = 0;

extern "C" {

NOINLINE void
freed_ones (void)
{
  for (int i = 0; i < 10; i++)
    {
      sink = malloc (none);
      if (sink == NULL || malloc_usable_size (sink) != 0)
	abort ();
      free (sink);
    }
}

NOINLINE void
live_ones (void)
{
  for (int i = 0; i < 7; i++)
    sink = malloc (none);
}

NOINLINE void
some_of_each (void)
{
  for (int i = 0; i < 4; i++)
    {
      sink = malloc (none + (i % 2) * 10);
      free (sink);
    }
}

NOINLINE void
from_calloc (void)
{
  sink = calloc (none, 8);
  free (sink);
  sink = calloc (8, none);
  free (sink);
}

/* The C library releases the block and returns NULL.  */
NOINLINE void
from_realloc (void)
{
  sink = malloc (10);
  sink = realloc (sink, none);
  if (sink != NULL)
    abort ();
  sink = realloc (NULL, none);
  free (sink);
}

/* Two blocks, as with each realloc.  */
NOINLINE void
grown (void)
{
  sink = malloc (none);
  sink = realloc (sink, 24);
  free (sink);
}

NOINLINE void
aligned_ones (void)
{
  void *data = NULL;
  sink = aligned_alloc (16, none);
  free (sink);
  sink = memalign (64, none);
  free (sink);
  if (posix_memalign (&data, 4096, none) != 0)
    abort ();
  free (data);
}

NOINLINE void
from_new (void)
{
  sink = operator new (none);
  operator delete (sink);
  sink = operator new[] (none);
  operator delete[] (sink);
  sink = operator new (none, std::align_val_t (64));
  operator delete (sink, std::align_val_t (64));
  sink = operator new (none, std::nothrow);
  operator delete (sink);
}

/* The terminating null is one byte.  */
NOINLINE void
empty_string (void)
{
  sink = strdup ("");
  free (sink);
}

}

int
main (int argc, char **argv)
{
  freed_ones ();
  live_ones ();
  some_of_each ();
  from_calloc ();
  from_realloc ();
  grown ();
  aligned_ones ();
  from_new ();
  empty_string ();
  if (argc > 1 && strcmp (argv[1], "kill") == 0)
    kill (getpid (), 9);
  return 0;
}
