/* Unit tests of deflating in pieces, and of work shared by threads.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "background.h"
#include "deflate-pieces.h"
#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Sizes around the size of a piece and its multiples, and others.  */
static const size_t sizes[]
  = { 0,	 1,	 1000, (256 << 10) - 1, 256 << 10, (256 << 10) + 1,
      512 << 10, 1500000 };

static uint8_t *
make_plain (size_t n)
{
  uint8_t *plain = malloc (n + 1);
  uint32_t state = 1;
  for (size_t i = 0; i < n; i++)
    {
      state = state * 1103515245 + 12345;
      plain[i] = i % 3 == 0 ? state >> 24 : i >> 12;
    }
  return plain;
}

static void
work (void *pieces)
{
  deflate_pieces_work (pieces);
}

static void *
help (void *shared)
{
  background_shared_help (shared);
  return NULL;
}

/* Deflate PLAIN, with HELPERS helper threads, into *STREAM.  */
static void
deflate_all (const uint8_t *plain, size_t n, unsigned int helpers,
	     struct byte_writer *stream)
{
  struct background_shared shared;
  pthread_t threads[4];
  size_t bytes;
  struct deflate_pieces *pieces = deflate_pieces_new (plain, n);
  background_shared_init (&shared);
  for (unsigned int i = 0; i < helpers; i++)
    pthread_create (&threads[i], NULL, help, &shared);
  background_shared_do (&shared, work, pieces);
  ck_assert (deflate_pieces_measure (pieces, &bytes));
  background_shared_end (&shared);
  for (unsigned int i = 0; i < helpers; i++)
    pthread_join (threads[i], NULL);
  background_shared_destroy (&shared);
  deflate_pieces_write (stream, pieces);
  ck_assert_uint_eq (stream->size, bytes);
  deflate_pieces_free (pieces);
}

START_TEST (any_number_of_threads)
{
  size_t n = sizes[_i];
  uint8_t *plain = make_plain (n);
  uint8_t *inflated = malloc (n + 1);
  struct byte_writer alone = { 0 };
  deflate_all (plain, n, 0, &alone);
  uLongf inflated_bytes = n + 1;
  ck_assert_int_eq (uncompress (inflated, &inflated_bytes, alone.data,
				alone.size),
		    Z_OK);
  ck_assert_uint_eq (inflated_bytes, n);
  ck_assert (memcmp (inflated, plain, n) == 0);
  for (unsigned int helpers = 1; helpers <= 4; helpers++)
    {
      struct byte_writer helped = { 0 };
      deflate_all (plain, n, helpers, &helped);
      ck_assert_uint_eq (helped.size, alone.size);
      ck_assert (memcmp (helped.data, alone.data, alone.size) == 0);
      byte_writer_free (&helped);
    }
  byte_writer_free (&alone);
  free (inflated);
  free (plain);
}
END_TEST

/* Data that fits in one piece is deflated to the same bytes as by zlib.  */
START_TEST (one_piece)
{
  uint8_t *plain = make_plain (100000);
  uint8_t expected[200000];
  uLongf expected_bytes = sizeof expected;
  struct byte_writer stream = { 0 };
  compress2 (expected, &expected_bytes, plain, 100000, Z_BEST_SPEED);
  deflate_all (plain, 100000, 1, &stream);
  ck_assert_uint_eq (stream.size, expected_bytes);
  ck_assert (memcmp (stream.data, expected, expected_bytes) == 0);
  byte_writer_free (&stream);
  free (plain);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("profdata-deflate");
  TCase *tests = tcase_create ("pieces");
  tcase_set_timeout (tests, 60);
  tcase_add_loop_test (tests, any_number_of_threads, 0,
		       sizeof sizes / sizeof *sizes);
  tcase_add_test (tests, one_piece);
  suite_add_tcase (suite, tests);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
