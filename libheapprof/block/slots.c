/* Where the slots of each class lie.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "slots.h"
#include "block.h"

#define FOUR_UNITS(index) (index), (index), (index), (index)

const uint8_t rt_class_of_units[RT_CLASS_UNITS]
  = { RT_CLASS_32,
      RT_CLASS_32,
      RT_CLASS_32,
      RT_CLASS_48,
      RT_CLASS_64,
      RT_CLASS_112,
      RT_CLASS_112,
      RT_CLASS_112,
      RT_CLASS_128,
      RT_CLASS_176,
      RT_CLASS_176,
      RT_CLASS_176,
      FOUR_UNITS (RT_CLASS_176 + 1),
      FOUR_UNITS (RT_CLASS_176 + 2),
      FOUR_UNITS (RT_CLASS_176 + 3),
      FOUR_UNITS (RT_CLASS_176 + 4),
      FOUR_UNITS (RT_CLASS_176 + 5),
      FOUR_UNITS (RT_CLASS_176 + 6),
      FOUR_UNITS (RT_CLASS_176 + 7),
      FOUR_UNITS (RT_CLASS_176 + 8),
      FOUR_UNITS (RT_CLASS_176 + 9),
      FOUR_UNITS (RT_CLASS_176 + 10),
      FOUR_UNITS (RT_CLASS_176 + 11),
      FOUR_UNITS (RT_CLASS_176 + 12),
      FOUR_UNITS (RT_CLASS_176 + 13) };

/* Offsets of the data of the first slot in a span, if it is not RT_FIRST_FAR,
   and of those of blocks of up to 32 bytes.  */
#define FIRST_32 RT_FIRST_FAR
#define FIRST_SMALL 64u
#define FIRST_OUTSIDE(index)                                                   \
  (RT_BLOCK_PAGE_BYTES >> (RT_BLOCK_OUTSIDE_SHIFT + (index)))

#define MULTIPLES(first, bytes)                                                \
  {                                                                            \
    UINT64_MAX / (bytes) + 1, (first)                                          \
  }
#define MULTIPLES_176(more) MULTIPLES (FIRST_SMALL, ((more) + 3) * 64)

const struct rt_multiples rt_class_multiples[RT_CLASS_SMALL]
  = { [RT_CLASS_32] = MULTIPLES (FIRST_32, 64),
      [RT_CLASS_48] = MULTIPLES (FIRST_SMALL, 64),
      [RT_CLASS_112] = MULTIPLES (FIRST_SMALL, 128),
      [RT_CLASS_176] = MULTIPLES_176 (0),
      MULTIPLES_176 (1),
      MULTIPLES_176 (2),
      MULTIPLES_176 (3),
      MULTIPLES_176 (4),
      MULTIPLES_176 (5),
      MULTIPLES_176 (6),
      MULTIPLES_176 (7),
      MULTIPLES_176 (8),
      MULTIPLES_176 (9),
      MULTIPLES_176 (10),
      MULTIPLES_176 (11),
      MULTIPLES_176 (12),
      MULTIPLES_176 (13) };

size_t
rt_slot_header_step (unsigned index)
{
  return index < RT_CLASS_OUTSIDE ? RT_BLOCK_HEADER_BYTES
				  : rt_class_bytes (index);
}

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
  struct rt_slots slots
    = { .first_data = index < RT_CLASS_OUTSIDE	? FIRST_OUTSIDE (index)
		      : index == RT_CLASS_32	? FIRST_32
		      : index >= RT_CLASS_SMALL ? RT_FIRST_FAR
						: FIRST_SMALL,
	.bytes = rt_class_bytes (index),
	.size_class = (uint8_t) index };
  /* Before the data, in what the slot before has not got; or outside.  */
  size_t free
    = slots.first_data == FIRST_SMALL ? FIRST_SMALL - RT_BLOCK_HEADER_BYTES : 0;
  slots.first_header = slots.first_data - RT_BLOCK_HEADER_BYTES;
  slots.header_step = (uint32_t) slots.bytes;
  if (index < RT_CLASS_OUTSIDE)
    {
      free = slots.first_data;
      slots.first_header = slots.first_data >> (RT_BLOCK_OUTSIDE_SHIFT + index);
      slots.header_step = RT_BLOCK_HEADER_BYTES;
    }
  slots.count = (uint32_t) ((bytes - free) / slots.bytes);
  return slots;
}

size_t
rt_slot_data_bytes (unsigned index)
{
  if (index < RT_CLASS_OUTSIDE)
    return rt_class_bytes (index);
  return rt_class_bytes (index)
	 - (index == RT_CLASS_32 || index >= RT_CLASS_SMALL
	      ? RT_FIRST_FAR
	      : RT_BLOCK_HEADER_BYTES);
}
