/* Loops over memory by words, for code without vector registers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The includer defines WORDS_MAY_BE_UNALIGNED: whether words at any address are
   read and written as fast as aligned ones.  Otherwise only aligned words are,
   and if the ends of a copy differ in their alignment, each word is put
   together from two.  All words that are read contain a byte that the caller
   asked for, or are aligned, so no page is touched without need.  */

#ifndef HEAPPROF_BYTES_WORDS_H
#define HEAPPROF_BYTES_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A word, and one at any address.  */
typedef uint64_t word __attribute__ ((may_alias));
typedef uint64_t loose_word __attribute__ ((may_alias, aligned (1)));

#define WORD_BYTES sizeof (word)
#define ONES UINT64_C (0x0101010101010101)

/* From this size on, words are worth the preparation.  */
#define WORDS_FROM (2 * WORD_BYTES)

static inline size_t
bytes_beyond_word (const char *place)
{
  return (uintptr_t) place % WORD_BYTES;
}

static inline word
load_word (const char *from)
{
  return WORDS_MAY_BE_UNALIGNED ? *(const loose_word *) (const void *) from
				: *(const word *) (const void *) from;
}

static inline void
store_word (char *to, word value)
{
  if (WORDS_MAY_BE_UNALIGNED)
    *(loose_word *) (void *) to = value;
  else
    *(word *) (void *) to = value;
}

/* Copy four words; all are read before any is written.  */

static inline void
copy_four_words (char *to, const char *from)
{
  const word a = load_word (from);
  const word b = load_word (from + WORD_BYTES);
  const word c = load_word (from + 2 * WORD_BYTES);
  const word d = load_word (from + 3 * WORD_BYTES);
  store_word (to, a);
  store_word (to + WORD_BYTES, b);
  store_word (to + 2 * WORD_BYTES, c);
  store_word (to + 3 * WORD_BYTES, d);
}

/* The eight bytes that start BEYOND bytes after the start of LOW, which HIGH
   follows.  0 < BEYOND < 8.  */

static inline word
join_words (word low, word high, size_t beyond)
{
  const size_t before = WORD_BYTES - beyond;
  return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	   ? low >> 8 * beyond | high << 8 * before
	   : low << 8 * beyond | high >> 8 * before;
}

/* Copy the words in BYTES bytes upwards, to an aligned place if that matters;
   return the number of bytes copied.  */

static inline size_t
copy_words_up (char *to, const char *from, size_t bytes)
{
  const size_t beyond = bytes_beyond_word (from);
  size_t done = 0;
  if (WORDS_MAY_BE_UNALIGNED || beyond == 0)
    {
      for (; bytes - done >= 4 * WORD_BYTES; done += 4 * WORD_BYTES)
	{
	  copy_four_words (to + done, from + done);
	  BARRIER ();
	}
      for (; bytes - done >= WORD_BYTES; done += WORD_BYTES)
	{
	  store_word (to + done, load_word (from + done));
	  BARRIER ();
	}
    }
  else if (bytes >= WORD_BYTES)
    {
      const char *const start = from - beyond;
      word low = load_word (start);
      for (; bytes - done >= WORD_BYTES; done += WORD_BYTES)
	{
	  const word high = load_word (start + done + WORD_BYTES);
	  store_word (to + done, join_words (low, high, beyond));
	  low = high;
	  BARRIER ();
	}
    }
  return done;
}

/* The same downwards, from the ends TO and FROM on.  */

static inline size_t
copy_words_down (char *to, const char *from, size_t bytes)
{
  const size_t beyond = bytes_beyond_word (from);
  size_t done = 0;
  if (WORDS_MAY_BE_UNALIGNED || beyond == 0)
    {
      for (; bytes - done >= 4 * WORD_BYTES; done += 4 * WORD_BYTES)
	{
	  copy_four_words (to - done - 4 * WORD_BYTES,
			   from - done - 4 * WORD_BYTES);
	  BARRIER ();
	}
      for (; bytes - done >= WORD_BYTES; done += WORD_BYTES)
	{
	  store_word (to - done - WORD_BYTES,
		      load_word (from - done - WORD_BYTES));
	  BARRIER ();
	}
    }
  else if (bytes >= WORD_BYTES)
    {
      const char *const start = from - beyond;
      word high = load_word (start);
      for (; bytes - done >= WORD_BYTES; done += WORD_BYTES)
	{
	  const word low = load_word (start - done - WORD_BYTES);
	  store_word (to - done - WORD_BYTES, join_words (low, high, beyond));
	  high = low;
	  BARRIER ();
	}
    }
  return done;
}

static inline void
copy_up (char *to, const char *from, size_t bytes)
{
  size_t done = 0;
  if (bytes >= WORDS_FROM)
    {
      for (; !WORDS_MAY_BE_UNALIGNED && bytes_beyond_word (to + done) != 0;
	   done++)
	{
	  to[done] = from[done];
	  BARRIER ();
	}
      done += copy_words_up (to + done, from + done, bytes - done);
    }
  for (; done < bytes; done++)
    {
      to[done] = from[done];
      BARRIER ();
    }
}

static inline void
copy_down (char *to, const char *from, size_t bytes)
{
  if (bytes >= WORDS_FROM)
    {
      for (; !WORDS_MAY_BE_UNALIGNED && bytes_beyond_word (to + bytes) != 0;
	   bytes--)
	{
	  to[bytes - 1] = from[bytes - 1];
	  BARRIER ();
	}
      bytes -= copy_words_down (to + bytes, from + bytes, bytes);
    }
  for (; bytes > 0; bytes--)
    {
      to[bytes - 1] = from[bytes - 1];
      BARRIER ();
    }
}

static inline void
copy (char *to, const char *from, size_t bytes)
{
  if ((uintptr_t) to - (uintptr_t) from >= bytes)
    copy_up (to, from, bytes);
  else
    copy_down (to, from, bytes);
}

static inline void
fill (char *to, unsigned char value, size_t bytes)
{
  const word values = ONES * value;
  size_t done = 0;
  if (bytes >= WORDS_FROM)
    {
      for (; !WORDS_MAY_BE_UNALIGNED && bytes_beyond_word (to + done) != 0;
	   done++)
	{
	  to[done] = (char) value;
	  BARRIER ();
	}
      for (; bytes - done >= 4 * WORD_BYTES; done += 4 * WORD_BYTES)
	{
	  for (size_t i = 0; i < 4; i++)
	    store_word (to + done + i * WORD_BYTES, values);
	  BARRIER ();
	}
      for (; bytes - done >= WORD_BYTES; done += WORD_BYTES)
	{
	  store_word (to + done, values);
	  BARRIER ();
	}
    }
  for (; done < bytes; done++)
    {
      to[done] = (char) value;
      BARRIER ();
    }
}

/* True if a byte of VALUE is 0.  */

static inline bool
has_zero (word value)
{
  return ((value - ONES) & ~value & ONES << 7) != 0;
}

static inline size_t
length (const char *text, size_t most)
{
  size_t n = 0;
  for (; n < most && bytes_beyond_word (text + n) != 0; n++)
    {
      if (text[n] == '\0')
	return n;
      BARRIER ();
    }
  for (; most - n >= WORD_BYTES
	 && !has_zero (*(const word *) (const void *) (text + n));
       n += WORD_BYTES)
    BARRIER ();
  for (; n < most && text[n] != '\0'; n++)
    BARRIER ();
  return n;
}

#endif /* HEAPPROF_BYTES_WORDS_H */
