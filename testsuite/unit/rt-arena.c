/* Unit tests of the run-time library's allocator: size classes and blocks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "arena.h"
#include "epoch.h"
#include "invariant.h"
#include "reclaim.h"
#include "rt-unit.h"
#include "size-class.h"
#include "sys.h"
#include "thread.h"
#include <string.h>

START_TEST (classes_cover_all_sizes)
{
  size_t previous = 1024;
  for (unsigned i = RT_CLASS_SMALL; i < RT_CLASS_COUNT; i++)
    {
      const size_t bytes = rt_class_bytes (i);
      ck_assert_uint_eq (bytes % 64, 0);
      ck_assert_uint_gt (bytes, previous);
      /* BYTES belong to this class, and so does the first size above the
	 previous class.  */
      ck_assert_uint_eq (rt_class_of (bytes), i);
      ck_assert_uint_eq (rt_class_of (previous + 1), i);
      ck_assert_uint_le ((bytes - previous) * 8, previous);
      previous = bytes;
    }
  ck_assert_uint_eq (previous, RT_CLASS_MAX_BYTES);
}
END_TEST

/* Small blocks have as many granules as they need, and the smallest ones share
   theirs with their headers.  */

START_TEST (small_classes_fit)
{
  for (size_t size = 0; size <= RT_CLASS_SMALL_BYTES; size++)
    {
      const unsigned index = rt_class_of_small (size);
      const size_t bytes = rt_class_bytes (index);
      const size_t granules = size == 0 ? 1 : (size + 63) / 64;
      ck_assert_uint_lt (index, RT_CLASS_SMALL);
      ck_assert_uint_eq (bytes, granules * 64);
      ck_assert_uint_ge (rt_slot_data_bytes (index), size);
      ck_assert_int_eq (rt_class_is_outside (index), size > 48);
    }
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
  const size_t size = rt_block_size (block) > 0 ? rt_block_size (block) : 1;
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
      /* Each ck_assert is a system call.  */
      if (first_granule (blocks[i]) <= last_granule (blocks[j])
	  && last_granule (blocks[i]) >= first_granule (blocks[j]))
	ck_abort_msg ("%zu and %zu share a granule", i, j);
  for (size_t i = 0; i < BLOCKS; i++)
    {
      ck_assert_ptr_eq (rt_arena_find (rt_block_data (blocks[i])), blocks[i]);
      ck_assert_uint_eq (rt_block_size (blocks[i]), i * 7919 % 300);
    }
}
END_TEST

/* Only the starts of a span's blocks are found in it, whatever their data
   is.  */

START_TEST (only_blocks_are_found)
{
  enum
  {
    BLOCKS = 70
  };
  static const size_t sizes[] = { 0, 32, 33, 48, 64, 112, 128, 176, 500, 1008 };
  static const size_t alignments[] = { 16, 64, 256 };
  struct rt_thread *const thread = rt_enter ();
  bool zeroed;
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
    for (size_t a = 0; a < 3; a++)
      {
	char *data[BLOCKS];
	for (size_t i = 0; i < BLOCKS; i++)
	  {
	    struct rt_block *const block
	      = rt_arena_allocate (&thread->caches, sizes[k], alignments[a],
				   &zeroed);
	    rt_arena_publish (block);
	    data[i] = rt_block_data (block);
	    memset (data[i], 0xff, sizes[k]);
	  }
	for (size_t i = 0; i < BLOCKS; i++)
	  for (size_t at = 1; at < sizes[k]; at++)
	    {
	      /* A granule of an earlier, aligned block may be there.  */
	      const struct rt_block *const found = rt_arena_find (data[i] + at);
	      ck_assert (found == NULL || !rt_block_is_live (found));
	    }
	for (size_t i = 0; i < BLOCKS; i++)
	  {
	    struct rt_block *const block = rt_arena_find (data[i]);
	    ck_assert_ptr_nonnull (block);
	    ck_assert (rt_block_is_live (block));
	    ck_assert_ptr_eq (rt_block_data (block), data[i]);
	    ck_assert_uint_eq (rt_block_size (block), sizes[k]);
	    for (size_t at = 0; at < sizes[k]; at += 64)
	      ck_assert_ptr_eq (rt_arena_find_in ((uintptr_t) data[i] + at, 64),
				block);
	    rt_arena_retract (block);
	    rt_arena_release (&thread->caches, block);
	    const struct rt_block *const released = rt_arena_find (data[i]);
	    ck_assert (released != NULL && !rt_block_is_live (released)
		       && released->state != RT_BLOCK_FREE);
	  }
	ck_assert (HEAPPROF_CHECKING == 0
		   || rt_arena_is_valid (&thread->caches));
      }
  /* The page of a span, beside its blocks: whatever is found was never used. */
  struct rt_block *const block
    = rt_arena_allocate (&thread->caches, 64, 16, &zeroed);
  const uintptr_t page = (uintptr_t) block & -(uintptr_t) RT_SPAN_PAGE_BYTES;
  for (uintptr_t at = page; at < page + RT_SPAN_PAGE_BYTES / 4; at++)
    {
      const struct rt_block *const found = rt_arena_find ((void *) at);
      ck_assert (found == NULL || found->state == RT_BLOCK_FREE);
    }
  rt_leave ();
}
END_TEST

/* Times that do not fit into small headers.  */

START_TEST (late_blocks_are_far)
{
  const uint64_t late_ns = (UINT64_C (1) << HEAPPROF_RAW_TIME_BITS) + 12345;
  struct rt_thread *const thread = rt_enter ();
  bool zeroed;
  struct rt_block *const early
    = rt_arena_allocate (&thread->caches, 64, 16, &zeroed);
  ck_assert (!rt_block_is_far (early));
  ck_assert (rt_block_holds_time (early, late_ns - 12346));
  ck_assert (!rt_block_holds_time (early, late_ns));
  ck_assert_ptr_eq (rt_arena_make_far (&thread->caches, early, false), early);
  memset (rt_block_data (early), 7, 64);
  rt_arena_publish (early);
  ck_assert (!rt_arena_fits (early, 60));
  struct rt_block *const copy
    = rt_arena_make_far (&thread->caches, early, true);
  ck_assert_ptr_ne (copy, early);
  ck_assert (!rt_block_is_live (early));
  for (size_t size = 0; size < 3000; size++)
    {
      struct rt_block *const block
	= size == 0 ? copy
		    : rt_arena_allocate (&thread->caches, size, 1u << size % 8,
					 &zeroed);
      ck_assert (rt_block_is_far (block));
      ck_assert_uint_eq (rt_block_size (block), size == 0 ? 64 : size);
      ck_assert (rt_block_holds_time (block, late_ns));
      rt_block_begin (block, 3, 70, late_ns, 65535);
      rt_arena_publish (block);
      const char *const data = rt_block_data (block);
      ck_assert_ptr_eq (rt_arena_find (data), block);
      ck_assert_uint_eq ((uintptr_t) data % (1u << size % 8), 0);
      ck_assert_uint_eq (rt_block_alloc_ns (block), late_ns);
      ck_assert_uint_eq (rt_block_alloc_cpu (block), 65535);
      ck_assert (size > 0 || (data[0] == 7 && data[63] == 7));
      ck_assert (rt_block_is_of (block, 70) && !rt_block_is_of (block, 71));
      rt_arena_retract (block);
      rt_arena_release (&thread->caches, block);
    }
  rt_far_bytes = RT_CLASS_SMALL_BYTES + 1;
  rt_leave ();
}
END_TEST

/* No block seems to be of the present epoch because its lowest bits are.  */

START_TEST (old_epochs_are_retired)
{
  struct rt_thread *const thread = rt_enter ();
  struct rt_block *blocks[300];
  bool zeroed;
  for (size_t i = 0; i < 300; i++)
    {
      const uint32_t epoch = i == 0 ? rt_epoch : rt_epoch_begin ();
      blocks[i] = rt_arena_allocate (&thread->caches, i * 10, 16, &zeroed);
      rt_block_begin (blocks[i], 5, epoch, 0, 0);
      rt_arena_publish (blocks[i]);
      for (size_t j = 0; j <= i; j++)
	ck_assert_int_eq (blocks[j]->mib != 0
			    && rt_block_is_of (blocks[j], epoch),
			  i == j);
    }
  rt_leave ();
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
  check_foreign (data + 64 + sizeof *block);
  struct rt_block *const far
    = rt_arena_allocate (&thread->caches, 5000, 32, &zeroed);
  rt_arena_publish (far);
  char *const copy = (char *) rt_block_data (far) + 64;
  memcpy (copy, far - 1, 2 * sizeof *far);
  check_foreign (copy + 32);
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
  if (rt_block_size (block) < 100000)
    return;
  sums->blocks++;
  sums->bytes += rt_block_size (block);
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

/* Only with --enable-checking is there a function that looks.  */

static bool
is_valid (const struct rt_caches *caches)
{
  (void) caches;
  return HEAPPROF_CHECKING == 0
	 || (rt_span_is_valid () && rt_arena_is_valid (caches));
}

/* Fill BLOCKS with COUNT live blocks of SIZE bytes, each of which has the byte
   FILL at both ends; fail unless those that are said to be zero are.  */

static void
allocate_filled (struct rt_caches *caches, struct rt_block **blocks,
		 size_t count, size_t size, char fill)
{
  for (size_t i = 0; i < count; i++)
    {
      bool zeroed;
      blocks[i] = rt_arena_allocate (caches, size, 16, &zeroed);
      if (blocks[i] == NULL)
	ck_abort_msg ("no memory");
      char *const data = rt_block_data (blocks[i]);
      for (size_t at = 0; zeroed && at < size; at++)
	if (data[at] != 0)
	  ck_abort_msg ("not zero");
      data[0] = data[size - 1] = fill;
      rt_arena_publish (blocks[i]);
    }
}

/* Release those of COUNT BLOCKS of SIZE bytes whose index is no multiple of
   KEPT, if that is not 0, after looking at FILL.  */

static void
release_filled (struct rt_caches *caches, struct rt_block **blocks,
		size_t count, size_t size, char fill, size_t kept)
{
  for (size_t i = 0; i < count; i++)
    {
      if (kept != 0 && i % kept == 0)
	continue;
      char *const data = rt_block_data (blocks[i]);
      if (data[0] != fill || data[size - 1] != fill)
	ck_abort_msg ("overwritten");
      memset (data, fill, size);
      rt_arena_retract (blocks[i]);
      rt_arena_release (caches, blocks[i]);
    }
}

#define RECLAIMED_BYTES ((size_t) 8 << 20)

/* The memory of one size serves for all others afterwards, also for those whose
   spans are of another kind, since it is given back.  */

START_TEST (spans_without_blocks_are_given_back)
{
  static const size_t sizes[] = { 40, 100, 1000, 60, 300, 2000, 70000, 1008 };
  struct rt_thread *const thread = rt_enter ();
  struct rt_caches *const caches = &thread->caches;
  struct rt_block **const blocks
    = sys_map (RECLAIMED_BYTES / 32 * sizeof *blocks);
  rt_reclaim ();
  const uint64_t before = rt_central_used_bytes;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    {
      const size_t count = RECLAIMED_BYTES / (sizes[i] + 32);
      const char fill = (char) (i + 1);
      allocate_filled (caches, blocks, count, sizes[i], fill);
      const uint64_t full = rt_central_used_bytes;
      release_filled (caches, blocks, count, sizes[i], fill, 0);
      const void *const data = rt_block_data (blocks[count / 2]);
      rt_arena_flush (caches);
      const size_t given = rt_reclaim ();
      ck_assert_uint_ge (given, RECLAIMED_BYTES / 2);
      ck_assert_uint_eq (rt_central_used_bytes, full - given);
      ck_assert_uint_lt (rt_central_used_bytes, before + (1 << 20));
      ck_assert (is_valid (caches));
      const struct rt_block *const old = rt_arena_find (data);
      ck_assert (old == NULL || !rt_block_is_live (old));
    }
  sys_unmap (blocks, RECLAIMED_BYTES / 32 * sizeof *blocks);
  rt_leave ();
}
END_TEST

/* Where some blocks are live, the others' slots are used again, and each only
   once.  */

START_TEST (spans_with_blocks_stay)
{
  struct rt_thread *const thread = rt_enter ();
  struct rt_caches *const caches = &thread->caches;
  const size_t count = RECLAIMED_BYTES / 128;
  struct rt_block **const blocks = sys_map (2 * count * sizeof *blocks);
  for (size_t kept = 2; kept < 1000; kept = kept * 7 + 1)
    {
      allocate_filled (caches, blocks, count, 100, 1);
      release_filled (caches, blocks, count, 100, 1, kept);
      rt_arena_flush (caches);
      rt_reclaim ();
      const uint64_t used = rt_central_used_bytes;
      const size_t again = count - (count + kept - 1) / kept;
      allocate_filled (caches, blocks + count, again, 120, 2);
      ck_assert_uint_le (rt_central_used_bytes, used + RECLAIMED_BYTES);
      for (size_t i = 0; i < count; i += kept)
	{
	  const char *const data = rt_block_data (blocks[i]);
	  if (data[0] != 1 || data[99] != 1)
	    ck_abort_msg ("overwritten");
	  rt_arena_retract (blocks[i]);
	  rt_arena_release (caches, blocks[i]);
	}
      release_filled (caches, blocks + count, again, 120, 2, 0);
      ck_assert (is_valid (caches));
    }
  sys_unmap (blocks, 2 * count * sizeof *blocks);
  rt_leave ();
}
END_TEST

RT_UNIT_MAIN (classes_cover_all_sizes, small_classes_fit,
	      blocks_share_no_granule, only_blocks_are_found,
	      late_blocks_are_far, old_epochs_are_retired,
	      foreign_addresses_are_not_found, live_blocks_are_visited,
	      resizing_keeps_content, spans_without_blocks_are_given_back,
	      spans_with_blocks_stay)
