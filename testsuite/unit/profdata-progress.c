/* Unit tests of memory that is provided for records of large tables.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "raw-progress.h"
#include "unit-main.h"
#include <stdbool.h>
#include <sys/mman.h>

#define RECORD_BYTES 64
#define PAGE_BYTES 4096

/* Of which most are contiguous.  */
#define RECORDS 300000
#define FIRST_LARGE 16384
#define USUAL_LARGE (8 * 16384)

static struct record_table table;

/* Make the table one of COUNT numbered records, of which EXPECTED were
   announced.  */
static void
make_table (uint32_t count, uint32_t expected)
{
  record_table_init (&table, RECORD_BYTES);
  record_table_expect (&table, expected);
  bool is_right = true;
  for (uint32_t i = 0; i < count && is_right; i++)
    {
      uint32_t *record = record_table_add (&table);
      is_right = record != NULL && *record == 0;
      if (is_right)
	*record = i;
    }
  ck_assert (is_right);
}

/* Check all numbers, and that records are contiguous as the table says.  */
static void
check_table (void)
{
  bool is_right = true;
  uint32_t end = 0; /* of the contiguous records */
  for (uint32_t i = 0; i < table.count; i++)
    {
      const char *record = record_table_get (&table, i);
      is_right &= *(const uint32_t *) record == i;
      if (i < end)
	is_right
	  &= record == (char *) record_table_get (&table, i - 1) + RECORD_BYTES;
      else
	end = i + record_table_contiguous (&table, i);
      is_right &= end > i;
    }
  ck_assert (is_right);
}

START_TEST (records_are_contiguous)
{
  make_table (RECORDS, RECORDS);
  check_table ();
  ck_assert_uint_eq (record_table_contiguous (&table, FIRST_LARGE - 1), 1);
  ck_assert_uint_ge (record_table_contiguous (&table, FIRST_LARGE),
		     RECORDS - FIRST_LARGE - 16384);
  record_table_free (&table);
  /* More than were announced, and too late.  */
  make_table (RECORDS, 10);
  record_table_expect (&table, 2 * RECORDS);
  check_table ();
  ck_assert_uint_eq (record_table_contiguous (&table, FIRST_LARGE),
		     USUAL_LARGE);
  record_table_free (&table);
}
END_TEST

/* Return true if the page with record INDEX, which need not be there, has
   memory.  */
static bool
has_memory (uint32_t index)
{
  unsigned char state;
  char *page = (char *) record_table_get (&table, FIRST_LARGE)
	       + (size_t) (index - FIRST_LARGE) * RECORD_BYTES;
  page -= (uintptr_t) page % PAGE_BYTES;
  ck_assert_int_eq (mincore (page, 1, &state), 0);
  return (state & 1) != 0;
}

START_TEST (memory_is_provided)
{
  struct raw_progress progress = { 0 };
  make_table (FIRST_LARGE + 1, RECORDS);
  raw_progress_provide (&progress);
  ck_assert (!has_memory (200000));
  raw_progress_report (&progress, &table, 100000);
  raw_progress_provide (&progress);
  ck_assert (!has_memory (200000));
  /* Systems without MADV_POPULATE_WRITE provide nothing.  */
#ifdef MADV_POPULATE_WRITE
  void *page = mmap (NULL, PAGE_BYTES, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne (page, MAP_FAILED);
  ck_assert_int_eq (has_memory (80000),
		    madvise (page, PAGE_BYTES, MADV_POPULATE_WRITE) == 0);
  munmap (page, PAGE_BYTES);
#endif
  /* The content of records stays.  */
  check_table ();
  record_table_free (&table);
}
END_TEST

/* The table has no room that is known; more is expected than there is room.  */
START_TEST (no_memory_is_provided_elsewhere)
{
  struct raw_progress progress = { 0 };
  make_table (1000, 10);
  raw_progress_report (&progress, &table, UINT32_MAX);
  raw_progress_provide (&progress);
  record_table_free (&table);
  make_table (FIRST_LARGE + USUAL_LARGE - 10, 10);
  raw_progress_report (&progress, &table, UINT32_MAX);
  raw_progress_provide (&progress);
  check_table ();
  record_table_free (&table);
  make_table (FIRST_LARGE + 10, 10);
  raw_progress_report (&progress, &table, UINT32_MAX);
  raw_progress_provide (&progress);
  check_table ();
  record_table_free (&table);
}
END_TEST

UNIT_MAIN ("progress", records_are_contiguous, memory_is_provided,
	   no_memory_is_provided_elsewhere)
