/* The fuzzer of the reader FUZZ_READER, for libFuzzer.
   SPDX-License-Identifier: GPL-3.0-or-later

   libFuzzer's own limit of time is by the clock, which on a busy machine says
   little; here it is time of the processor.  */

#include "fuzz-entry.h"
#include <stdlib.h>
#include <time.h>

#define MOST_SECONDS 10

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const struct reader *reader;
  if (!reader)
    reader = reader_find (FUZZ_READER);
  if (!reader)
    abort ();
  clock_t start = clock ();
  fuzz_entry (reader, FUZZ_READER, data, size);
  if (clock () - start > MOST_SECONDS * CLOCKS_PER_SEC)
    reader_fail ("takes more than 10 seconds");
  return 0;
}
