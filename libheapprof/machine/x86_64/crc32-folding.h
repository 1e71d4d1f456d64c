/* Folding of data for crc32.c, by carry-less multiplication, on x86-64.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_CRC32_FOLDING_H
#define HEAPPROF_CRC32_FOLDING_H

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

#endif /* HEAPPROF_CRC32_FOLDING_H */
