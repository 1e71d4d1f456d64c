/* Redirecting calls between modules to functions of this library, and back.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A module calls a function of another one through a slot in its data, to which
   a relocation leads.  A slot is changed only if it leads to the function that
   our replacement calls, so that a program in which modules are bound to
   different allocators keeps those: blocks of one never reach another.  Slots
   that are still to be bound by the first call are changed if it is known what
   to: if only one module defines the function, or the module's other slots are
   bound to that one's functions.

   Not reached are calls within a module, and pointers that the program has read
   from slots before.  */

#ifndef HEAPPROF_REDIRECT_H
#define HEAPPROF_REDIRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rt_attach_function
{
  const char *name;
  uintptr_t replacement;
  uintptr_t *original; /* the first definition in the program; 0: none */
  /* The same, and how many there are, when they were last looked for.  */
  uintptr_t found;
  unsigned definitions;
};

/* Find the originals of the COUNT FUNCTIONS.  Those that were found before may
   be being called: they change only if there are others now.  */
void rt_attach_find_originals (struct rt_attach_function *functions,
			       size_t count);

/* Let all modules that are loaded now call the replacements of the COUNT
   FUNCTIONS.  Slots that were changed before stay.  Return how many were
   changed.  */
size_t rt_attach_redirect (const struct rt_attach_function *functions,
			   size_t count);

/* Let them call the originals.  */
size_t rt_attach_restore (const struct rt_attach_function *functions,
			  size_t count);

#endif /* HEAPPROF_REDIRECT_H */
