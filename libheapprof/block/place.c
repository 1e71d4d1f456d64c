/* What a block needs, and writing the header of one that is far.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "place.h"
#include "address-space.h"
#include "heapprof/abi.h"
#include "slots.h"

size_t rt_far_bytes = RT_CLASS_SMALL_BYTES + 1;

struct rt_need
rt_need_far (size_t size, size_t alignment)
{
  struct rt_need need = { .index = RT_CLASS_LARGE, .is_far = true };
  const size_t extra = alignment > RT_BLOCK_FAR_ALIGNMENT
			 ? alignment - RT_BLOCK_FAR_ALIGNMENT
			 : 0;
  size_t total;
  if (__builtin_add_overflow (size, extra + RT_FIRST_FAR, &total)
      || total > (size_t) 1 << MACHINE_ADDRESS_BITS)
    return need;
  need.bytes = total;
  if (total <= RT_CLASS_MAX_BYTES)
    need.index = rt_class_of (total > 1024 ? total : 1025);
  return need;
}

struct rt_need
rt_need_of (size_t size, size_t alignment)
{
  if (size >= rt_far_bytes)
    return rt_need_far (size, alignment);
  unsigned index = rt_class_of_small (size);
  if (alignment > RT_BLOCK_ALIGNMENT)
    {
      const size_t more = alignment > HEAPPROF_GRANULE_BYTES
			    ? alignment / HEAPPROF_GRANULE_BYTES - 1
			    : 0;
      index = rt_class_of_outside (size == 0 ? 1 : size);
      if (more > RT_CLASS_OUTSIDE_MAX - index)
	return rt_need_far (size, alignment);
      index += (unsigned) more;
    }
  return (struct rt_need){ .bytes = rt_class_bytes (index), .index = index };
}

/* Return the first address from that of SLOT's data on that is aligned to
   ALIGNMENT.  */

static uintptr_t
aligned_data (const struct rt_block *slot, size_t alignment)
{
  return ((uintptr_t) rt_block_data (slot) + alignment - 1) & -alignment;
}

/* Let the header of SLOT lead to BLOCK.  */

static void
redirect (struct rt_block *slot, const struct rt_block *block)
{
  slot->mib = (uint32_t) ((uintptr_t) block - (uintptr_t) slot);
  __atomic_store_n (&slot->state, RT_BLOCK_REDIRECT, __ATOMIC_RELEASE);
}

struct rt_block *
rt_place_small (struct rt_block *slot, size_t size, size_t alignment)
{
  const uintptr_t skipped
    = aligned_data (slot, alignment) - (uintptr_t) rt_block_data (slot);
  struct rt_block *const block = slot + skipped / HEAPPROF_GRANULE_BYTES;
  block->size_epoch = (uint16_t) size;
  block->state = skipped == 0 ? RT_BLOCK_FREE : RT_BLOCK_SHIFTED;
  block->size_class = slot->size_class;
  if (skipped != 0)
    redirect (slot, block);
  return block;
}

struct rt_block *
rt_place_far (struct rt_block *slot, size_t size, size_t alignment)
{
  const uintptr_t aligned = aligned_data (slot, alignment);
  struct rt_block *const block
    = (struct rt_block *) (aligned - RT_BLOCK_HEADER_BYTES);
  block->size_class = slot->size_class;
  block->state = block == slot ? RT_BLOCK_FREE : RT_BLOCK_SHIFTED;
  rt_block_set_far (block, size);
  if (block != slot)
    redirect (slot, block);
  return block;
}
