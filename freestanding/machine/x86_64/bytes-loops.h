/* Loops over memory on x86-64, for bytes.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_BYTES_LOOPS_H
#define HEAPPROF_BYTES_LOOPS_H

#ifdef __SSE2__

#include <cpuid.h>
#include <emmintrin.h>

/* From this size on, string instructions are faster than loops on processors
   that report fast ones.  */
#define LONG_BYTES 3072u

/* From this size on, wide registers are used.  */
#define WIDE_BYTES 256u

/* Features of the processor.  */
enum
{
  KNOWN = 1,
  FAST_STRINGS = 2, /* enhanced REP MOVSB and STOSB */
  WIDE = 4	    /* AVX2, with registers that the kernel saves */
};

typedef uint32_t word_32 __attribute__ ((aligned (1), may_alias));
typedef uint64_t word_64 __attribute__ ((aligned (1), may_alias));
typedef long long wide
  __attribute__ ((vector_size (32), aligned (1), may_alias));

/* Mark a function that uses WIDE registers.  */
#define WIDE_FUNCTION __attribute__ ((target ("avx2")))

/* True if A and B, of BYTES bytes each, do not overlap.  */

static inline bool
are_apart (const void *a, const void *b, size_t bytes)
{
  return (uintptr_t) a - (uintptr_t) b >= bytes
	 && (uintptr_t) b - (uintptr_t) a >= bytes;
}

static inline __m128i
load (const char *from)
{
  return _mm_loadu_si128 ((const __m128i *) (const void *) from);
}

static inline void
store (char *to, __m128i value)
{
  _mm_storeu_si128 ((__m128i *) (void *) to, value);
}

static unsigned
ask_processor (void)
{
  unsigned a, b = 0, c = 0, d, saved = 0, answer = KNOWN;
  if (__get_cpuid (1, &a, &b, &c, &d) && (c & bit_OSXSAVE) != 0)
    __asm__("xgetbv" : "=a"(saved), "=d"(d) : "c"(0));
  if (__get_cpuid_count (7, 0, &a, &b, &c, &d))
    {
      answer |= (b & 1u << 9) != 0 ? FAST_STRINGS : 0;
      answer |= (b & bit_AVX2) != 0 && (saved & 6) == 6 ? WIDE : 0;
    }
  return answer;
}

/* Cached, since cpuid takes microseconds on a virtual machine.  */
static unsigned char processor;

static inline bool
processor_has (unsigned feature)
{
  unsigned answer = __atomic_load_n (&processor, __ATOMIC_RELAXED);
  if (answer == 0)
    {
      answer = ask_processor ();
      __atomic_store_n (&processor, (unsigned char) answer, __ATOMIC_RELAXED);
    }
  return (answer & feature) != 0;
}

/* Copy up to 16 bytes.  Here and below, everything is loaded before anything is
   stored, as the areas may overlap.  */

static inline void
copy_few (char *to, const char *from, size_t bytes)
{
  if (bytes >= 8)
    {
      const uint64_t head = *(const word_64 *) from;
      const uint64_t tail = *(const word_64 *) (from + bytes - 8);
      *(word_64 *) to = head;
      *(word_64 *) (to + bytes - 8) = tail;
    }
  else if (bytes >= 4)
    {
      const uint32_t head = *(const word_32 *) from;
      const uint32_t tail = *(const word_32 *) (from + bytes - 4);
      *(word_32 *) to = head;
      *(word_32 *) (to + bytes - 4) = tail;
    }
  else if (bytes > 0)
    {
      const char head = from[0], middle = from[bytes / 2];
      const char tail = from[bytes - 1];
      to[0] = head;
      to[bytes / 2] = middle;
      to[bytes - 1] = tail;
    }
}

/* Copy 17 to 128 bytes, from both ends to the middle.  */

static inline void
copy_some (char *to, const char *from, size_t bytes)
{
  const __m128i head = load (from), tail = load (from + bytes - 16);
  if (bytes > 32)
    {
      const __m128i head_2 = load (from + 16);
      const __m128i tail_2 = load (from + bytes - 32);
      if (bytes > 64)
	{
	  const __m128i head_3 = load (from + 32), head_4 = load (from + 48);
	  const __m128i tail_3 = load (from + bytes - 48);
	  const __m128i tail_4 = load (from + bytes - 64);
	  store (to + 32, head_3);
	  store (to + 48, head_4);
	  store (to + bytes - 48, tail_3);
	  store (to + bytes - 64, tail_4);
	}
      store (to + 16, head_2);
      store (to + bytes - 32, tail_2);
    }
  store (to, head);
  store (to + bytes - 16, tail);
}

static inline void
copy_64 (char *to, const char *from)
{
  const __m128i a = load (from), b = load (from + 16);
  const __m128i c = load (from + 32), d = load (from + 48);
  store (to, a);
  store (to + 16, b);
  store (to + 32, c);
  store (to + 48, d);
  BARRIER ();
}

/* Copy more than 128 bytes to a lower address or to an area that does not
   overlap.  The loop starts where stores are aligned and ends within the last
   64 bytes.  */

static void
copy_upwards (char *to, const char *from, size_t bytes)
{
  const __m128i head = load (from);
  const char *const last = from + bytes - 64;
  const __m128i a = load (last), b = load (last + 16);
  const __m128i c = load (last + 32), d = load (last + 48);
  const size_t skip = 16 - (uintptr_t) to % 16;
  char *at = to + skip;
  char *const end = to + bytes - 64;
  for (from += skip; at < end; at += 64, from += 64)
    copy_64 (at, from);
  store (to, head);
  store (end, a);
  store (end + 16, b);
  store (end + 32, c);
  store (end + 48, d);
}

/* Copy more than 128 bytes to a higher address.  */

static void
copy_downwards (char *to, const char *from, size_t bytes)
{
  const __m128i a = load (from), b = load (from + 16);
  const __m128i c = load (from + 32), d = load (from + 48);
  const __m128i tail = load (from + bytes - 16);
  const size_t skip = (uintptr_t) (to + bytes) % 16;
  char *at = to + bytes - skip;
  for (from += bytes - skip; at > to + 64; at -= 64, from -= 64)
    copy_64 (at - 64, from - 64);
  store (to + bytes - 16, tail);
  store (to, a);
  store (to + 16, b);
  store (to + 32, c);
  store (to + 48, d);
}

/* Wide forms of copy_upwards and copy_downwards, for WIDE_BYTES or more.  Each
   pair of stores fills one cache line.  */

static inline WIDE_FUNCTION void
copy_128 (char *to, const char *from)
{
  const wide *const source = (const wide *) from;
  wide *const target = (wide *) to;
  const wide a = source[0], b = source[1], c = source[2], d = source[3];
  target[0] = a;
  target[1] = b;
  target[2] = c;
  target[3] = d;
  BARRIER ();
}

static WIDE_FUNCTION void
copy_wide_upwards (char *to, const char *from, size_t bytes)
{
  const wide *const first = (const wide *) from;
  const wide head = first[0], head_2 = first[1];
  const wide *const last = (const wide *) (from + bytes);
  const wide a = last[-4], b = last[-3], c = last[-2], d = last[-1];
  const size_t skip = 64 - (uintptr_t) to % 64;
  wide *const start = (wide *) to;
  char *at = to + skip;
  wide *const end = (wide *) (to + bytes);
  for (from += skip; at < (char *) (end - 4); at += 128, from += 128)
    copy_128 (at, from);
  start[0] = head;
  start[1] = head_2;
  end[-4] = a;
  end[-3] = b;
  end[-2] = c;
  end[-1] = d;
}

static WIDE_FUNCTION void
copy_wide_downwards (char *to, const char *from, size_t bytes)
{
  const wide *const first = (const wide *) from;
  const wide a = first[0], b = first[1], c = first[2], d = first[3];
  const wide *const last = (const wide *) (from + bytes);
  const wide tail = last[-1], tail_2 = last[-2];
  const size_t skip = (uintptr_t) (to + bytes) % 64;
  char *at = to + bytes - skip;
  wide *const start = (wide *) to, *const end = (wide *) (to + bytes);
  for (from += bytes - skip; at > to + 128; at -= 128, from -= 128)
    copy_128 (at - 128, from - 128);
  end[-1] = tail;
  end[-2] = tail_2;
  start[0] = a;
  start[1] = b;
  start[2] = c;
  start[3] = d;
}

static inline void
copy (char *to, const char *from, size_t bytes)
{
  const bool upwards = (uintptr_t) to - (uintptr_t) from >= bytes;
  if (bytes <= 16)
    copy_few (to, from, bytes);
  else if (bytes <= 128)
    copy_some (to, from, bytes);
  else if (bytes >= LONG_BYTES && are_apart (to, from, bytes)
	   && processor_has (FAST_STRINGS))
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes)::"memory");
  else if (bytes >= WIDE_BYTES && processor_has (WIDE))
    (upwards ? copy_wide_upwards : copy_wide_downwards) (to, from, bytes);
  else
    (upwards ? copy_upwards : copy_downwards) (to, from, bytes);
}

/* Fill up to 15 bytes.  */

static inline void
fill_few (char *to, uint64_t values, size_t bytes)
{
  char *const end = to + bytes;
  if (bytes >= 8)
    *(word_64 *) to = *(word_64 *) (end - 8) = values;
  else if (bytes >= 4)
    *(word_32 *) to = *(word_32 *) (end - 4) = (uint32_t) values;
  else if (bytes > 0)
    to[0] = to[bytes / 2] = end[-1] = (char) values;
}

/* Fill 16 bytes or more.  */

static inline void
fill_some (char *to, __m128i values, size_t bytes)
{
  char *const end = to + bytes;
  store (to, values);
  store (end - 16, values);
  if (bytes <= 32)
    return;
  store (to + 16, values);
  store (end - 32, values);
  if (bytes <= 64)
    return;
  store (to + 32, values);
  store (to + 48, values);
  store (end - 64, values);
  store (end - 48, values);
  if (bytes <= 128)
    return;
  for (to += 64 - (uintptr_t) to % 16; to < end - 64; to += 64)
    {
      store (to, values);
      store (to + 16, values);
      store (to + 32, values);
      store (to + 48, values);
      BARRIER ();
    }
}

/* Fill WIDE_BYTES or more.  */

static WIDE_FUNCTION void
fill_wide (char *to, uint64_t word, size_t bytes)
{
  const long long part = (long long) word;
  const wide values = { part, part, part, part };
  wide *const first = (wide *) to, *const end = (wide *) (to + bytes);
  first[0] = first[1] = values;
  end[-4] = end[-3] = end[-2] = end[-1] = values;
  for (to += 64 - (uintptr_t) to % 64; to < (char *) (end - 4); to += 128)
    {
      wide *const at = (wide *) to;
      at[0] = at[1] = at[2] = at[3] = values;
      BARRIER ();
    }
}

static inline void
fill (char *to, unsigned char value, size_t bytes)
{
  const uint64_t values = value * UINT64_C (0x0101010101010101);
  if (bytes < 16)
    fill_few (to, values, bytes);
  else if (bytes >= LONG_BYTES && processor_has (FAST_STRINGS))
    __asm__ volatile("rep stosb"
		     : "+D"(to), "+c"(bytes)
		     : "a"(value)
		     : "memory");
  else if (bytes >= WIDE_BYTES && processor_has (WIDE))
    fill_wide (to, values, bytes);
  else
    fill_some (to, _mm_set1_epi64x ((long long) values), bytes);
}

/* Return a mask of the bytes that are 0 among the 16 at BLOCK, which is
   aligned.  Some of these bytes may be before or after the text.  */

static inline __attribute__ ((no_sanitize_address)) unsigned
zeros_at (uintptr_t block)
{
  const __m128i bytes = _mm_load_si128 ((const __m128i *) block);
  return (unsigned) _mm_movemask_epi8 (_mm_cmpeq_epi8 (bytes,
						       _mm_setzero_si128 ()));
}

/* An aligned block of 16 bytes lies within one page, so all of it may be
   read.  */

static inline size_t
length (const char *text, size_t most)
{
  if (most == 0)
    return 0;
  const uintptr_t start = (uintptr_t) text;
  uintptr_t block = start & -(uintptr_t) 16;
  unsigned zeros = zeros_at (block) >> (start - block);
  size_t seen = 0;
  for (size_t step = 16 - (start - block); zeros == 0; step = 16)
    {
      seen += step;
      if (seen >= most)
	return most;
      block += 16;
      zeros = zeros_at (block);
      BARRIER ();
    }
  seen += (unsigned) __builtin_ctz (zeros);
  return seen < most ? seen : most;
}

#else
#include "bytes-small.h"
#endif

#endif /* HEAPPROF_BYTES_LOOPS_H */
