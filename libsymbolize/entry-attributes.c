/* Attributes of debugging information entries, as numbers and files.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "entry-attributes.h"
#include <stddef.h>

uint32_t
attribute_number (Dwarf_Attribute *attribute)
{
  Dwarf_Word value;
  if (attribute == NULL || dwarf_formudata (attribute, &value) != 0
      || value > UINT32_MAX)
    return 0;
  return (uint32_t) value;
}

const char *
attribute_file (Dwarf_Attribute *attribute)
{
  Dwarf_Die unit;
  Dwarf_Files *files;
  size_t count;
  Dwarf_Word number;
  if (attribute == NULL || dwarf_formudata (attribute, &number) != 0
      || dwarf_cu_die (attribute->cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL)
	   == NULL
      || dwarf_getsrcfiles (&unit, &files, &count) != 0 || number >= count)
    return NULL;
  return dwarf_filesrc (files, number, NULL, NULL);
}
