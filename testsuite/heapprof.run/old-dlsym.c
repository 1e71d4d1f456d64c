/* dlsym as it was before glibc 2.34: it allocates the place of its error message.
   SPDX-License-Identifier: GPL-3.0-or-later

   Prints how often it got none, and whether malloc's memory is the C
   library's.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __GLIBC_PREREQ(2, 34)
#define VERSION "GLIBC_2.34"
#else
#define VERSION "GLIBC_2.2.5"
#endif

static unsigned refused;

void *
dlsym (void *handle, const char *name)
{
  static void *(*original) (void *, const char *);
  static void *place;
  if (original == NULL)
    *(void **) &original = dlvsym (RTLD_NEXT, "dlsym", VERSION);
  if (place == NULL)
    place = calloc (1, 32);
  refused += place == NULL;
  return original (handle, name);
}

int
main (void)
{
  for (int i = 0; i < 1000; i++)
    {
      char *volatile block = malloc (100);
      memset (block, i, 100);
      free (block);
    }
  void *const found = dlsym (RTLD_DEFAULT, "malloc");
  void *volatile area = calloc (10, 10);
  printf ("%s, %s\n", refused != 0 ? "refused" : "never refused",
	  found != NULL && area != NULL ? "served" : "not served");
  free (area);
  return 0;
}
