/* The parts of units in packages of split debug information.
   SPDX-License-Identifier: GPL-3.0-or-later

   With -gsplit-dwarf, the debug information of a program has only a skeleton
   of each unit.  libdw finds the rest, a .dwo file, where the compiler wrote
   it, and since version 0.192 in the package that dwp makes of these files, if
   it is next to the debug information.  Here older versions find it there, too,
   and any version next to the program.  */

#ifndef HEAPPROF_SPLIT_UNITS_H
#define HEAPPROF_SPLIT_UNITS_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/* NULL stands for a program without package.  */
struct split_units;

/* Use the package PATH with DWARF, which may have been read before.  NULL if
   it does not exist or has no unit of DWARF; with *IS_DAMAGED, if it cannot be
   read or memory is exhausted.  */
struct split_units *split_units_open (Dwarf *dwarf, const char *path,
				      bool *is_damaged);

/* Return the handle to use instead of the one that was given.  That one must
   not be closed before.  */
Dwarf *split_units_dwarf (struct split_units *units);
void split_units_close (struct split_units *units);

/* Set *PART to the entry of the part of UNIT in a .dwo file or package.  Return
   false if it has none.  UNIT is of the handle above, if UNITS is not NULL.  */
bool split_units_find (struct split_units *units, Dwarf_Die *unit,
		       Dwarf_Die *part);

#endif /* HEAPPROF_SPLIT_UNITS_H */
