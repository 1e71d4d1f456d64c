/* The call stack array of MemProf versions 3 and 4 in a file.
   SPDX-License-Identifier: GPL-3.0-or-later

   An element is a u32.  A stack is identified by the element with its length;
   its frames follow, innermost first.  A negative element is a jump forward by
   that many elements to the next frame: this is how stacks share their outer
   frames (stack-encoder.h).  A jump never leads to another jump.  */

#ifndef HEAPPROF_STACK_ARRAY_H
#define HEAPPROF_STACK_ARRAY_H

#include "byte-reader.h"
#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct stack_array
{
  const uint8_t *elements; /* in the file */
  size_t count;
  size_t frame_count; /* number of existing frames */
  size_t offset;      /* in the file */
};

/* Find the array of COUNT elements at OFFSET of the file of READER.  Return
   false if READER failed.  */
bool stack_array_init (struct stack_array *array, struct byte_reader *reader,
		       size_t offset, size_t count, size_t frame_count);

/* Return the element at POSITION, which must exist.  */
static inline uint32_t
stack_array_element (const struct stack_array *array, size_t position)
{
  uint32_t element;
  memcpy (&element, array->elements + 4 * position, sizeof element);
  return le32toh (element);
}

/* Return the length of the stack at POSITION, which READER has just read; 0 if
   READER failed.  */
uint32_t stack_array_length (const struct stack_array *array,
			     struct byte_reader *reader, uint32_t position);

/* If there is a jump at *POSITION, follow it to the element of a frame.  Return
   false if READER failed.  */
bool stack_array_find_frame (const struct stack_array *array,
			     struct byte_reader *reader, size_t *position);

/* Fail because of the element at POSITION.  Return false.  */
bool stack_array_fail (const struct stack_array *array,
		       struct byte_reader *reader, size_t position,
		       const char *cause);

#endif /* HEAPPROF_STACK_ARRAY_H */
