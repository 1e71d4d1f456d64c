/* Who defines a function, found without calling it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A program may define free or operator delete, and need not bear a call that
   it did not make.  The dynamic linker's list of modules and their symbols tell
   whose definition comes first; the address of a function does not, as it may
   be that of an entry in the program's procedure linkage table.  Within a
   program that has a library as part of itself, the function's first
   instruction is looked at.  */

#ifndef HEAPPROF_DEFINITION_H
#define HEAPPROF_DEFINITION_H

#include <stdbool.h>

struct hint_definition
{
  const void *module; /* NULL: nobody's */
  bool is_program;    /* the module is the program itself */
  const void *address;
};

/* Is the program one piece, without modules?  */
bool hint_program_is_static (void);

/* The definition of NAME that the modules' calls go to.  For a name that was
   there when this library was loaded: those that come and go later are behind
   it.  */
struct hint_definition hint_find_definition (const char *name);

/* Does the function at CODE, of the program, do nothing but jump to TARGET, or
   to the procedure linkage table's entry for NAME?  False if that is not
   known.  */
bool hint_jumps_to (const void *code, const void *target, const char *name);

#endif /* HEAPPROF_DEFINITION_H */
