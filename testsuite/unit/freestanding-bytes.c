/* Unit tests of the run-time libraries' own memory functions: results are
   compared with the C library's, and inaccessible pages detect stray accesses.
   SPDX-License-Identifier: GPL-3.0-or-later

   The source is included, not linked, to test the variants for other
   processors, as far as this processor supports them.  */

#include "../../freestanding/bytes.c"
#include "unit-main.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum
{
  ROOM_BYTES = 16384,
  PAGE_BYTES = 4096
};

/* Allocate ROOM_BYTES between two inaccessible pages.  */

static char *
make_room (void)
{
  char *const pages = mmap (NULL, ROOM_BYTES + 2 * PAGE_BYTES, PROT_NONE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne (pages, MAP_FAILED);
  ck_assert_int_eq (mprotect (pages + PAGE_BYTES, ROOM_BYTES,
			      PROT_READ | PROT_WRITE),
		    0);
  return pages + PAGE_BYTES;
}

static char *expected, *found;

static void
set_up (void)
{
  expected = make_room ();
  found = make_room ();
}

/* Fill the room so that no two nearby places have the same bytes.  */

static void
paint (void)
{
  uint32_t state = 1;
  for (size_t i = 0; i < ROOM_BYTES; i++)
    {
      state = state * 1664525u + 1013904223u;
      expected[i] = found[i] = (char) (state >> 24);
    }
}

/* Return the size to test after BYTES: every size up to 700, then sizes around
   the thresholds where another algorithm is used.  */

static size_t
next_size (size_t bytes)
{
  static const size_t more[]
    = { 1023, 1500, 2047, 2048, 2049, 3071, 3072, 3073, 4096, 5001 };
  if (bytes < 700)
    return bytes + 1;
  for (size_t i = 0; i < sizeof more / sizeof *more; i++)
    if (more[i] > bytes)
      return more[i];
  return ROOM_BYTES;
}

/* Offsets at which pieces start and end: all small ones, then those around
   word, register and cache line sizes.  */
static const size_t places[] = { 0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 48, 63 };
#define PLACES (sizeof places / sizeof *places)

static void
copy_is_right (size_t to, size_t from, size_t bytes)
{
  memmove (expected + to, expected + from, bytes);
  ck_assert_ptr_eq (own_memmove (found + to, found + from, bytes), found + to);
  if (memcmp (expected, found, ROOM_BYTES) != 0)
    ck_abort_msg ("%zu bytes from %zu to %zu", bytes, from, to);
}

/* Copy between places so near that they overlap, upwards and downwards.  */

static void
copies_overlap (size_t bytes)
{
  static const size_t apart[]
    = { 0, 1, 3, 8, 16, 31, 32, 63, 64, 65, 127, 128, 129, 200 };
  for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
    {
      const size_t place = places[(bytes + i) % PLACES];
      copy_is_right (place, place + apart[i], bytes);
      copy_is_right (place + apart[i], place, bytes);
    }
}

/* Copy up to the inaccessible pages at both ends of the room.  */

static void
copies_touch_no_more (size_t bytes)
{
  const size_t place = 6000 + places[bytes % PLACES];
  copy_is_right (0, place, bytes);
  copy_is_right (ROOM_BYTES - bytes, place, bytes);
  copy_is_right (place, 0, bytes);
  copy_is_right (place, ROOM_BYTES - bytes, bytes);
}

static void
fill_is_right (size_t to, int value, size_t bytes)
{
  memset (expected + to, value, bytes);
  ck_assert_ptr_eq ((own_memset) (found + to, value, bytes), found + to);
  if (memcmp (expected, found, ROOM_BYTES) != 0)
    ck_abort_msg ("%zu bytes at %zu", bytes, to);
}

static void
fills_are_right (size_t bytes)
{
  for (size_t i = 0; i < PLACES; i++)
    fill_is_right (places[i], (int) (bytes + i) | 0x100, bytes);
  fill_is_right (ROOM_BYTES - bytes, -1, bytes);
}

/* A string of BYTES bytes, whose end is the end of the room or has more behind
   it.  */

static void
lengths_are_right (size_t bytes)
{
  for (size_t i = 0; i < PLACES && bytes + places[i] < ROOM_BYTES; i++)
    {
      char *const text = found + ROOM_BYTES - 1 - bytes - places[i];
      memset (text, -1, ROOM_BYTES - (size_t) (text - found));
      text[bytes] = '\0';
      ck_assert_uint_eq (own_strlen (text), bytes);
      ck_assert_uint_eq (own_strnlen (text, bytes), bytes);
      ck_assert_uint_eq (own_strnlen (text, bytes + 9), bytes);
      ck_assert_uint_eq (own_strnlen (text, bytes / 2), bytes / 2);
    }
}

static void
everything_is_right (void)
{
  set_up ();
  paint ();
  for (size_t bytes = 0; bytes < ROOM_BYTES; bytes = next_size (bytes))
    {
      copies_overlap (bytes);
      copies_touch_no_more (bytes);
      paint ();
      fills_are_right (bytes);
      lengths_are_right (bytes);
      paint ();
    }
}

#ifdef LONG_BYTES

/* Test as if this processor had only FEATURES of its optional features.  */

static void
as_processor (unsigned features)
{
  const unsigned all = ask_processor ();
  ck_assert_uint_ne (all & KNOWN, 0);
  processor = (unsigned char) (all & (features | KNOWN));
  everything_is_right ();
}

START_TEST (with_nothing_but_the_baseline) { as_processor (0); }
END_TEST

START_TEST (with_string_instructions) { as_processor (FAST_STRINGS); }
END_TEST

START_TEST (with_wide_registers) { as_processor (WIDE); }
END_TEST

/* The features found must agree with the compiler's runtime check.  */

START_TEST (processor_is_asked_rightly)
{
  __builtin_cpu_init ();
  ck_assert_int_eq ((ask_processor () & WIDE) != 0,
		    __builtin_cpu_supports ("avx2") != 0);
}
END_TEST

#elif defined UNALIGNED_IS_TESTED

START_TEST (with_unaligned_words)
{
  words_may_be_unaligned = true;
  everything_is_right ();
}
END_TEST

#endif

START_TEST (as_it_is) { everything_is_right (); }
END_TEST

int
main (void)
{
  const TTest *const tests[] = {
#ifdef LONG_BYTES
    with_nothing_but_the_baseline,
    with_string_instructions,
    with_wide_registers,
    processor_is_asked_rightly,
#elif defined UNALIGNED_IS_TESTED
    with_unaligned_words,
#endif
    as_it_is,
  };
  return unit_run ("freestanding", tests, sizeof tests / sizeof tests[0]);
}
