/* Unit tests of the function that counts the accesses of library functions on
   texts, compared with what these functions do, byte by byte.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "abi-symbols.h"
#include "rt-unit.h"
#include "shadow.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum
{
  PAGE = 4096,
  /* Texts end where these two areas do, before a page without access.  */
  AREA = 2 * PAGE,
  LONGEST = 100,
  CASES = 200000
};

static char *area_a, *area_b;
static uint64_t state = 1;

/* Return a random number from 0 to LIMIT - 1.  */

static uint64_t
random_below (uint64_t limit)
{
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % limit;
}

static char *
make_area (void)
{
  char *area = mmap (NULL, AREA + PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne (area, MAP_FAILED);
  ck_assert_int_eq (mprotect (area + AREA, PAGE, PROT_NONE), 0);
  return area;
}

static void
make_areas (void)
{
  area_a = make_area ();
  area_b = make_area ();
}

/* Return the start of a random text in AREA that ends with a NUL, often at the
   end of AREA or of its first page.  Few different characters make equal
   beginnings frequent.  */

static char *
random_text (char *area)
{
  static const char characters[] = "aaaaaAbB\xe4\x80";
  const size_t length = random_below (LONGEST);
  char *end = area + AREA;

  if (random_below (3) == 0)
    end = area + PAGE + random_below (LONGEST);
  else if (random_below (2))
    end -= random_below (LONGEST);
  char *const text = end - length - 1;
  for (size_t i = 0; i < length; i++)
    text[i] = characters[random_below (sizeof characters - 1)];
  text[length] = 0;
  return text;
}

/* Return the counters of AREA, and clear them.  */

static uint64_t
take (char *area)
{
  return rt_shadow_take (area, AREA).accesses;
}

static uint64_t
steps (size_t bytes)
{
  return (bytes + 7) / 8;
}

/* Check that OPERATION counts BYTES_A bytes of A, BYTES_B of B.  */

static void
check (unsigned operation, const char *a, const char *b, size_t limit, int stop,
       uint64_t steps_a, uint64_t steps_b)
{
  __heapprof_access_text (a, b, limit, stop, operation);
  const uint64_t found_a = take (area_a), found_b = take (area_b);
  if (found_a != steps_a || found_b != steps_b)
    ck_abort_msg ("operation %u on '%s' and '%s', limit %zu, stop %d: %lu, %lu "
		  "instead of %lu, %lu",
		  operation, a, b ? b : "", limit, stop,
		  (unsigned long) found_a, (unsigned long) found_b,
		  (unsigned long) steps_a, (unsigned long) steps_b);
}

static size_t
equal_bytes (const char *a, const char *b, size_t limit, bool folded,
	     bool nul_stops)
{
  for (size_t i = 0; i < limit; i++)
    {
      const unsigned char x = (unsigned char) a[i], y = (unsigned char) b[i];
      if ((nul_stops && x == 0)
	  || (folded ? tolower (x) != tolower (y) : x != y))
	return i + 1;
    }
  return limit;
}

START_TEST (one_text)
{
  make_areas ();
  for (size_t i = 0; i < CASES; i++)
    {
      const char *const a = random_text (area_a);
      const size_t size = strlen (a) + 1;
      const size_t limit = random_below (2) ? SIZE_MAX : random_below (LONGEST);
      const int stop = "aAB\xe4z\0"[random_below (6)];
      const char *const there = memchr (a, stop, size);
      const size_t until = there ? (size_t) (there - a) + 1 : size;
      const size_t most = size < limit ? size : limit;

      check (HEAPPROF_TEXT_READ, a, NULL, limit, 0, steps (most), 0);
      check (HEAPPROF_TEXT_FIND, a, NULL, limit, stop,
	     steps (until < limit ? until : limit), 0);
      /* memchr may be given more than there is if it finds the byte.  */
      check (HEAPPROF_TEXT_FIND_BYTE, a, NULL, there ? limit : most, stop,
	     steps (until < limit ? until : limit), 0);
      check (HEAPPROF_TEXT_READ | HEAPPROF_TEXT_SKIP_A, a, NULL, limit, 0, 0,
	     0);
    }
}
END_TEST

START_TEST (two_texts)
{
  make_areas ();
  for (size_t i = 0; i < CASES; i++)
    {
      const char *const a = random_text (area_a), *const b
						  = random_text (area_b);
      const size_t size_a = strlen (a) + 1, size_b = strlen (b) + 1;
      const size_t both = size_a < size_b ? size_a : size_b;
      const size_t limit = random_below (2) ? SIZE_MAX : random_below (LONGEST);
      const size_t most = limit < both ? limit : both;
      size_t equal = equal_bytes (a, b, limit, false, true);

      check (HEAPPROF_TEXT_COMPARE, a, b, limit, 0, steps (equal),
	     steps (equal));
      check (HEAPPROF_TEXT_COMPARE | HEAPPROF_TEXT_SKIP_B, a, b, limit, 0,
	     steps (equal), 0);
      equal = equal_bytes (a, b, limit, true, true);
      check (HEAPPROF_TEXT_COMPARE_FOLDED, a, b, limit, 0, steps (equal),
	     steps (equal));
      equal = equal_bytes (a, b, most, false, false);
      check (HEAPPROF_TEXT_COMPARE_BYTES, a, b, most, 0, steps (equal),
	     steps (equal));
      check (HEAPPROF_TEXT_SPAN, a, b, SIZE_MAX, 0, steps (strspn (a, b) + 1),
	     steps (size_b));
      check (HEAPPROF_TEXT_SPAN_NOT, a, b, SIZE_MAX, 0,
	     steps (strcspn (a, b) + 1), steps (size_b));
    }
}
END_TEST

START_TEST (copies)
{
  make_areas ();
  for (size_t i = 0; i < CASES; i++)
    {
      const char *const b = random_text (area_b);
      const size_t size = strlen (b) + 1;
      const size_t limit = random_below (2) ? SIZE_MAX : random_below (LONGEST);
      const size_t most = size < limit ? size : limit;
      char *const a = area_a + random_below (PAGE);

      check (HEAPPROF_TEXT_COPY, a, b, limit, 0, steps (most), steps (most));
      if (limit != SIZE_MAX)
	check (HEAPPROF_TEXT_COPY_PADDED, a, b, limit, 0, steps (limit),
	       steps (most));
      memset (a, 'x', 20);
      a[20] = 0;
      check (HEAPPROF_TEXT_APPEND, a, b, limit, 0,
	     3 + steps (strnlen (b, limit) + 1), steps (most));
    }
}
END_TEST

START_TEST (searches)
{
  make_areas ();
  for (size_t i = 0; i < CASES; i++)
    {
      const char *const a = random_text (area_a);
      char *const b = random_text (area_b);
      if (strlen (b) > 4)
	b[random_below (5)] = 0;
      const char *const found = strstr (a, b);
      const size_t read
	= found ? (size_t) (found - a) + strlen (b) : strlen (a) + 1;

      check (HEAPPROF_TEXT_SEARCH, a, b, SIZE_MAX, 0,
	     steps (read > 0 ? read : 1), steps (strlen (b) + 1));
    }
}
END_TEST

/* The time of a search is proportional to the text, whatever is searched.  */

START_TEST (slow_search_ends)
{
  enum
  {
    TEXT_BYTES = 1 << 22
  };
  char *const text = malloc (TEXT_BYTES), *const words
					  = malloc (TEXT_BYTES / 2);

  memset (text, 'a', TEXT_BYTES);
  text[TEXT_BYTES - 1] = 0;
  memset (words, 'a', TEXT_BYTES / 2);
  memcpy (words + TEXT_BYTES / 2 - 2, "b", 2);
  rt_shadow_take (text, TEXT_BYTES);
  __heapprof_access_text (text, words, SIZE_MAX, 0, HEAPPROF_TEXT_SEARCH);
  ck_assert_uint_eq (rt_shadow_take (text, TEXT_BYTES).accesses,
		     TEXT_BYTES / 8);
  free (text);
  free (words);
}
END_TEST

/* strdup's result.  */

START_TEST (no_text)
{
  __heapprof_access_text (NULL, NULL, SIZE_MAX, 0, HEAPPROF_TEXT_READ);
}
END_TEST

RT_UNIT_MAIN (one_text, two_texts, copies, searches, slow_search_ends, no_text)
