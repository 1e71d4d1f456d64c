/* Load, use and unload A and B in turn: their code gets the same
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

/* One call for both modules, so their contexts differ only in the module.  */

int
main (void)
{
  static const char *const paths[] = { "./module-a.so", "./module-b.so" };
  const void *previous = NULL;
  int same = 0;
  for (int i = 0; i < 8; i++)
    {
      const void *const address = use (paths[i % 2]);
      same += address == previous;
      previous = address;
    }
  printf ("%d\n", same);
  return 0;
}
