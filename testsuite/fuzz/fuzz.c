/* The fuzzer of the reader FUZZ_READER, for libFuzzer.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuzz-entry.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const struct reader *reader;
  if (!reader)
    reader = reader_find (FUZZ_READER);
  if (!reader)
    abort ();
  fuzz_entry (reader, FUZZ_READER, data, size);
  return 0;
}
