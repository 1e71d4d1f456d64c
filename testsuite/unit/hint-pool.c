/* Unit tests of libheaphint's pools: sizes of slots, runs of chunks, blocks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cache.h"
#include "pool.h"
#include "slot-class.h"
#include "slots.h"
#include "unit-main.h"
#include <string.h>

static unsigned
next_random (unsigned *state)
{
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

START_TEST (classes_cover_all_sizes)
{
  size_t previous = 0;
  for (unsigned i = 0; i < HINT_CLASS_COUNT; i++)
    {
      const size_t bytes = hint_class_bytes (i);
      ck_assert_uint_eq (bytes % 16, 0);
      ck_assert_uint_eq (hint_class_of (bytes), i);
      ck_assert_uint_eq (hint_class_of (previous + 1), i);
      if (previous >= 256)
	ck_assert_uint_le ((bytes - previous) * 16, previous);
      previous = bytes;
    }
  ck_assert_uint_eq (previous, HINT_CLASS_MAX_BYTES);
}
END_TEST

START_TEST (classes_keep_alignment)
{
  for (size_t alignment = 16; alignment <= 65536; alignment *= 2)
    for (size_t bytes = alignment; bytes <= HINT_CLASS_MAX_BYTES;
	 bytes += alignment)
      ck_assert_uint_eq (hint_class_bytes (hint_class_of (bytes)) % alignment,
			 0);
}
END_TEST

/* Return true if all BYTES bytes of DATA are BYTE.  */

static bool
is_all (const void *data, size_t bytes, unsigned char byte)
{
  const unsigned char *const at = data;
  for (size_t i = 0; i < bytes; i++)
    if (at[i] != byte)
      return false;
  return true;
}

/* Runs taken and given back at random never overlap.  When all are given back,
   they are joined: one run can take all of their space.  */

START_TEST (runs_join_again)
{
  enum
  {
    RUNS = 300,
    STEPS = 10000,
    CHUNKS = 200000
  };
  static bool used[CHUNKS];
  struct
  {
    uint32_t first, chunks;
  } runs[RUNS] = { 0 };
  unsigned state = 5;
  uint32_t end = 0;
  ck_assert (hint_area_start (true));
  for (unsigned step = 0; step < STEPS; step++)
    {
      const unsigned i = next_random (&state) % RUNS;
      if (runs[i].chunks != 0)
	{
	  memset (used + runs[i].first, false, runs[i].chunks);
	  hint_run_give (runs[i].first, runs[i].chunks);
	  runs[i].chunks = 0;
	  continue;
	}
      const uint32_t chunks = 1 + next_random (&state) % 70;
      const uint32_t alignment = 1u << next_random (&state) % 5;
      const uint32_t first
	= hint_run_take (HINT_COLD, chunks, alignment, HINT_CHUNK_LARGE, false);
      ck_assert_uint_lt (first, CHUNKS - chunks);
      ck_assert_uint_eq ((uintptr_t) hint_chunk_start (first)
			   % (alignment * HINT_CHUNK_BYTES),
			 0);
      ck_assert (is_all (used + first, chunks, false));
      memset (used + first, true, chunks);
      runs[i].first = first;
      runs[i].chunks = chunks;
      end = first + chunks > end ? first + chunks : end;
    }
  for (unsigned i = 0; i < RUNS; i++)
    if (runs[i].chunks != 0)
      hint_run_give (runs[i].first, runs[i].chunks);
  ck_assert_uint_eq (hint_run_take (HINT_COLD, end, 1, HINT_CHUNK_LARGE, false),
		     0);
  ck_assert_uint_ge (hint_run_take (HINT_COLD, 1, 1, HINT_CHUNK_LARGE, false),
		     end);
}
END_TEST

/* Free chunks keep their pages until others are needed, of either kind, so that
   both together do not need more than they ever had in use.  */

START_TEST (pages_are_kept_and_returned)
{
  enum
  {
    CHUNKS = 40
  };
  const size_t bytes = CHUNKS * HINT_CHUNK_BYTES;
  ck_assert (hint_area_start (true));
  const uint32_t hot
    = hint_run_take (HINT_HOT, CHUNKS, 1, HINT_CHUNK_LARGE, false);
  memset (hint_chunk_start (hot), 0x77, bytes);
  hint_run_give (hot, CHUNKS);
  ck_assert (is_all (hint_chunk_start (hot), bytes, 0x77));
  hint_run_take (HINT_COLD, CHUNKS / 4, 1, HINT_CHUNK_LARGE, false);
  const size_t left = bytes - bytes / 4;
  ck_assert (is_all (hint_chunk_start (hot), left, 0x77));
  ck_assert (is_all (hint_chunk_start (hot) + left, bytes / 4, 0));
  /* A run with pages comes first.  */
  ck_assert_uint_eq (hint_run_take (HINT_HOT, 1, 1, HINT_CHUNK_LARGE, false),
		     hot);
  hint_run_take (HINT_COLD, CHUNKS, 1, HINT_CHUNK_LARGE, false);
  ck_assert (is_all (hint_chunk_start (hot), HINT_CHUNK_BYTES, 0x77));
  ck_assert (is_all (hint_chunk_start (hot + 1), bytes - HINT_CHUNK_BYTES, 0));
}
END_TEST

/* Slots that a thread has at hand and does not need go back when other sizes of
   any pool need memory, but not while little is in use.  */

START_TEST (unneeded_slots_go_back)
{
  enum
  {
    BLOCKS = 900
  };
  static void *blocks[BLOCKS];
  ck_assert (hint_pool_start ());
  for (unsigned i = 0; i < BLOCKS; i++)
    blocks[i] = hint_pool_backend.allocate (HINT_HOT, 40, 1, false);
  for (unsigned i = 0; i < BLOCKS; i++)
    hint_pool_release (blocks[i]);
  const struct hint_chunk *const run = &hint_chunks[hint_chunk_of (blocks[0])];
  ck_assert (run->state == HINT_CHUNK_SLOTS && run->taken_count > 100);
  for (unsigned i = 0; i < 500; i++)
    hint_pool_backend.allocate (HINT_COLD, 3000, 1, false);
  ck_assert_int_eq (run->state, HINT_CHUNK_SLOTS);
  hint_run_take (HINT_COLD, 64, 1, HINT_CHUNK_LARGE, false);
  for (unsigned i = 0; i < 1000 && run->state == HINT_CHUNK_SLOTS; i++)
    hint_pool_backend.allocate (HINT_COLD, 3000, 1, false);
  ck_assert_int_eq (run->state, HINT_CHUNK_FREE);
}
END_TEST

/* A run whose pages were moved keeps none.  */

START_TEST (moved_pages_are_not_kept)
{
  enum
  {
    CHUNKS = 40
  };
  const size_t bytes = CHUNKS * HINT_CHUNK_BYTES;
  ck_assert (hint_pool_start ());
  char *const data = hint_pool_backend.allocate (HINT_COLD, bytes, 1, false);
  memset (data, 0x77, bytes);
  hint_pool_backend.allocate (HINT_COLD, bytes, 1, false);
  const uint32_t run = hint_chunk_of (data);
  char *const grown = hint_pool_resize (data, 2 * bytes);
  ck_assert_ptr_ne (grown, data);
  ck_assert (is_all (grown, bytes, 0x77));
  ck_assert_int_eq (hint_chunks[run].state, HINT_CHUNK_FREE);
  /* Linux before 5.7 cannot move them.  */
  const bool are_moved = is_all (data, bytes, 0);
  ck_assert_uint_eq (hint_chunks[run].kept, are_moved ? 0 : CHUNKS);
  for (unsigned i = 0; i < CHUNKS; i++)
    ck_assert (hint_chunks[run + i].keeps_pages == !are_moved);
}
END_TEST

/* Runs of slots that threads do not cache are as long as they have to be.  */

START_TEST (long_runs_have_enough_slots)
{
  ck_assert (hint_pool_start ());
  for (size_t size = HINT_CACHED_BYTES + 1; size <= HINT_CLASS_MAX_BYTES;
       size += size / 9)
    {
      void *const block
	= hint_pool_backend.allocate (HINT_COLD, size, 1, false);
      const struct hint_chunk *const run
	= &hint_chunks[hint_chunks[hint_chunk_of (block)].first];
      ck_assert_uint_ge (run->slot_count, 16);
      ck_assert_uint_lt ((run->run_chunks - 1) * HINT_CHUNK_BYTES,
			 (size_t) 16 * run->slot_bytes);
    }
}
END_TEST

static int
compare_addresses (const void *a, const void *b)
{
  const uintptr_t one = (uintptr_t) * (void *const *) a;
  const uintptr_t other = (uintptr_t) * (void *const *) b;
  return (one > other) - (one < other);
}

/* Sort the COUNT blocks by ORDER: by address, or the reverse, in groups of
   neighbours, or at random.  */

static void
put_in_order (void **blocks, unsigned count, unsigned order, unsigned *state)
{
  qsort (blocks, count, sizeof *blocks, compare_addresses);
  for (unsigned i = 0; i < count; i++)
    {
      const unsigned other = order == 0	  ? i
			     : order == 1 ? count - 1 - i
			     : order == 2 ? i ^ 7
					  : next_random (state) % count;
      if (other > count - 1 || (order < 3 && other < i))
	continue;
      void *const block = blocks[i];
      blocks[i] = blocks[other];
      blocks[other] = block;
    }
}

/* Take COUNT slots of SLOT_CLASS in pieces, and check that they are
   different.  */

static void
take_slots (void **blocks, unsigned count, unsigned slot_class, unsigned *state)
{
  static void *sorted[4096];
  for (unsigned taken = 0; taken < count;)
    {
      const unsigned most = 1 + next_random (state) % 500;
      const unsigned got
	= hint_slots_take (HINT_HOT, slot_class, blocks + taken,
			   most < count - taken ? most : count - taken);
      ck_assert_uint_gt (got, 0);
      taken += got;
    }
  memcpy (sorted, blocks, count * sizeof *blocks);
  qsort (sorted, count, sizeof *sorted, compare_addresses);
  bool are_apart = true;
  for (unsigned i = 1; i < count; i++)
    are_apart &= (char *) sorted[i] - (char *) sorted[i - 1]
		 >= (ptrdiff_t) hint_class_bytes (slot_class);
  ck_assert (are_apart);
}

/* True if the bits of RUN's slots agree with their number, and there are none
   for other slots.  */

static bool
bits_agree (uint32_t run)
{
  const struct hint_chunk *const chunk = &hint_chunks[run];
  const unsigned words = (chunk->slot_count + 63) / 64;
  unsigned taken = 0;
  for (unsigned i = 0; i < words; i++)
    taken += (unsigned) __builtin_popcountll (chunk->taken[i]);
  return taken - (words * 64 - chunk->slot_count) == chunk->taken_count
	 && (chunk->slot_count % 64 == 0
	     || chunk->taken[words - 1] >> chunk->slot_count % 64
		  == UINT64_MAX >> chunk->slot_count % 64);
}

/* Neighbours are taken and given together.  There is most to get wrong in a
   size's first run, whose first slot is not at its start.  */

START_TEST (slots_go_back_in_any_order)
{
  enum
  {
    SLOTS = 4096
  };
  static void *blocks[SLOTS];
  unsigned state = 5;
  ck_assert (hint_pool_start ());
  for (size_t size = 16; size <= HINT_CACHED_BYTES;
       size += size / 3 / 16 * 16 + 16)
    for (unsigned order = 0; order < 4; order++)
      {
	const unsigned slot_class = hint_class_of (size);
	const unsigned count = SLOTS - next_random (&state) % 3000;
	/* The first run, which its second slot keeps in use, is between
	   others.  */
	const uint32_t before
	  = hint_run_take (HINT_HOT, 1, 1, HINT_CHUNK_LARGE, false);
	void *two[2];
	ck_assert_uint_eq (hint_slots_take (HINT_HOT, slot_class, two, 2), 2);
	const uint32_t run = hint_chunks[hint_chunk_of (two[0])].first;
	ck_assert_uint_eq (run, before + 1);
	hint_slots_give (HINT_HOT, slot_class, two + 1, 1);
	hint_run_give (before, 1);
	take_slots (blocks, count, slot_class, &state);
	put_in_order (blocks, count, order, &state);
	/* Half of them, and others in their places.  */
	hint_slots_give (HINT_HOT, slot_class, blocks, count / 2);
	take_slots (blocks, count / 2, slot_class, &state);
	put_in_order (blocks, count, order, &state);
	for (unsigned given = 0; given < count;)
	  {
	    const unsigned most = 1 + next_random (&state) % 500;
	    const unsigned now = most < count - given ? most : count - given;
	    hint_slots_give (HINT_HOT, slot_class, blocks + given, now);
	    given += now;
	  }
	ck_assert_uint_eq (hint_chunks[run].taken_count, 1);
	ck_assert (bits_agree (run));
	hint_slots_give (HINT_HOT, slot_class, two, 1);
	ck_assert_int_ne (hint_chunks[run].state, HINT_CHUNK_SLOTS);
      }
}
END_TEST

START_TEST (kinds_are_apart)
{
  ck_assert (!hint_pool_has (&hint_range_start));
  ck_assert (hint_pool_start ());
  for (size_t size = 0; size < 1000000; size = size * 2 + 1)
    {
      char *const cold
	= hint_pool_backend.allocate (HINT_COLD, size, 16, false);
      char *const hot = hint_pool_backend.allocate (HINT_HOT, size, 16, false);
      ck_assert (hint_pool_has (cold));
      ck_assert_int_eq (hint_chunk_kind (hint_chunk_of (cold)), HINT_COLD);
      ck_assert_uint_ge (hint_pool_usable_bytes (cold), size);
      ck_assert ((hot != NULL) == (size <= HINT_HOT_BYTES_MOST - 15));
      ck_assert (hot == NULL
		 || (hint_pool_has (hot)
		     && hint_chunk_kind (hint_chunk_of (hot)) == HINT_HOT));
    }
  ck_assert (!hint_pool_has (&hint_range_start));
  ck_assert (!hint_pool_has (NULL));
  ck_assert (!hint_pool_has ((void *) UINTPTR_MAX));
}
END_TEST

/* Hot blocks above the border are malloc's; they cross it in both directions,
   and keep what they contain.  */

START_TEST (large_hot_blocks_are_plain)
{
  enum
  {
    MOST = HINT_HOT_BYTES_MOST
  };
  const struct hint_backend *const pools = &hint_pool_backend;
  ck_assert (hint_pool_start ());
  ck_assert_ptr_null (pools->allocate (HINT_HOT, MOST + 1, 1, false));
  ck_assert_ptr_null (pools->allocate (HINT_HOT, 10, 4096, false));
  char *const block = pools->allocate (HINT_HOT, MOST, 1, false);
  memset (block, 0x55, MOST);
  ck_assert (hint_pool_has (block));
  /* The slot has one byte more.  */
  ck_assert_ptr_eq (pools->reallocate (HINT_HOT, block, MOST + 1), block);
  ck_assert_ptr_null (pools->reallocate (HINT_HOT, block, MOST + 2));
  char *const plain = hint_pool_resize (block, 3 * MOST);
  ck_assert (!hint_pool_has (plain) && is_all (plain, MOST, 0x55));
  ck_assert_ptr_null (pools->reallocate (HINT_HOT, plain, MOST + 1));
  char *const back = pools->reallocate (HINT_HOT, plain, MOST);
  ck_assert (hint_pool_has (back) && is_all (back, MOST, 0x55));
  char *const grown = hint_pool_grow (HINT_HOT, back, 2 * MOST);
  ck_assert (!hint_pool_has (grown) && is_all (grown, MOST, 0x55));
  char *const cold = pools->reallocate (HINT_COLD, grown, 2 * MOST);
  ck_assert (hint_pool_has (cold) && is_all (cold, MOST, 0x55));
  char *const hot = hint_pool_grow (HINT_HOT, cold, 4 * MOST);
  ck_assert (!hint_pool_has (hot) && is_all (hot, MOST, 0x55));
  free (hot);
}
END_TEST

/* Blocks of each group share chunks only with each other, whatever was released
   before, and reallocation moves them.  */

START_TEST (groups_are_apart)
{
  static const unsigned groups[] = { 0, 1, 5, HEAPPROF_HINT_GROUPS - 1 };
  enum
  {
    N = sizeof groups / sizeof *groups,
    BLOCKS = 500
  };
  static void *blocks[N][BLOCKS];
  ck_assert (hint_pool_start ());
  for (unsigned round = 0; round < 3; round++)
    {
      for (unsigned i = 0; i < BLOCKS; i++)
	for (unsigned group = 0; group < N; group++)
	  blocks[group][i]
	    = hint_pool_backend.allocate (hint_pool (groups[group], HINT_HOT),
					  48, 16, false);
      for (unsigned group = 0; group < N; group++)
	for (unsigned i = 0; i < BLOCKS; i++)
	  {
	    const unsigned pool = hint_pool (groups[group], HINT_HOT);
	    void *const block = blocks[group][i];
	    ck_assert_uint_eq (hint_chunks[hint_chunk_of (block)].pool, pool);
	    ck_assert_ptr_eq (hint_pool_backend.reallocate (pool, block, 45),
			      block);
	    ck_assert_ptr_eq (hint_pool_resize (block, 40), block);
	    void *const moved
	      = hint_pool_backend.reallocate (hint_pool (groups[group],
							 HINT_COLD),
					      block, 45);
	    ck_assert_uint_eq (hint_chunks[hint_chunk_of (moved)].pool,
			       hint_pool (groups[group], HINT_COLD));
	    hint_pool_release (moved);
	  }
    }
}
END_TEST

/* A release checks the start of each block that can be in a thread's cache.  */

START_TEST (tags_know_the_slots)
{
  ck_assert (hint_pool_start ());
  for (size_t size = 1; size <= HINT_CLASS_MAX_BYTES; size += size / 7 + 1)
    {
      char *const block = hint_pool_backend.allocate (hint_pool (1, HINT_COLD),
						      size, 16, false);
      const size_t bytes = hint_pool_usable_bytes (block);
      const uint32_t run = hint_chunks[hint_chunk_of (block)].first;
      size_t range;
      const size_t start = hint_range_offset (hint_chunk_start (run), &range);
      ck_assert_uint_eq (range,
			 2 * (size_t) hint_half_chunks * HINT_CHUNK_BYTES);
      const bool tagged = bytes <= HINT_CACHED_BYTES;
      ck_assert (tagged == (hint_tags[run].place != 0));
      /* Each assertion writes a message.  */
      bool is_right = true;
      /* All bytes of the first slots; of the others the first two and the last,
	 because runs of small slots are large.  */
      const size_t end = hint_chunks[run].slot_count * bytes;
      size_t at = 0;
      while (at < end)
	{
	  is_right &= hint_starts_slot (&hint_tags[run], start + at)
		      == (tagged && at % bytes == 0);
	  at += at > 4 * bytes && bytes > 3 && at % bytes == 1 ? bytes - 2 : 1;
	}
      ck_assert (is_right);
      hint_pool_release (block);
    }
}
END_TEST

/* Zeroed memory is all zeros even if it was dirty when released, and
   reallocation keeps the contents.  */

START_TEST (content_is_kept)
{
  ck_assert (hint_pool_start ());
  unsigned state = 9;
  for (unsigned i = 0; i < 2000; i++)
    {
      const size_t size
	= 1 + next_random (&state) % (i % 10 == 0 ? 300000 : 3000);
      const size_t other
	= 1 + next_random (&state) % (i % 9 == 0 ? 300000 : 3000);
      const unsigned pool
	= hint_pool_takes (HINT_HOT, size) ? HINT_HOT : HINT_COLD;
      void *data = hint_pool_backend.allocate (pool, size, 16, true);
      ck_assert (is_all (data, size, 0));
      memset (data, 0xee, hint_pool_usable_bytes (data));
      data = i % 2 == 0 ? hint_pool_resize (data, other)
			: hint_pool_backend.reallocate (HINT_COLD, data, other);
      ck_assert (is_all (data, size < other ? size : other, 0xee));
      memset (data, 0xdd, other);
      if (hint_pool_has (data))
	hint_pool_release (data);
      else
	free (data);
    }
}
END_TEST

UNIT_MAIN ("libheaphint", classes_cover_all_sizes, classes_keep_alignment,
	   runs_join_again, pages_are_kept_and_returned, unneeded_slots_go_back,
	   moved_pages_are_not_kept, long_runs_have_enough_slots,
	   slots_go_back_in_any_order, kinds_are_apart,
	   large_hot_blocks_are_plain, groups_are_apart, tags_know_the_slots,
	   content_is_kept)
