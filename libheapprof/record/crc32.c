/* CRC-32, as used by zlib, Ethernet and PNG.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The CRC is the remainder of the data, seen as a polynomial over GF(2) with
   the highest powers first, divided by a polynomial of degree 32.  The
   remainder is linear, so the data can be folded: a part may be replaced by
   anything with the same remainder at another place.  Processors with a
   carry-less multiplication fold 64 bytes at a time; tables fold eight: the
   contribution of each byte at its distance from the end is looked up
   separately.

   Bits are reversed: the lowest one stands for the highest power.  */

#include "crc32.h"
#include "bytes.h"
#include <stdbool.h>

#define POLYNOMIAL 0xedb88320u

/* tables[K][B]: remainder of byte B followed by K zero bytes.  */
static uint32_t tables[8][256];

/* Return the remainder of REST times x to the power of COUNT.  */

static uint32_t
shift (uint32_t rest, unsigned count)
{
  for (; count > 0; count--)
    rest = rest >> 1 ^ (POLYNOMIAL & -(rest & 1));
  return rest;
}

/* Load eight bytes from DATA, the first in the low bits.  */

static uint64_t
load (const uint8_t *data)
{
  uint64_t word;
  own_memcpy (&word, data, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64 (word);
#endif
  return word;
}

/* Return the remainder of BYTES bytes at DATA, where REST is that of the
   preceding data.  */

static uint32_t
divide_by_tables (uint32_t rest, const uint8_t *data, size_t bytes)
{
  for (; bytes >= 8; bytes -= 8, data += 8)
    {
      const uint64_t word = load (data) ^ rest;
      rest = 0;
      for (int i = 0; i < 8; i++)
	rest ^= tables[7 - i][word >> 8 * i & 0xff];
    }
  for (; bytes > 0; bytes--, data++)
    rest = rest >> 8 ^ tables[0][(rest ^ *data) & 0xff];
  return rest;
}

uint32_t
rt_crc32_by_tables (uint32_t crc, const void *data, size_t bytes)
{
  return ~divide_by_tables (~crc, data, bytes);
}

#include "crc32-folding.h"

void
rt_crc32_start (void)
{
  if (tables[0][1] != 0)
    return;
  for (uint32_t byte = 0; byte < 256; byte++)
    tables[0][byte] = shift (byte, 8);
  for (int zeros = 1; zeros < 8; zeros++)
    for (uint32_t byte = 0; byte < 256; byte++)
      {
	const uint32_t rest = tables[zeros - 1][byte];
	tables[zeros][byte] = rest >> 8 ^ tables[0][rest & 0xff];
      }
  start_folding ();
}

uint32_t
rt_crc32 (uint32_t crc, const void *data, size_t bytes)
{
  const uint8_t *const from = data;
  const size_t folded = can_fold ? bytes / FOLD_BYTES_MIN * FOLD_BYTES_MIN : 0;
  uint32_t rest = ~crc;
  if (folded > 0)
    rest = divide_by_folding (rest, from, folded);
  return ~divide_by_tables (rest, from + folded, bytes - folded);
}
