/* Finding the definition of a function without calling it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A program may define free or operator delete, and need not expect calls that
   it did not make.  The dynamic linker's list of modules and their symbols show
   whose definition comes first.  The address of a function does not, as it may
   be that of an entry in the program's procedure linkage table.  In a program
   that contains a library, the function's first instruction is examined.

   The list may change while another thread loads or unloads a module, and the
   linker's lock for it is one that a fork leaves locked.  So all names are
   looked up when this library starts, before there are other threads.  */

#ifndef HEAPPROF_DEFINITION_H
#define HEAPPROF_DEFINITION_H

#include <stdbool.h>

/* The names that are looked up.  */
enum hint_name
{
  HINT_FREE,
  HINT_MALLOC, /* of the program, not this library's */
  HINT_CALLOC, /* the same */
  HINT_MALLOCX,
  HINT_MI_HEAP_NEW,
  HINT_THROW_BAD_ALLOC,
  HINT_CXA_THROW,
  HINT_NEW,
  HINT_NEW_ARRAY,
  HINT_NEW_ALIGNED,
  HINT_NEW_ARRAY_ALIGNED,
  HINT_DELETE,
  HINT_DELETE_ARRAY,
  HINT_DELETE_ALIGNED,
  HINT_DELETE_ARRAY_ALIGNED,
  HINT_DELETE_SIZED, /* this one and the rest not this library's, either */
  HINT_DELETE_ARRAY_SIZED,
  HINT_DELETE_SIZED_ALIGNED,
  HINT_DELETE_ARRAY_SIZED_ALIGNED,
  HINT_NAMES
};

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
struct hint_definition hint_find_definition (enum hint_name name);

/* True if the function at CODE, in the program, is just a jump to TARGET or to
   the procedure linkage table's entry for NAME.  False if that cannot be
   determined.  */
bool hint_jumps_to (const void *code, const void *target, enum hint_name name);

#endif /* HEAPPROF_DEFINITION_H */
