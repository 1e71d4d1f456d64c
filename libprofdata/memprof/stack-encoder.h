/* Writing the call stack array of MemProf version 3: stacks share their outer
   frames.
   SPDX-License-Identifier: GPL-3.0-or-later

   A stack is a length and that many elements, innermost frame first.  An
   element that is negative as a signed number means that the stack continues
   that many elements further on, counted from itself.  */

#ifndef HEAPPROF_STACK_ENCODER_H
#define HEAPPROF_STACK_ENCODER_H

#include "llvm-records.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct encoded_stacks
{
  uint32_t *elements;
  size_t count;
  uint32_t *positions; /* of each stack's length, by stack */
};

/* Encode all stacks of RECORDS; temporary memory comes from their scratch.
   Return false if memory is exhausted or an element does not fit in 31
   bits; *STACKS must be freed in any case.  */
bool stack_encoder_encode (struct encoded_stacks *stacks,
			   struct llvm_records *records);
void stack_encoder_free (struct encoded_stacks *stacks);

#endif /* HEAPPROF_STACK_ENCODER_H */
