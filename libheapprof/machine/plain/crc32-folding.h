/* No folding of data for crc32.c: tables do it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_CRC32_FOLDING_H
#define HEAPPROF_CRC32_FOLDING_H

#define FOLD_BYTES_MIN 1u

static const bool can_fold = false;

static void
start_folding (void)
{}

static uint32_t
divide_by_folding (uint32_t rest, const uint8_t *data, size_t bytes)
{
  return divide_by_tables (rest, data, bytes);
}

#endif /* HEAPPROF_CRC32_FOLDING_H */
