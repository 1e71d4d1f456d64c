/* Calling contexts of the branches and ranges in a sample.
   SPDX-License-Identifier: GPL-3.0-or-later

   A sample has the stack at its end and the branches before.  Going back from
   branch to branch, a return enters a function and a call leaves one, so that
   each branch, and the code between two branches, gets the stack of its own
   time.  */

#ifndef HEAPPROF_STACK_UNWINDER_H
#define HEAPPROF_STACK_UNWINDER_H

#include "address-pairs.h"
#include "call-contexts.h"
#include "image-list.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The address of code that is not in the image.  */
#define STACK_EXTERNAL 1

struct stack_branch
{
  uint64_t from; /* of the image, or STACK_EXTERNAL */
  uint64_t to;
};

/* What was found.  All zeros is empty.  A context consists of calls in the
   image only: the stack begins anew after code outside of it.  */
struct stack_counts
{
  struct call_contexts contexts;
  struct address_pairs ranges;	 /* as those of sampled code, but the space is
				    the number of the context that the code was
				    called from */
  struct address_pairs branches; /* the same for sources of branches */
};

void stack_counts_release (struct stack_counts *counts);

struct stack_unwinder;

/* Create an unwinder of code of IMAGE, which adds to COUNTS; both must outlive
   it.  NULL if memory is exhausted.  */
struct stack_unwinder *stack_unwinder_open (struct image *image,
					    struct stack_counts *counts);
void stack_unwinder_close (struct stack_unwinder *unwinder);

/* Add a sample that was taken COUNT times: the stack of FRAME_COUNT addresses
   at FRAMES, innermost first, of which all but the first are return addresses,
   and the BRANCH_COUNT BRANCHES, newest first.  Addresses of no instruction of
   the image are STACK_EXTERNAL.  Return false if memory is exhausted.  */
bool stack_unwinder_add (struct stack_unwinder *unwinder,
			 const uint64_t *frames, size_t frame_count,
			 const struct stack_branch *branches,
			 size_t branch_count, uint64_t count);

#endif /* HEAPPROF_STACK_UNWINDER_H */
