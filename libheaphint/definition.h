/* Finding the definition of a function without calling it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A program may define free or operator delete, and need not expect calls that
   it did not make.  The dynamic linker's list of modules and their symbols show
   whose definition comes first.  The address of a function does not, as it may
   be that of an entry in the program's procedure linkage table.  In a program
   that contains a library, the function's first instruction is examined.  */

#ifndef HEAPPROF_DEFINITION_H
#define HEAPPROF_DEFINITION_H

#include <stdbool.h>

struct hint_definition
{
  const void *module; /* NULL if undefined */
  bool is_program;    /* the module is the program itself */
  const void *address;
};

/* True if the program is static, without modules.  */
bool hint_program_is_static (void);

/* Return the definition of NAME that calls from modules reach.  Valid for names
   that were defined when this library was loaded: modules that are loaded later
   come after it.  */
struct hint_definition hint_find_definition (const char *name);

/* True if the function at CODE, in the program, is just a jump to TARGET or to
   the procedure linkage table's entry for NAME.  False if that cannot be
   determined.  */
bool hint_jumps_to (const void *code, const void *target, const char *name);

#endif /* HEAPPROF_DEFINITION_H */
