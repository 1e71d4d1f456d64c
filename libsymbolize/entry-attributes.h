/* Attributes of entries of debugging information, as numbers and files.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_ENTRY_ATTRIBUTES_H
#define HEAPPROF_ENTRY_ATTRIBUTES_H

#include <elfutils/libdw.h>
#include <stdint.h>

/* The number in ATTRIBUTE; 0 if that is NULL, or holds none of 32 bits.  */
uint32_t attribute_number (Dwarf_Attribute *attribute);

/* The path that the number in ATTRIBUTE stands for in its unit; NULL if
   ATTRIBUTE is, or if it is unknown.  libdw's own functions for this stop the
   program where a unit's table of files cannot be read.  */
const char *attribute_file (Dwarf_Attribute *attribute);

#endif /* HEAPPROF_ENTRY_ATTRIBUTES_H */
