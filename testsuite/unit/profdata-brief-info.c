/* Unit tests of the short form of MIBs: what has one is the same afterwards.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-profile-fill.h"
#include "info-table.h"
#include "unit-main.h"
#include <string.h>

#define WORDS (sizeof (struct memory_info) / sizeof (uint64_t))

/* A MIB of many programs: ten blocks of one size.  */
static const struct memory_info usual
  = { .alloc_count = 10,
      .size_bytes = { 240, 24, 24 },
      .lifetime_ns = { 3600000000000, 39569077, 7200000000000 },
      .lifetime_access_density = { 6016, 182, 756 },
      .access_count = { 80, 8, 8 },
      .access_density = { 300, 30, 30 },
      .utilization_percent = { 1000, 100, 100 },
      .first_alloc_ns = 62747552,
      .last_alloc_ns = 7300000000000,
      .first_dealloc_ns = 232472893,
      .last_dealloc_ns = 7400000000000,
      .alloc_cpu = 191,
      .dealloc_cpu = 3,
      .migrated_cpu = 1,
      .lifetime_overlaps = 2,
      .same_alloc_cpu = 9,
      .same_dealloc_cpu = 8,
      .data_type_id = UINT64_MAX,
      .live_count = 1,
      .live_bytes = 24,
      .peak_count = 3,
      .peak_bytes = 72,
      .temporary_count = 4,
      .lifetime_bytes = 760117840000,
      .first_alloc_bytes = 47284225 };

/* The same if accesses are not counted.  */
static struct memory_info
uncounted (void)
{
  struct memory_info info = usual;
  memory_info_forget_accesses (&info);
  return info;
}

static void
set_word (struct memory_info *info, size_t word, uint64_t value)
{
  memcpy ((char *) info + word * sizeof value, &value, sizeof value);
}

/* Check that INFO, if it has a short form, is the same afterwards.  Return
   whether it has one.  */
static bool
is_kept (const struct memory_info *info)
{
  struct brief_info brief;
  struct memory_info back;
  memset (&back, 0x5a, sizeof back);
  memset (&brief, 0xa5, sizeof brief);
  if (!brief_info_make (&brief, info))
    return false;
  brief_info_read (&brief, &back);
  ck_assert_mem_eq (&back, info, sizeof back);
  return true;
}

START_TEST (usual_ones_are_short)
{
  const struct memory_info other = uncounted ();
  ck_assert (is_kept (&usual));
  ck_assert (is_kept (&other));
  ck_assert_uint_le (sizeof (struct brief_info), 160);
}
END_TEST

START_TEST (none_without_blocks)
{
  const struct memory_info none = { 0 };
  const struct memory_info unfinished = { .unfinished_count = 1 };
  struct memory_info lost = usual;
  lost.lost_count = 1;
  ck_assert (!is_kept (&none));
  ck_assert (!is_kept (&unfinished));
  ck_assert (!is_kept (&lost));
}
END_TEST

/* Every word in turn, with values around all limits: at 0 and 1 each word but
   that of blocks fits, at 2^64 - 1 only the type.  */
START_TEST (each_number)
{
  size_t fit_small = 0;
  size_t fit_greatest = 0;
  for (size_t word = 0; word < WORDS; word++)
    for (unsigned int bits = 0; bits <= 64; bits++)
      for (int more = -1; more <= 1; more++)
	{
	  const uint64_t value
	    = (bits < 64 ? UINT64_C (1) << bits : 0) + (uint64_t) more;
	  struct memory_info info = usual;
	  set_word (&info, word, value);
	  const bool fits = is_kept (&info);
	  fit_small += fits && bits == 0 && more == -1;
	  fit_greatest += fits && value == UINT64_MAX;
	  info = uncounted ();
	  set_word (&info, word, value);
	  is_kept (&info);
	}
  ck_assert_uint_eq (fit_small, WORDS - 1);
  /* The type, by each of the two ways to make this value.  */
  ck_assert_uint_eq (fit_greatest, 1);
}
END_TEST

START_TEST (random_numbers)
{
  unsigned int kept = 0;
  srandom (1);
  for (int i = 0; i < 100000; i++)
    {
      struct memory_info info = i % 2 ? usual : (struct memory_info){ 0 };
      const int changes = 1 + (int) (random () % 40);
      for (int j = 0; j < changes; j++)
	set_word (&info, (size_t) random () % WORDS,
		  (uint64_t) random () >> random () % 31);
      kept += is_kept (&info);
    }
  ck_assert_uint_gt (kept, 100);
}
END_TEST

/* Single numbers and the short view are those of the whole.  */
START_TEST (parts)
{
  static const size_t offsets[]
    = { offsetof (struct memory_info, peak_count),
	offsetof (struct memory_info, peak_bytes),
	offsetof (struct memory_info, temporary_count),
	offsetof (struct memory_info, lifetime_bytes),
	offsetof (struct memory_info, first_alloc_bytes),
	offsetof (struct memory_info, size_bytes.max),
	offsetof (struct memory_info, lost_count) };
  struct brief_info brief;
  struct memory_info view;
  ck_assert (brief_info_make (&brief, &usual));
  for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++)
    ck_assert_uint_eq (brief_info_number (&brief,
					  brief_info_field (offsets[i])),
		       *(const uint64_t *) ((const char *) &usual
					    + offsets[i]));
  for (int i = 0; i < 2; i++)
    {
      const struct memory_info whole = i == 0 ? usual : uncounted ();
      static const unsigned int tags[]
	= { MEMORY_INFO_ALLOC_COUNT, MEMORY_INFO_TOTAL_SIZE,
	    MEMORY_INFO_TOTAL_LIFETIME,
	    MEMORY_INFO_TOTAL_LIFETIME_ACCESS_DENSITY };
      memset (&view, 0x5a, sizeof view);
      ck_assert (brief_info_make (&brief, &whole));
      brief_info_read_short (&brief, &view);
      for (size_t j = 0; j < sizeof tags / sizeof *tags; j++)
	ck_assert_uint_eq (memory_info_get (&view, tags[j]),
			   memory_info_get (&whole, tags[j]));
    }
}
END_TEST

/* MIBs of a table change, and grow when they must.  */
START_TEST (table)
{
  struct info_table infos;
  struct memory_info great = usual;
  struct memory_info room;
  great.alloc_count = 65536;
  info_table_init (&infos);
  ck_assert (!info_table_has_any (&infos));
  uint32_t small = info_table_add (&infos, &usual);
  uint32_t large = info_table_add (&infos, &great);
  ck_assert (info_table_has_any (&infos));
  ck_assert (info_place_is_brief (info_table_place (&infos, small)));
  ck_assert (!info_place_is_brief (info_table_place (&infos, large)));
  ck_assert (!info_place_is_known (info_table_place (&infos, 0)));
  const struct info_place before = info_table_place (&infos, large);
  ck_assert (info_table_set (&infos, &large, &usual));
  ck_assert_uint_eq (info_table_place (&infos, large).address, before.address);
  info_table_set_type (&infos, small, 77);
  info_table_set_type (&infos, large, 77);
  ck_assert_uint_eq (info_place_read (info_table_place (&infos, small), &room)
		       ->data_type_id,
		     77);
  ck_assert_mem_eq (info_place_read (info_table_place (&infos, small), &room),
		    info_place_long (info_table_place (&infos, large)),
		    sizeof room);
  const uint32_t old = small;
  ck_assert (info_table_set (&infos, &small, &usual));
  ck_assert_uint_eq (small, old);
  ck_assert (info_table_set (&infos, &small, &great));
  ck_assert_uint_ne (small, old);
  ck_assert_mem_eq (info_place_read (info_table_place (&infos, small), &room),
		    &great, sizeof great);
  info_table_free (&infos);
}
END_TEST

/* Return a profile with one context whose MIB is INFO, short if IS_BRIEF.  */
static struct heap_profile *
profile_of (const struct memory_info *info, bool is_brief)
{
  struct heap_profile *profile = heap_profile_new ();
  const struct heap_frame frame = { .function_guid = 1 };
  const uint32_t context
    = heap_profile_add_context (profile, 0,
				heap_profile_add_frame (profile, &frame));
  ck_assert_uint_eq (context, 1);
  if (is_brief)
    {
      struct info_table infos;
      info_table_init (&infos);
      *heap_profile_info_number (profile, context)
	= info_table_add (&infos, info);
      heap_profile_adopt_infos (profile, &infos);
    }
  else
    ck_assert (heap_profile_add_info (profile, context, info));
  ck_assert_int_eq (info_place_is_brief (heap_profile_info_place (profile,
								  context)),
		    is_brief);
  ck_assert (!info_place_is_known (heap_profile_info_place (profile, 0)));
  return profile;
}

/* Merging does not depend on the forms, and the sum need not fit.  */
START_TEST (merging)
{
  for (unsigned int forms = 0; forms < 4; forms++)
    {
      struct memory_info sum = usual;
      struct memory_info room;
      struct heap_profile *one = profile_of (&usual, forms & 1);
      struct heap_profile *other = profile_of (&usual, forms & 2);
      ck_assert (heap_profile_merge (one, other));
      memory_info_add (&sum, &usual);
      ck_assert_mem_eq (info_place_read (heap_profile_info_place (one, 1),
					 &room),
			&sum, sizeof sum);
      struct memory_info great = usual;
      great.size_bytes.max = UINT64_MAX;
      ck_assert (heap_profile_add_info (one, 1, &great));
      memory_info_add (&sum, &great);
      ck_assert (!info_place_is_brief (heap_profile_info_place (one, 1)));
      ck_assert_mem_eq (heap_profile_info (one, 1), &sum, sizeof sum);
      heap_profile_free (one);
      heap_profile_free (other);
    }
}
END_TEST

UNIT_MAIN ("profdata-brief-info", usual_ones_are_short, none_without_blocks,
	   each_number, random_numbers, parts, table, merging)
