/* Very large blocks: which sizes can be allocated, and a block of which little is
   touched.
   SPDX-License-Identifier: GPL-3.0-or-later

   `sizes limits' prints the result of each function for 2^33 to 2^47 bytes; `sizes
   sparse BITS WAY' touches ten pages of a block, which is then kept, halved and
   kept, or halved and released.  */

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
say (int bits, const char *function, void *data)
{
  printf ("%d %s %d %d\n", bits, function, data != NULL, errno);
  free (data);
  errno = 0;
}

static void
limits (void)
{
  for (int bits = 33; bits <= 47; bits++)
    {
      const size_t size = (size_t) 1 << bits;
      errno = 0;
      say (bits, "malloc", malloc (size));
      say (bits, "calloc", calloc (size / 8, 8));
      say (bits, "aligned_alloc", aligned_alloc (4096, size));
      say (bits, "memalign", memalign ((size_t) 1 << 21, size));
      for (size_t old = 10; old < 10000000; old *= 100)
	{
	  void *const small = malloc (old);
	  void *const large = realloc (small, size);
	  say (bits, "realloc", large);
	  if (large == NULL)
	    free (small);
	}
    }
}

static int
sparse (int bits, const char *way)
{
  const size_t size = (size_t) 1 << bits;
  volatile char *block = malloc (size);
  if (block == NULL)
    return 3;
  for (size_t i = 0; i < 10; i++)
    block[size / 10 * i] = 1;
  if (strcmp (way, "kept") != 0)
    block = realloc ((void *) block, size / 2);
  if (strcmp (way, "released") == 0)
    free ((void *) block);
  return block == NULL;
}

int
main (int argument_count, char **arguments)
{
  if (argument_count == 4)
    return sparse (atoi (arguments[2]), arguments[3]);
  limits ();
  return 0;
}
