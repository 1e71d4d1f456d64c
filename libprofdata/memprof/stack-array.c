/* The call stack array of MemProf versions 3 and 4 in a file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "stack-array.h"
#include <inttypes.h>

bool
stack_array_init (struct stack_array *array, struct byte_reader *reader,
		  size_t offset, size_t count, size_t frame_count)
{
  static const char what[] = "the call stacks";
  *array = (struct stack_array){ .count = count,
				 .frame_count = frame_count,
				 .offset = offset };
  byte_reader_seek (reader, offset, what);
  if (byte_reader_need (reader, count, 4, what))
    array->elements = byte_reader_bytes (reader, 4 * count, what);
  return !reader->failed;
}

bool
stack_array_fail (const struct stack_array *array, struct byte_reader *reader,
		  size_t position, const char *cause)
{
  return byte_reader_fail (reader, array->offset + 4 * position,
			   "call stack element %zu of %zu %s", position,
			   array->count, cause);
}

uint32_t
stack_array_length (const struct stack_array *array, struct byte_reader *reader,
		    uint32_t position)
{
  if (position >= array->count)
    {
      byte_reader_fail (reader, reader->position - 4,
			"invalid call stack %" PRIu32
			" (expected less than %zu)",
			position, array->count);
      return 0;
    }
  uint32_t length = stack_array_element (array, position);
  if (length > 0 && length <= array->count)
    return length;
  stack_array_fail (array, reader, position, "is not a valid stack length");
  return 0;
}

bool
stack_array_find_frame (const struct stack_array *array,
			struct byte_reader *reader, size_t *position)
{
  if (*position >= array->count)
    return stack_array_fail (array, reader, *position, "is past the end");
  int32_t element = stack_array_element (array, *position);
  if (element < 0)
    {
      size_t distance = -(int64_t) element;
      if (distance >= array->count - *position)
	return stack_array_fail (array, reader, *position,
				 "jumps past the end");
      *position += distance;
      element = stack_array_element (array, *position);
      if (element < 0)
	return stack_array_fail (array, reader, *position,
				 "is the target of a jump and jumps again");
    }
  return ((size_t) element < array->frame_count
	  || stack_array_fail (array, reader, *position,
			       "is not a valid frame"));
}
