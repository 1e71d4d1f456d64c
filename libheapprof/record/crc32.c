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

#if defined __x86_64__

#include <immintrin.h>

#define FOLD_BYTES_MIN 64u
#define CARRY_LESS __attribute__ ((target ("pclmul")))

static bool can_fold;

/* Remainders of the powers that the first and second eight bytes of sixteen are
   multiplied by to move them by 64 and by 16 bytes.  */
static uint64_t by_64[2], by_16[2];

static void
set_powers (uint64_t powers[2], unsigned bytes)
{
  /* The product of two reversed words, one of them a remainder in its lower
     half and shifted by a bit, stands for 32 powers more than its factors.  And
     the first eight bytes are 64 powers above the second.  */
  const uint32_t one = 0x80000000u;
  powers[0] = (uint64_t) shift (one, bytes * 8 + 32) << 1;
  powers[1] = (uint64_t) shift (one, bytes * 8 - 32) << 1;
}

static void
start_folding (void)
{
  __builtin_cpu_init ();
  can_fold = __builtin_cpu_supports ("pclmul");
  set_powers (by_64, 64);
  set_powers (by_16, 16);
}

/* Return SUM moved by POWERS, added to THERE.  */

CARRY_LESS static inline __m128i
fold (__m128i sum, __m128i powers, __m128i there)
{
  const __m128i first = _mm_clmulepi64_si128 (sum, powers, 0x00);
  const __m128i second = _mm_clmulepi64_si128 (sum, powers, 0x11);
  return _mm_xor_si128 (_mm_xor_si128 (first, second), there);
}

CARRY_LESS static inline __m128i
load_16 (const uint8_t *data)
{
  return _mm_loadu_si128 ((const __m128i *) data);
}

/* Return the remainder of BYTES bytes at DATA, a multiple of 64.  Four
   independent sums, each of every fourth sixteen bytes, avoid waiting.  */

CARRY_LESS static uint32_t
divide_by_folding (uint32_t rest, const uint8_t *data, size_t bytes)
{
  const __m128i far = load_16 ((const uint8_t *) by_64);
  const __m128i near = load_16 ((const uint8_t *) by_16);
  __m128i sums[4];
  uint8_t last[16];
  for (int i = 0; i < 4; i++)
    sums[i] = load_16 (data + 16 * i);
  sums[0] = _mm_xor_si128 (sums[0], _mm_cvtsi32_si128 ((int) rest));
  for (size_t at = 64; at < bytes; at += 64)
    for (int i = 0; i < 4; i++)
      sums[i] = fold (sums[i], far, load_16 (data + at + 16 * i));
  for (int i = 1; i < 4; i++)
    sums[i] = fold (sums[i - 1], near, sums[i]);
  _mm_storeu_si128 ((__m128i *) last, sums[3]);
  return divide_by_tables (0, last, sizeof last);
}

#else

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

#endif

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
