/* Every C allocation function, each in a separate function, with numbers of
   calls, bytes and accesses that can be counted by hand.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define NOINLINE __attribute__ ((noinline, noclone))

/* Prevents the compiler from removing the allocation.  */
static void *volatile sink;

static void
touch (void *data, int times)
{
  volatile char *const byte = data;
  for (int i = 0; i < times; i++)
    *byte = 1;
}

static NOINLINE void
use_malloc (void)
{
  for (int i = 0; i < 10; i++)
    {
      sink = malloc (100);
      touch (sink, 3);
      free (sink);
    }
}

static NOINLINE void
use_calloc (void)
{
  for (int i = 0; i < 4; i++)
    {
      sink = calloc (10, 6);
      touch (sink, 1);
      free (sink);
    }
}

/* Each growth is a release and an allocation: 16 + 1000 + 100000 bytes.
   Accesses count for the block to which they were made.  */

static NOINLINE void
use_realloc (void)
{
  sink = realloc (NULL, 16);
  touch (sink, 2);
  sink = realloc (sink, 1000);
  sink = realloc (sink, 100000);
  touch (sink, 5);
  free (sink);
}

static NOINLINE void
use_realloc_in_place (void)
{
  sink = malloc (900);
  touch (sink, 7);
  sink = realloc (sink, 901);
  touch (sink, 1);
  free (sink);
}

static NOINLINE void
use_realloc_of_large (void)
{
  sink = malloc (1000000);
  touch (sink, 7);
  for (int i = 2; i < 5; i++)
    {
      sink = realloc (sink, i * 1000000);
      touch (sink, 1);
    }
  free (sink);
}

static NOINLINE void
use_reallocarray (void)
{
  sink = reallocarray (NULL, 3, 5);
  free (sink);
}

static NOINLINE void
use_memalign (void)
{
  sink = memalign (4096, 10);
  free (sink);
}

static NOINLINE void
use_aligned_alloc (void)
{
  sink = aligned_alloc (64, 128);
  touch (sink, 9);
  free (sink);
}

static NOINLINE void
use_posix_memalign (void)
{
  void *data;
  if (posix_memalign (&data, 1 << 21, 77) == 0)
    {
      touch (data, 1);
      sink = data;
      free (data);
    }
}

static NOINLINE void
use_valloc (void)
{
  sink = valloc (11);
  free (sink);
}

static NOINLINE void
use_pvalloc (void)
{
  sink = pvalloc (11);
  free (sink);
}

static NOINLINE void
use_strdup (const char *text)
{
  sink = strdup (text);
  free (sink);
}

static NOINLINE void
use_strndup (const char *text)
{
  sink = strndup (text, 3);
  free (sink);
}

static NOINLINE void
use_wcsdup (const wchar_t *text)
{
  sink = wcsdup (text);
  free (sink);
}

static NOINLINE void
use_nothing (void)
{
  sink = malloc (0);
  free (sink);
}

static NOINLINE void
leak (void)
{
  for (int i = 0; i < 3; i++)
    {
      sink = malloc (1000);
      touch (sink, 2);
    }
}

int
main (void)
{
  use_malloc ();
  use_calloc ();
  use_realloc ();
  use_realloc_in_place ();
  use_realloc_of_large ();
  use_reallocarray ();
  use_memalign ();
  use_aligned_alloc ();
  use_posix_memalign ();
  use_valloc ();
  use_pvalloc ();
  use_strdup ("four");
  use_strndup ("four");
  use_wcsdup (L"four");
  use_nothing ();
  leak ();
  return 0;
}
