/* The heapprof section: fields of a MIB, for its reader.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof-section.h"

void
heapprof_section_set (struct memory_info *info,
		      const struct heapprof_section_field *field,
		      uint64_t value)
{
  char *place = (char *) info + field->offset;
  if (field->bytes == 4)
    *(uint32_t *) place = value;
  else
    *(uint64_t *) place = value;
}
