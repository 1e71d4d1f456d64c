/* Accesses of library functions that read texts, or memory up to a certain
   byte.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   How much such a function reads depends on the text, so it is read here first.
   Bytes are read several at a time, but never across the end of a page, since
   the next page may not exist.  */

#include "abi-symbols.h"
#include "shadow.h"
#include <stdbool.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Accesses of a function are this far apart.  */
#define RANGE_STEP_BYTES 8

#define SMALLEST_PAGE_BYTES 4096

/* A piece of a text.  The functions on pieces return a mask: its lowest bit
   that is set belongs to the first byte in question, bits / PIECE_MASK_BITS. */
#ifdef __SSE2__

#define PIECE_BYTES 16
#define PIECE_MASK_BITS 1
typedef __m128i piece;

static inline piece
piece_of_byte (unsigned char byte)
{
  return _mm_set1_epi8 ((char) byte);
}

static inline piece
piece_at (const unsigned char *text)
{
  return _mm_loadu_si128 ((const __m128i_u *) text);
}

static inline uint64_t
equal_in_pieces (piece a, piece b)
{
  return (unsigned) _mm_movemask_epi8 (_mm_cmpeq_epi8 (a, b));
}

static inline uint64_t
different_in_pieces (piece a, piece b)
{
  return equal_in_pieces (a, b) ^ 0xffff;
}

#else

#define PIECE_BYTES 8
#define PIECE_MASK_BITS 8
typedef uint64_t piece;

static inline piece
piece_of_byte (unsigned char byte)
{
  return byte * UINT64_C (0x0101010101010101);
}

/* The first byte is the lowest.  */
static inline piece
piece_at (const unsigned char *text)
{
  piece word;
  __builtin_memcpy (&word, text, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64 (word);
#endif
  return word;
}

static inline uint64_t
different_in_pieces (piece a, piece b)
{
  return a ^ b;
}

/* Bits above the first byte may be set although the bytes differ.  */
static inline uint64_t
equal_in_pieces (piece a, piece b)
{
  const uint64_t word = a ^ b;
  return ((word - UINT64_C (0x0101010101010101)) & ~word
	  & UINT64_C (0x8080808080808080));
}

#endif

static inline bool
piece_in_page_p (const unsigned char *text)
{
  return ((uintptr_t) text % SMALLEST_PAGE_BYTES
	  <= SMALLEST_PAGE_BYTES - PIECE_BYTES);
}

static inline size_t
first_byte (uint64_t mask)
{
  return (size_t) __builtin_ctzll (mask) / PIECE_MASK_BITS;
}

static inline size_t
smaller (size_t a, size_t b)
{
  return a < b ? a : b;
}

/* Return the number of bytes of TEXT up to the first STOP, or also up to the
   first NUL if NUL_STOPS; at most LIMIT.  */
static inline __attribute__ ((always_inline)) size_t
bytes_until (const unsigned char *text, size_t limit, unsigned char stop,
	     bool nul_stops)
{
  size_t bytes = 0;

  while (bytes < limit)
    {
      const unsigned char *const here = text + bytes;
      if (!piece_in_page_p (here))
	{
	  bytes++;
	  if (*here == stop || (nul_stops && *here == 0))
	    break;
	  continue;
	}
      const piece bytes_here = piece_at (here);
      uint64_t found = equal_in_pieces (bytes_here, piece_of_byte (stop));
      if (nul_stops)
	found |= equal_in_pieces (bytes_here, piece_of_byte (0));
      if (found != 0)
	{
	  bytes += first_byte (found) + 1;
	  break;
	}
      bytes += PIECE_BYTES;
    }
  return smaller (bytes, limit);
}

static __attribute__ ((noinline)) size_t
text_bytes (const unsigned char *text, size_t limit)
{
  return bytes_until (text, limit, 0, false);
}

/* Return the number of bytes up to the first one that differs in A and B, or if
   NUL_STOPS also up to the first NUL; at most LIMIT.  */
static inline __attribute__ ((always_inline)) size_t
equal_bytes (const unsigned char *a, const unsigned char *b, size_t limit,
	     bool nul_stops)
{
  size_t bytes = 0;

  while (bytes < limit)
    {
      if (!piece_in_page_p (a + bytes) || !piece_in_page_p (b + bytes))
	{
	  const unsigned char byte = a[bytes];
	  if (byte != b[bytes++] || (nul_stops && byte == 0))
	    break;
	  continue;
	}
      const piece here = piece_at (a + bytes);
      uint64_t found = different_in_pieces (here, piece_at (b + bytes));
      if (nul_stops)
	found |= equal_in_pieces (here, piece_of_byte (0));
      if (found != 0)
	{
	  bytes += first_byte (found) + 1;
	  break;
	}
      bytes += PIECE_BYTES;
    }
  return smaller (bytes, limit);
}

static inline unsigned char
folded (unsigned char byte)
{
  return byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte;
}

/* The same for texts, if upper-case letters equal lower-case ones.  Those
   outside of ASCII, which depend on the locale, are taken to differ.  */
static size_t
equal_bytes_folded (const unsigned char *a, const unsigned char *b,
		    size_t limit)
{
  for (size_t i = 0; i < limit; i++)
    if (a[i] == 0 || folded (a[i]) != folded (b[i]))
      return i + 1;
  return limit;
}

/* Return the number of bytes of TEXT up to the first one that is in SET, if
   WANTED, or is not in SET; in any case up to its NUL.  */
static size_t
span_bytes (const unsigned char *text, const unsigned char *set, bool wanted)
{
  uint64_t members[4] = { 0 };
  size_t bytes = 0;

  for (; *set != 0; set++)
    members[*set / 64] |= UINT64_C (1) << *set % 64;
  for (;;)
    {
      const unsigned char byte = text[bytes++];
      const bool member = members[byte / 64] >> byte % 64 & 1;
      if (byte == 0 || member == wanted)
	return bytes;
    }
}

/* Return the number of bytes of TEXT to the end of the first copy of WORDS, or
   up to its NUL.  Texts made to slow a search down are assumed to contain none.
 */
static size_t
search_bytes (const unsigned char *text, const unsigned char *words)
{
  const size_t text_size = text_bytes (text, SIZE_MAX);
  const size_t wanted = text_bytes (words, SIZE_MAX) - 1;
  size_t effort = 16 * text_size;

  if (wanted == 0)
    return 1;
  for (size_t at = 0; at + wanted < text_size; at++)
    {
      at += bytes_until (text + at, text_size - at, words[0], false) - 1;
      if (at + wanted >= text_size)
	break;
      const size_t equal = equal_bytes (text + at, words, wanted, false);
      if (equal == wanted && text[at + wanted - 1] == words[wanted - 1])
	return at + wanted;
      if (effort < equal)
	break;
      effort -= equal;
    }
  return text_size;
}

/* Most texts are short and in one granule.  */
static inline void
count (const unsigned char *data, size_t bytes, unsigned flags)
{
  if (flags & HEAPPROF_TEXT_HISTOGRAM)
    __heapprof_access_range_histogram (data, bytes);
  else if ((uintptr_t) data % HEAPPROF_GRANULE_BYTES + bytes
	   > HEAPPROF_GRANULE_BYTES)
    __heapprof_access_range (data, bytes);
  else if (bytes > 0)
    ((uint64_t *) rt_shadow_base)[(uintptr_t) data >> HEAPPROF_GRANULE_SHIFT]
      += (bytes + RANGE_STEP_BYTES - 1) / RANGE_STEP_BYTES;
}

static inline void
count_both (const unsigned char *a, size_t bytes_of_a, const unsigned char *b,
	    size_t bytes_of_b, unsigned flags)
{
  if (!(flags & HEAPPROF_TEXT_SKIP_A))
    count (a, bytes_of_a, flags);
  if (!(flags & HEAPPROF_TEXT_SKIP_B))
    count (b, bytes_of_b, flags);
}

/* The operations.  Each is a function of its own, so that the short ones save
   no registers for the others.  */

static __attribute__ ((noinline)) void
count_read (const unsigned char *a, size_t limit, unsigned flags)
{
  if (a && !(flags & HEAPPROF_TEXT_SKIP_A))
    count (a, text_bytes (a, limit), flags);
}

static __attribute__ ((noinline)) void
count_find (const unsigned char *a, size_t limit, int stop, unsigned flags)
{
  if (!(flags & HEAPPROF_TEXT_SKIP_A))
    count (a, bytes_until (a, limit, (unsigned char) stop, true), flags);
}

static __attribute__ ((noinline)) void
count_find_byte (const unsigned char *a, size_t limit, int stop, unsigned flags)
{
  if (!(flags & HEAPPROF_TEXT_SKIP_A))
    count (a, bytes_until (a, limit, (unsigned char) stop, false), flags);
}

static __attribute__ ((noinline)) void
count_compare (const unsigned char *a, const unsigned char *b, size_t limit,
	       unsigned flags)
{
  const size_t bytes = equal_bytes (a, b, limit, true);
  count_both (a, bytes, b, bytes, flags);
}

static __attribute__ ((noinline)) void
count_compare_folded (const unsigned char *a, const unsigned char *b,
		      size_t limit, unsigned flags)
{
  const size_t bytes = equal_bytes_folded (a, b, limit);
  count_both (a, bytes, b, bytes, flags);
}

static __attribute__ ((noinline)) void
count_compare_bytes (const unsigned char *a, const unsigned char *b,
		     size_t limit, unsigned flags)
{
  const size_t bytes = equal_bytes (a, b, limit, false);
  count_both (a, bytes, b, bytes, flags);
}

static __attribute__ ((noinline)) void
count_copy (const unsigned char *a, const unsigned char *b, size_t limit,
	    bool is_padded, unsigned flags)
{
  const size_t bytes = text_bytes (b, limit);
  count_both (a, is_padded ? limit : bytes, b, bytes, flags);
}

static __attribute__ ((noinline)) void
count_append (const unsigned char *a, const unsigned char *b, size_t limit,
	      unsigned flags)
{
  const size_t there = text_bytes (a, SIZE_MAX);
  const size_t read = text_bytes (b, limit);
  const bool has_nul = read > 0 && b[read - 1] == 0;

  count_both (a, there, b, read, flags);
  if (!(flags & HEAPPROF_TEXT_SKIP_A))
    count (a + there - 1, read + !has_nul, flags);
}

static __attribute__ ((noinline)) void
count_span (const unsigned char *a, const unsigned char *b, bool wanted,
	    unsigned flags)
{
  count_both (a, span_bytes (a, b, wanted), b, text_bytes (b, SIZE_MAX), flags);
}

static __attribute__ ((noinline)) void
count_search (const unsigned char *a, const unsigned char *b, unsigned flags)
{
  count_both (a, search_bytes (a, b), b, text_bytes (b, SIZE_MAX), flags);
}

void
__heapprof_access_text (const void *a, const void *b, size_t limit, int stop,
			unsigned operation)
{
  switch (operation & HEAPPROF_TEXT_OPERATION)
    {
    case HEAPPROF_TEXT_READ:
      count_read (a, limit, operation);
      break;
    case HEAPPROF_TEXT_FIND:
      count_find (a, limit, stop, operation);
      break;
    case HEAPPROF_TEXT_FIND_BYTE:
      count_find_byte (a, limit, stop, operation);
      break;
    case HEAPPROF_TEXT_COMPARE:
      count_compare (a, b, limit, operation);
      break;
    case HEAPPROF_TEXT_COMPARE_FOLDED:
      count_compare_folded (a, b, limit, operation);
      break;
    case HEAPPROF_TEXT_COMPARE_BYTES:
      count_compare_bytes (a, b, limit, operation);
      break;
    case HEAPPROF_TEXT_COPY:
      count_copy (a, b, limit, false, operation);
      break;
    case HEAPPROF_TEXT_COPY_PADDED:
      count_copy (a, b, limit, true, operation);
      break;
    case HEAPPROF_TEXT_APPEND:
      count_append (a, b, limit, operation);
      break;
    case HEAPPROF_TEXT_SPAN:
      count_span (a, b, false, operation);
      break;
    case HEAPPROF_TEXT_SPAN_NOT:
      count_span (a, b, true, operation);
      break;
    case HEAPPROF_TEXT_SEARCH:
      count_search (a, b, operation);
      break;
    default:
      break;
    }
}
