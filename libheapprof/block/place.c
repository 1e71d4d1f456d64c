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
  const size_t extra
    = alignment > RT_BLOCK_ALIGNMENT ? alignment - RT_BLOCK_ALIGNMENT : 0;
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
  if (size < rt_far_bytes && alignment <= HEAPPROF_GRANULE_BYTES)
    {
      unsigned index = rt_class_of_small (size);
      if (index == RT_CLASS_32 && alignment > RT_BLOCK_ALIGNMENT)
	index = RT_CLASS_48;
      return (struct rt_need){ .bytes = rt_class_bytes (index),
			       .index = index };
    }
  /* Blocks in small slots are far only if they are shifted.  */
  const size_t extra
    = alignment > HEAPPROF_GRANULE_BYTES ? alignment : HEAPPROF_GRANULE_BYTES;
  if (extra > RT_CLASS_SMALL_BYTES || size > RT_CLASS_SMALL_BYTES - extra)
    return rt_need_far (size, alignment);
  unsigned index = rt_class_of_small (size + extra);
  if (index < RT_CLASS_OUTSIDE)
    index = index == RT_CLASS_64 ? RT_CLASS_112 : RT_CLASS_176;
  return (struct rt_need){ .bytes = rt_class_bytes (index),
			   .index = index,
			   .is_far = true,
			   .is_shifted = true };
}

struct rt_block *
rt_place_far (struct rt_block *block, size_t size, size_t alignment,
	      bool is_shifted)
{
  const uintptr_t data = (uintptr_t) rt_block_data (block);
  const uintptr_t least = is_shifted ? data + 1 : data;
  const uintptr_t aligned = (least + alignment - 1) & -alignment;
  struct rt_block *const redirect = block;
  if (aligned == data)
    block->state = RT_BLOCK_FREE;
  else
    {
      block = (struct rt_block *) (aligned - RT_BLOCK_HEADER_BYTES);
      block->size_class = redirect->size_class;
      block->state = RT_BLOCK_SHIFTED;
    }
  rt_block_set_far (block, size);
  if (aligned != data)
    {
      redirect->mib = (uint32_t) (aligned - data);
      __atomic_store_n (&redirect->state, RT_BLOCK_REDIRECT, __ATOMIC_RELEASE);
    }
  return block;
}
