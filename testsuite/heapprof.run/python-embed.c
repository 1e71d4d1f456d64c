/* Load the interpreter as a library, run a file of Python code in it, and end
   it.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: python-embed LIBRARY TEXT  */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *
function (void *library, const char *name)
{
  void *found = dlsym (library, name);
  if (found == NULL)
    exit (2);
  return found;
}

int
main (int argc, char **argv)
{
  if (argc != 3)
    return 2;
  free (malloc (10));
  void *library = dlopen (argv[1], RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL)
    {
      puts (dlerror ());
      return 2;
    }
  void (*begin) (int) = (void (*) (int)) function (library, "Py_InitializeEx");
  int (*run) (const char *, void *)
    = (int (*) (const char *, void *)) function (library,
						 "PyRun_SimpleStringFlags");
  int (*end) (void) = (int (*) (void)) function (library, "Py_FinalizeEx");
  int status = 0;
  for (int i = 0; i < 2; i++)
    {
      begin (0);
      status |= run (argv[2], NULL) | end ();
    }
  return status;
}
