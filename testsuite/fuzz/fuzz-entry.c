/* The entry point of a fuzzer, and of the program that replays its findings.
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
  size_t repaired_size = 0;
  unsigned char *repaired
    = reader->repair ? reader->repair (data, size, &repaired_size) : NULL;
  if (repaired && (repaired_size != size || memcmp (repaired, data, size) != 0))
    {
      reader_begin (label, false, repaired, repaired_size);
      done |= reader_check (reader, &reader->bounds);
    }
  free (repaired);
  return done;
}
