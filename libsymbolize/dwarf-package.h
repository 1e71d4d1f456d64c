/* Packages of split debug information, .dwp files.
   SPDX-License-Identifier: GPL-3.0-or-later

   A package has the contents of many .dwo files: one section of each kind, and
   an index that says which part of each belongs to a unit.  GNU's format of
   DWARF 4 and that of DWARF 5.  */

#ifndef HEAPPROF_DWARF_PACKAGE_H
#define HEAPPROF_DWARF_PACKAGE_H

#include <stdbool.h>
#include <stdint.h>

struct dwarf_package;

/* Open the package PATH.  NULL if there is no such file, or, with *IS_DAMAGED,
   it cannot be read.  */
struct dwarf_package *dwarf_package_open (const char *path, bool *is_damaged);
void dwarf_package_close (struct dwarf_package *package);

/* Return true if PACKAGE has the unit ID.  */
bool dwarf_package_has (const struct dwarf_package *package, uint64_t id);

/* Return a descriptor of a new file in memory, the .dwo file of the unit ID,
   without its places of variables and macros.  -1 if the package has no such
   unit, it is damaged, or memory is exhausted.  */
int dwarf_package_unpack (const struct dwarf_package *package, uint64_t id);

#endif /* HEAPPROF_DWARF_PACKAGE_H */
