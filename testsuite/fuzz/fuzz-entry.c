/* What a fuzzer calls, and what plays its findings again.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuzz-entry.h"
#include <stdlib.h>
#include <string.h>

bool
fuzz_entry (const struct reader *reader, const char *label,
	    const unsigned char *data, size_t size)
{
  reader_begin (label, false, data, size);
  bool done = reader_check (reader, &reader->bounds);
  if (!reader->repair || size == 0)
    return done;
  unsigned char *repaired = malloc (size);
  if (!repaired)
    abort ();
  memcpy (repaired, data, size);
  reader->repair (repaired, size);
  if (memcmp (repaired, data, size) != 0)
    {
      reader_begin (label, false, repaired, size);
      done |= reader_check (reader, &reader->bounds);
    }
  free (repaired);
  return done;
}
