/* CRC-32, as zlib, Ethernet and PNG have it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Eight bytes at a time: the remainder is linear, so what each of them
   contributes, at its distance from the end, is looked up by itself.  */

#include "crc32.h"
#include <string.h>

#define POLYNOMIAL 0xedb88320u	/* bits reversed */

/* tables[K][B]: remainder of byte B followed by K zero bytes.  */
static uint32_t tables[8][256];

void
rt_crc32_start (void)
{
  if (tables[0][1] != 0)
    return;
  for (uint32_t byte = 0; byte < 256; byte++)
    {
      uint32_t rest = byte;
      for (int bit = 0; bit < 8; bit++)
	rest = rest >> 1 ^ (POLYNOMIAL & -(rest & 1));
      tables[0][byte] = rest;
    }
  for (int zeros = 1; zeros < 8; zeros++)
    for (uint32_t byte = 0; byte < 256; byte++)
      {
	const uint32_t rest = tables[zeros - 1][byte];
	tables[zeros][byte] = rest >> 8 ^ tables[0][rest & 0xff];
      }
}

/* Eight bytes from DATA on, the first in the low bits.  */

static uint64_t
load (const uint8_t *data)
{
  uint64_t word;
  memcpy (&word, data, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64 (word);
#endif
  return word;
}

uint32_t
rt_crc32 (uint32_t crc, const void *data, size_t bytes)
{
  const uint8_t *next = data;
  uint32_t rest = ~crc;
  for (; bytes >= 8; bytes -= 8, next += 8)
    {
      const uint64_t word = load (next) ^ rest;
      rest = 0;
      for (int i = 0; i < 8; i++)
	rest ^= tables[7 - i][word >> 8 * i & 0xff];
    }
  for (; bytes > 0; bytes--, next++)
    rest = rest >> 8 ^ tables[0][(rest ^ *next) & 0xff];
  return ~rest;
}
