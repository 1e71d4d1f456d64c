/* Performance monitoring units of the recording machine.
   SPDX-License-Identifier: GPL-3.0-or-later

   The kernel numbers its units when it starts, so a recording has a list:
   u32 n, then n of {u32 type, u32 bytes of the name, name, which ends with
   NUL}.  */

#include "perf-units.h"
#include <string.h>

static const char what[] = "the units of the recording machine";

bool
perf_units_read (struct perf_units *units, struct byte_reader *reader)
{
  uint32_t count = byte_reader_u32 (reader, what);
  if (!byte_reader_need (reader, count, 8, what))
    return false;
  for (uint32_t i = 0; i < count; i++)
    {
      uint32_t type = byte_reader_u32 (reader, what);
      uint32_t bytes = byte_reader_u32 (reader, what);
      const char *name = byte_reader_bytes (reader, bytes, what);
      if (!name)
	return false;
      if (strnlen (name, bytes) < bytes && strcmp (name, "ibs_op") == 0)
	units->ibs_op = type;
    }
  return !reader->failed;
}
