/* Frames that a stack lacks because of tail calls.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function that ends with a call of another one may jump there; the stack
   then has the caller's caller only.  Which functions jump to which is known
   from the branches.  If one way alone leads from a call to the function that
   ran, the jumps on it are the missing frames.  */

#ifndef HEAPPROF_TAIL_CALLS_H
#define HEAPPROF_TAIL_CALLS_H

#include "address-pairs.h"
#include "image-list.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tail_calls;

/* Look at the BRANCHES of IMAGE, sources and targets, which must outlive the
   result.  NULL if memory is exhausted.  */
struct tail_calls *tail_calls_open (struct image *image,
				    const struct address_pairs *branches);
void tail_calls_close (struct tail_calls *calls);

/* The jumps between a call and the code that ran, outermost first.  */
struct tail_path
{
  const uint64_t *jumps; /* addresses; valid until the next call */
  size_t count;
};

/* Set *START to where the function at ADDRESS starts, 0 if it is unknown.
   Return false if memory is exhausted.  */
bool tail_calls_function (struct tail_calls *calls, uint64_t address,
			  uint64_t *start);

/* Set *PATH to the jumps between the call at FROM and the function that starts
   at TO; none if there is no way or more than one.  */
void tail_calls_find (struct tail_calls *calls, uint64_t from, uint64_t to,
		      struct tail_path *path);

#endif /* HEAPPROF_TAIL_CALLS_H */
