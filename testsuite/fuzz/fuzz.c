/* The fuzzer of the reader FUZZ_READER, for libFuzzer.
   SPDX-License-Identifier: GPL-3.0-or-later

   libFuzzer's own limits are wall-clock time, which is unreliable on a busy
   machine, and memory including that of the sanitizers; the limits here are CPU
   time and the memory that the reader allocates.  */

#include "fuzz-entry.h"
#include <stdlib.h>
#include <time.h>

#define MOST_SECONDS 1
#define MOST_BYTES ((size_t) 64 << 20)
#define MOST_BYTES_PER_BYTE 8

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
    reader_fail ("takes more than a second");
  if (reader_most_bytes () > MOST_BYTES + MOST_BYTES_PER_BYTE * size)
    reader_fail ("takes more than 64 MiB plus 8 bytes for each input byte");
  return 0;
}
