/* Attributes of debugging information entries, as numbers and files.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_ENTRY_ATTRIBUTES_H
#define HEAPPROF_ENTRY_ATTRIBUTES_H

#include <elfutils/libdw.h>
#include <stdint.h>

/* Return the number in ATTRIBUTE; 0 if that is NULL or has no 32-bit
   number.  */
uint32_t attribute_number (Dwarf_Attribute *attribute);

/* Return the path of the file number in ATTRIBUTE in its unit; NULL if
   ATTRIBUTE is NULL or the path unknown. libdw's own functions for this abort
   the program if a unit's table of files cannot be read.  */
const char *attribute_file (Dwarf_Attribute *attribute);

#endif /* HEAPPROF_ENTRY_ATTRIBUTES_H */
