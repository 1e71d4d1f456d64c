/* Modules that look names up in themselves first: deep FLAGS, a sum of 1 lazy, 2
   deep, 4 dlmopen, 8 memory of the C library cannot be made writable.  The program, the
   module, and a module that another one opens release each other's blocks.  Prints
   what the modules found by a name that all have, and exits with 3.  With -DMODULE
   or -DOPENER, those.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define NOINLINE __attribute__ ((noinline, noclone))

struct module
{
  const char *(*name) (void);
  void *(*make) (size_t bytes);
  void (*fill) (void *block);
  void *(*resize) (void *block, size_t bytes);
  void (*drop) (void *block);
  size_t (*usable) (void *block);
  const struct module *(*open) (const char *file, int flags);
};

const char *which (void);

#ifdef MODULE

const char *
which (void)
{
  return NAME;
}

NOINLINE void *
module_make (size_t bytes)
{
  void *block = NULL;
  switch (bytes % 4)
    {
    case 0:
      return malloc (bytes);
    case 1:
      return calloc (1, bytes);
    case 2:
      return aligned_alloc (64, bytes);
    default:
      return posix_memalign (&block, 32, bytes) == 0 ? block : NULL;
    }
}

/* Blocks that functions of the C library allocate.  */

static __attribute__ ((constructor)) void
start (void)
{
  char *text = NULL;
  for (int i = 0; i < 100; i++)
    {
      free (strdup (NAME));
      if (asprintf (&text, "%s %d", NAME, i) > 0)
	free (text);
      void *const block = realloc (module_make (100), 5000);
      free (block);
    }
}

/* 10 accesses.  */

static void
fill (void *block)
{
  for (volatile int i = 0; i < 10; i++)
    ((volatile char *) block)[i] = 1;
}

static void *
resize (void *block, size_t bytes)
{
  return realloc (block, bytes);
}

static void
drop (void *block)
{
  free (block);
}

static size_t
usable (void *block)
{
  return malloc_usable_size (block);
}

/* The file is in a folder that only this module knows.  */

static const struct module *
open_other (const char *file, int flags)
{
  void *const handle = dlopen (file, flags);
  return handle != NULL ? dlsym (handle, "module") : NULL;
}

const struct module module
  = { which, module_make, fill, resize, drop, usable, open_other };

#else

const char *
which (void)
{
  return "program";
}

static void
require (int is_so, const char *what)
{
  if (!is_so)
    {
      fprintf (stderr, "%s: %s\n", what, dlerror ());
      exit (1);
    }
}

/* Mappings cannot be made both readable and writable.  */

static void
protect_memory (void)
{
  struct sock_filter code[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, args[2])),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, PROT_READ | PROT_WRITE, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 13),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
  };
  const struct sock_fprog program = { sizeof code / sizeof code[0], code };
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
      || prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    exit (77);
}

NOINLINE void *
program_make (size_t bytes)
{
  return malloc (bytes);
}

/* Give 400 blocks from one to the other.  */

static void
exchange (const struct module *module)
{
  for (size_t bytes = 100; bytes < 500; bytes++)
    {
      void *const here = program_make (bytes);
      void *const there = module->make (bytes);
      require (module->usable (here) >= bytes
		 && malloc_usable_size (there) >= bytes,
	       "size");
      memset (here, 1, bytes);
      memset (there, 2, bytes);
      module->fill (here);
      void *const moved = module->resize (here, 2 * bytes);
      require (moved != NULL && ((char *) moved)[bytes - 1] == 1, "realloc");
      module->drop (moved);
      free (there);
    }
}

int
main (int count, char **arguments)
{
  const int choice = count > 1 ? atoi (arguments[1]) : 0;
  int flags = (choice & 1) != 0 ? RTLD_LAZY : RTLD_NOW;
  if ((choice & 2) != 0)
    flags |= RTLD_DEEPBIND;
  if ((choice & 8) != 0)
    protect_memory ();
  void *const handle = (choice & 4) != 0
			 ? dlmopen (LM_ID_BASE, "./deep-module.so", flags)
			 : dlopen ("./deep-module.so", flags);
  require (handle != NULL, "module");
  const struct module *const module = dlsym (handle, "module");
  require (module != NULL, "symbol");
  exchange (module);
  require (dlopen ("deep-inner.so", flags) == NULL, "found by the program");
  const struct module *const inner = module->open ("deep-inner.so", flags);
  require (inner != NULL, "inner module");
  exchange (inner);
  printf ("%s %s\n", module->name (), inner->name ());
  require (dlclose (handle) == 0, "close");
  return 3;
}

#endif
