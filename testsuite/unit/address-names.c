/* Unit tests of the address-name lookup that several readers share.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "address-names.h"
#include "diagnostics.h"
#include <check.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT 1000
#define READERS 4

static struct address_names *names;
static struct diagnostics_lines lines;
static char own_path[PATH_MAX];

static void
set_up (void)
{
  names = address_names_new (NULL);
  ck_assert_ptr_nonnull (names);
  ck_assert_int_gt (readlink ("/proc/self/exe", own_path, sizeof own_path - 1),
		    0);
  diagnostics_hold (&lines);
}

static void
tear_down (void)
{
  diagnostics_hold (NULL);
  diagnostics_lines_free (&lines);
  address_names_free (names);
}

static uint32_t
module_at (const char *path)
{
  const struct module_identity identity
    = { .path = path, .build_id = (const uint8_t *) "" };
  return address_names_module (names, &identity);
}

/* Set LOCATIONS to COUNT descending addresses from START on, alternating
   between the modules SECOND and FIRST.  If START is own_code (), those in this
   program's module are in its code.  */
static void
fill (struct location *locations, uint32_t first, uint32_t second,
      uint64_t start)
{
  for (uint32_t i = 0; i < COUNT; i++)
    locations[i]
      = (struct location){ i, i % 2 == 0 ? first : second, start + COUNT - i };
}

static void
look_up (struct location *locations, const struct named_address **found)
{
  ck_assert (address_names_look_up (names, locations, COUNT, found));
}

/* Return an address of this program's code, relative to its image.  It equals
   the file offset unless the program is linked at an unusual address.  */
static uint64_t
own_code (void)
{
  extern const char __executable_start[];
  return (uint64_t) (uintptr_t) set_up
	 - (uint64_t) (uintptr_t) __executable_start;
}

START_TEST (each_is_found_in_ascending_order)
{
  static struct location locations[COUNT];
  const struct named_address *found[COUNT];
  uint32_t own = module_at (own_path);
  fill (locations, own, NO_MODULE, own_code ());
  look_up (locations, found);
  for (uint32_t i = 0; i < COUNT; i++)
    {
      if (i > 0 && locations[i].module == locations[i - 1].module)
	ck_assert (locations[i].address > locations[i - 1].address);
      ck_assert_uint_eq (locations[i].address,
			 own_code () + COUNT - locations[i].number);
      if (locations[i].module == NO_MODULE)
	ck_assert_ptr_null (found[i]);
      else
	ck_assert_uint_eq (found[i]->address, locations[i].address);
    }
  const struct symbolizer_frame *frame = &found[0]->frames[0];
  ck_assert_uint_eq (frame->function_bytes, strlen ("set_up"));
  ck_assert (memcmp (frame->function, "set_up", 6) == 0);
}
END_TEST

START_TEST (second_time_nothing_is_looked_up)
{
  static struct location locations[COUNT];
  const struct named_address *found[COUNT];
  const struct named_address *again[COUNT];
  fill (locations, module_at (own_path), module_at ("/absent/program"), 0);
  look_up (locations, found);
  fill (locations, module_at (own_path), module_at ("/absent/program"), 0);
  look_up (locations, again);
  ck_assert (memcmp (found, again, sizeof found) == 0);
}
END_TEST

START_TEST (absent_module_has_one_empty_frame)
{
  static struct location locations[COUNT];
  const struct named_address *found[COUNT];
  uint32_t absent = module_at ("/absent/program");
  fill (locations, absent, absent, 4096);
  look_up (locations, found);
  ck_assert_uint_eq (found[0]->count, 1);
  ck_assert_ptr_null (found[0]->frames[0].function);
  ck_assert_uint_eq (lines.count, 1);
  ck_assert_ptr_nonnull (strstr (lines.texts[0], "/absent/program: "));
}
END_TEST

struct reader
{
  pthread_t thread;
  uint32_t own;
  uint32_t absent;
  struct diagnostics_lines lines;
  const struct named_address *found[COUNT];
};

static void *
read_all (void *data)
{
  struct reader *reader = data;
  struct location *locations = calloc (COUNT, sizeof *locations);
  diagnostics_hold (&reader->lines);
  fill (locations, reader->own, reader->absent, 4096);
  look_up (locations, reader->found);
  diagnostics_hold (NULL);
  free (locations);
  return NULL;
}

START_TEST (readers_at_once_share_all)
{
  static struct reader readers[READERS];
  address_names_set_threads (names, READERS, 2);
  for (size_t i = 0; i < READERS; i++)
    {
      readers[i].own = module_at (own_path);
      readers[i].absent = module_at ("/absent/program");
      ck_assert_int_eq (pthread_create (&readers[i].thread, NULL, read_all,
					&readers[i]),
			0);
    }
  for (size_t i = 0; i < READERS; i++)
    {
      pthread_join (readers[i].thread, NULL);
      ck_assert (memcmp (readers[i].found, readers[0].found,
			 sizeof readers[0].found)
		 == 0);
      ck_assert_uint_ge (readers[i].lines.count, 1);
      diagnostics_lines_free (&readers[i].lines);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("address-names");
  TCase *shared = tcase_create ("shared");
  tcase_add_checked_fixture (shared, set_up, tear_down);
  tcase_add_test (shared, each_is_found_in_ascending_order);
  tcase_add_test (shared, second_time_nothing_is_looked_up);
  tcase_add_test (shared, absent_module_has_one_empty_frame);
  tcase_add_test (shared, readers_at_once_share_all);
  suite_add_tcase (suite, shared);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed != 0;
}
