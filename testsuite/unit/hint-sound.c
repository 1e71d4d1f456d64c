/* Unit tests of libheaphint's validity checks: each structure of the pools is
   damaged in one place, and its check must detect it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cache.h"
#include "pool.h"
#include "seen-damage.h"
#include "slots.h"
#include "unit-main.h"

enum
{
  SIZE = 100,
  LARGE_CHUNKS = 3
};

static unsigned pool; /* cold, group 0 */
static void *block;   /* of SIZE bytes */
static uint32_t run;  /* its run */
static uint32_t free_run;
static struct hint_magazine *magazine; /* not empty, of blocks of SIZE bytes */

static uint32_t
run_of_large (const void *data)
{
  ck_assert_ptr_nonnull (data);
  return hint_chunk_of (data);
}

/* A run of slots, a free run between two large blocks, and slots in the
   thread's cache.  */

static void
begin (void)
{
  void *large[3];
  ck_assert (hint_pool_start ());
  pool = hint_pool (0, HINT_COLD);
  for (unsigned i = 0; i < 3; i++)
    large[i]
      = hint_pool_backend.allocate (pool, LARGE_CHUNKS << HINT_CHUNK_SHIFT,
				    HINT_ALIGNMENT, false);
  block = hint_pool_backend.allocate (pool, SIZE, HINT_ALIGNMENT, false);
  ck_assert_ptr_nonnull (block);
  run = hint_chunks[hint_chunk_of (block)].first;
  free_run = run_of_large (large[1]);
  hint_pool_release (large[1]);
  magazine
    = hint_magazine_at (hint_own_cache,
			hint_magazine_place (pool, hint_class_of (SIZE)));
  ck_assert_int_gt (magazine->top - magazine->bottom, 1);
}

static bool
all_are_valid (void)
{
  return hint_area_is_valid () && hint_slots_are_valid ()
	 && hint_cache_is_valid ();
}

#define SEES(is_valid, word, damage)                                           \
  SEEN_DAMAGE (is_valid, all_are_valid (), word, damage)

START_TEST (sound_structures_pass)
{
  begin ();
  ck_assert (all_are_valid ());
  /* So do those after many changes.  */
  static void *blocks[4000];
  for (unsigned i = 0; i < 40000; i++)
    {
      void **const at = &blocks[i * 7919u % 4000];
      if (*at != NULL)
	hint_pool_release (*at);
      *at = hint_pool_backend.allocate (hint_pool (i % 3, HINT_COLD),
					i * 31u % (i % 50 == 0 ? 400000 : 2000),
					HINT_ALIGNMENT, false);
      if (i % 1000 == 0)
	ck_assert (all_are_valid ());
    }
  ck_assert (all_are_valid ());
}
END_TEST

START_TEST (runs)
{
  begin ();
  struct hint_chunk *const free_chunk = &hint_chunks[free_run];
  ck_assert_uint_eq (free_chunk->state, HINT_CHUNK_FREE);
  SEES (hint_area_is_valid (), hint_chunks[run].run_chunks, 1);
  SEES (hint_area_is_valid (), hint_chunks[run].state,
	HINT_CHUNK_UNKNOWN - HINT_CHUNK_SLOTS);
  SEES (hint_area_is_valid (), free_chunk->run_chunks, -1);
  SEES (hint_area_is_valid (), hint_accessible[HINT_AREA_COLD], -64);
}
END_TEST

START_TEST (free_runs)
{
  begin ();
  struct hint_chunk *const free_chunk = &hint_chunks[free_run];
  SEES (hint_area_is_valid (), free_chunk->kept, 1);
  SEES (hint_area_is_valid (), free_chunk[1].keeps_pages, -1);
  SEES (hint_area_is_valid (), free_chunk->kept_first, 1);
  SEES (hint_area_is_valid (), free_chunk->kept_end, 1);
  SEES (hint_area_is_valid (), free_chunk[LARGE_CHUNKS - 1].first, 1);
  SEES (hint_area_is_valid (), free_chunk->previous, run - HINT_NO_CHUNK);
  /* A large block that is free, as after two releases of it.  */
  SEES (hint_area_is_valid (), free_chunk->state,
	HINT_CHUNK_LARGE - HINT_CHUNK_FREE);
}
END_TEST

START_TEST (slots)
{
  begin ();
  struct hint_chunk *const chunk = &hint_chunks[run];
  SEES (hint_slots_are_valid (), chunk->taken[0], -1);
  SEES (hint_slots_are_valid (), chunk->taken_count, 1);
  SEES (hint_slots_are_valid (), chunk->lowest_word, 1);
  SEES (hint_slots_are_valid (), chunk->slot_bytes, 16);
  SEES (hint_slots_are_valid (), chunk->pool, HINT_KINDS);
  SEES (hint_slots_are_valid (), chunk->previous, 1);
  SEES (hint_slots_are_valid (), chunk->next, run + 1 - chunk->next);
}
END_TEST

START_TEST (tags)
{
  begin ();
  SEES (hint_slots_are_valid (), hint_tags[run].place, 1);
  SEES (hint_slots_are_valid (), hint_tags[run].slot_bytes, 16);
  SEES (hint_slots_are_valid (), hint_tags[run].inverse, 1);
}
END_TEST

START_TEST (magazines)
{
  begin ();
  SEES (hint_cache_is_valid (), magazine->top,
	magazine->end + 1 - magazine->top);
  SEES (hint_cache_is_valid (), magazine->bottom, 1);
  SEES (hint_cache_is_valid (), magazine->end, -1);
  SEES (hint_cache_is_valid (), magazine->level, 1);
  SEES (hint_cache_is_valid (), *(char **) &magazine->bottom[0], 8);
  /* A slot of another size, and one outside of the pools.  */
  char *const other
    = hint_pool_backend.allocate (pool, 10 * SIZE, HINT_ALIGNMENT, false);
  SEES (hint_cache_is_valid (), *(char **) &magazine->bottom[0],
	other - (char *) magazine->bottom[0]);
  SEES (hint_cache_is_valid (), magazine->bottom[1],
	(char *) &pool - (char *) magazine->bottom[1]);
  /* A slot that is free.  */
  const uint32_t slot
    = hint_slot_bit (&hint_chunks[run],
		     hint_slot_at (&hint_chunks[run],
				   (size_t) ((char *) magazine->bottom[0]
					     - hint_chunk_start (run))));
  SEES (hint_cache_is_valid (), hint_chunks[run].taken[slot / 64],
	-((uint64_t) 1 << slot % 64));
  SEES (hint_cache_is_valid (), hint_own_cache->none.end, 1);
}
END_TEST

UNIT_MAIN ("libheaphint", sound_structures_pass, runs, free_runs, slots, tags,
	   magazines)
