/* Unit tests of the run-time library's allocator: size classes and blocks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "arena.h"
#include "rt-unit.h"
#include "size-class.h"
#include "thread.h"
#include <string.h>

START_TEST (classes_cover_all_sizes)
{
  size_t previous = 0;
  for (unsigned i = 0; i < RT_CLASS_COUNT; i++)
    {
      const size_t bytes = rt_class_bytes (i);
      ck_assert_uint_eq (bytes % 32, 0);
      ck_assert_uint_gt (bytes, previous);
      /* BYTES belong to this class, and so does the first size above the
	 previous class.  */
      ck_assert_uint_eq (rt_class_of (bytes), i);
      ck_assert_uint_eq (rt_class_of (previous + 1), i);
      /* From 1 kB on at most an eighth is wasted.  */
      if (previous >= 1024)
	ck_assert_uint_le ((bytes - previous) * 8, previous);
      previous = bytes;
    }
  ck_assert_uint_eq (previous, RT_CLASS_MAX_BYTES);
}
END_TEST

/* Return the first and the last granule of a block; a block of 0 bytes has
   one.  */

static uintptr_t
first_granule (const struct rt_block *block)
{
  return (uintptr_t) rt_block_data (block) >> 6;
}

static uintptr_t
last_granule (const struct rt_block *block)
{
  const size_t size = block->size > 0 ? block->size : 1;
  return ((uintptr_t) rt_block_data (block) + size - 1) >> 6;
}

START_TEST (blocks_share_no_granule)
{
  enum
  {
    BLOCKS = 3000
  };
  static struct rt_block *blocks[BLOCKS];
  struct rt_thread *const thread = rt_enter ();
  ck_assert_ptr_nonnull (thread);
  bool zeroed;
  for (size_t i = 0; i < BLOCKS; i++)
    {
      const size_t size = i * 7919 % 300;
      const size_t alignment = i % 5 == 0 ? (size_t) 32 << i % 4 : 16;
      blocks[i] = rt_arena_allocate (&thread->caches, size, alignment, &zeroed);
      ck_assert_ptr_nonnull (blocks[i]);
      ck_assert_uint_eq ((uintptr_t) rt_block_data (blocks[i]) % alignment, 0);
      rt_arena_publish (blocks[i]);
      memset (rt_block_data (blocks[i]), 0xff, size);
    }
  rt_leave ();
  for (size_t i = 0; i < BLOCKS; i++)
    for (size_t j = 0; j < i; j++)
      ck_assert (first_granule (blocks[i]) > last_granule (blocks[j])
		 || last_granule (blocks[i]) < first_granule (blocks[j]));
  for (size_t i = 0; i < BLOCKS; i++)
    {
      ck_assert_ptr_eq (rt_arena_find (rt_block_data (blocks[i])), blocks[i]);
      ck_assert_uint_eq (blocks[i]->size, i * 7919 % 300);
    }
}
END_TEST

/* Check that ADDRESS, unknown to the compiler, is no block's.  */

static void
check_foreign (const void *volatile address)
{
  ck_assert_ptr_null (rt_arena_find (address));
}

START_TEST (foreign_addresses_are_not_found)
{
  static char local[256] __attribute__ ((aligned (32)));
  struct rt_thread *const thread = rt_enter ();
  bool zeroed;
  struct rt_block *const block
    = rt_arena_allocate (&thread->caches, 500, 32, &zeroed);
  char *const data = rt_block_data (block);
  rt_arena_publish (block);
  ck_assert_ptr_eq (rt_arena_find (data), block);
  check_foreign (data + 1);
  check_foreign (data + 32);
  check_foreign (local + 64);
  check_foreign (&data);
  check_foreign (NULL);
  check_foreign ((void *) (uintptr_t) 0x12340);
  check_foreign ((void *) ~(uintptr_t) 31);
  /* A copy of a header is not recognized as a block.  */
  memcpy (local, block, sizeof *block);
  check_foreign (local + sizeof *block);
  memcpy (data + 64, block, sizeof *block);
  check_foreign (data + 96);
  rt_leave ();
}
END_TEST

struct sums
{
  size_t blocks, bytes;
};

static void
add_block (const struct rt_block *block, void *data)
{
  struct sums *const sums = data;
  /* Ignore allocations of the test framework, which are small.  */
  if (block->size < 100000)
    return;
  sums->blocks++;
  sums->bytes += block->size;
}

START_TEST (live_blocks_are_visited)
{
  struct rt_thread *const thread = rt_enter ();
  struct rt_block *blocks[20];
  struct sums sums = { 0, 0 }, before = { 0, 0 };
  bool zeroed;
  rt_arena_visit_live (add_block, &before);
  /* Blocks in slots and mappings, some aligned.  */
  for (size_t i = 0; i < 20; i++)
    {
      blocks[i] = rt_arena_allocate (&thread->caches, 100000 + i * 30000,
				     i % 3 == 0 ? 4096 : 32, &zeroed);
      rt_arena_publish (blocks[i]);
    }
  for (size_t i = 0; i < 20; i += 2)
    {
      rt_arena_retract (blocks[i]);
      rt_arena_release (&thread->caches, blocks[i]);
    }
  rt_arena_visit_live (add_block, &sums);
  ck_assert_uint_eq (sums.blocks - before.blocks, 10);
  ck_assert_uint_eq (sums.bytes - before.bytes, 10 * 100000 + 100 * 30000);
  rt_leave ();
}
END_TEST

START_TEST (resizing_keeps_content)
{
  struct rt_thread *const thread = rt_enter ();
  bool zeroed;
  struct rt_block *block
    = rt_arena_allocate (&thread->caches, 300000, 32, &zeroed);
  rt_arena_publish (block);
  memset (rt_block_data (block), 5, 300000);
  for (size_t size = 400000; size < 40000000; size = size * 3 / 2)
    {
      ck_assert (rt_arena_fits (block, size));
      block = rt_arena_resize (block, size);
      ck_assert_ptr_nonnull (block);
      ck_assert (rt_block_is_live (block));
      ck_assert_ptr_eq (rt_arena_find (rt_block_data (block)), block);
      const char *const data = rt_block_data (block);
      ck_assert_int_eq (data[0], 5);
      ck_assert_int_eq (data[299999], 5);
    }
  /* It no longer fits as a mapping.  */
  ck_assert (!rt_arena_fits (block, 100));
  rt_leave ();
}
END_TEST

RT_UNIT_MAIN (classes_cover_all_sizes, blocks_share_no_granule,
	      foreign_addresses_are_not_found, live_blocks_are_visited,
	      resizing_keeps_content)
