/* Where the slots of each class lie.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "slots.h"
#include "block.h"

size_t
rt_slots_span_bytes (unsigned index)
{
  const size_t slot_bytes = rt_class_bytes (index);
  size_t bytes = RT_SPAN_PAGE_BYTES;
  while (bytes / slot_bytes < 8
	 || bytes - bytes / slot_bytes * slot_bytes > bytes / 8)
    bytes += RT_SPAN_PAGE_BYTES;
  return bytes;
}

struct rt_slots
rt_slots_in (unsigned index, size_t bytes)
{
  const uint32_t first = index == 0 ? RT_BLOCK_HEADER_BYTES : RT_FIRST_FAR;
  return (struct rt_slots){ .count
			    = (uint32_t) (bytes / rt_class_bytes (index)),
			    .first_header = first - RT_BLOCK_HEADER_BYTES,
			    .header_step = (uint32_t) rt_class_bytes (index),
			    .first_data = first,
			    .bytes = rt_class_bytes (index),
			    .size_class = (uint8_t) index };
}

struct rt_slots
rt_granules_in_page (void)
{
  const uint32_t first = RT_BLOCK_PAGE_BYTES / RT_BLOCK_OUTSIDE;
  return (struct rt_slots){ .count = (RT_BLOCK_PAGE_BYTES - first)
				     / RT_CLASS_GRANULE_BYTES,
			    .first_header = first / RT_BLOCK_OUTSIDE,
			    .header_step = RT_BLOCK_HEADER_BYTES,
			    .first_data = first,
			    .bytes = RT_CLASS_GRANULE_BYTES,
			    .size_class = 1 };
}

size_t
rt_slot_data_bytes (unsigned index)
{
  if (index >= RT_CLASS_SMALL)
    return rt_class_bytes (index) - RT_FIRST_FAR;
  if (index == 0)
    return RT_CLASS_INSIDE_BYTES;
  return index == RT_CLASS_OUTSIDE_MAX ? RT_CLASS_SMALL_BYTES
				       : rt_class_bytes (index);
}
