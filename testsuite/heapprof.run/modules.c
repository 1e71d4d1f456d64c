/* Load, use and unload A and B in turn: their code comes to the same
   addresses.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *
use (const char *path)
{
  void *const module = dlopen (path, RTLD_NOW);
  void (*function) (void);
  if (module == NULL)
    {
      fprintf (stderr, "%s\n", dlerror ());
      exit (1);
    }
  *(void **) &function = dlsym (module, "module_work");
  function ();
  const void *const address = *(void **) &function;
  dlclose (module);
  return (void *) address;
}

int
main (void)
{
  int same = 0;
  for (int i = 0; i < 4; i++)
    {
      const void *const a = use ("./module-a.so");
      const void *const b = use ("./module-b.so");
      same += a == b;
    }
  printf ("%d\n", same);
  return 0;
}
