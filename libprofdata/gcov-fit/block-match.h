/* The blocks of a function before and after its source changed.
   SPDX-License-Identifier: GPL-3.0-or-later

   Notes tell the arcs between blocks, which calls may not return, and the lines
   of each block, but not what it does.  Blocks are numbered almost as in the
   source, so the best alignment of both sequences is taken: that in which
   blocks have arcs to blocks as far ahead or back as before, with lines as far
   from each other, and most lines moved as far as the ones before.  */

#ifndef HEAPPROF_BLOCK_MATCH_H
#define HEAPPROF_BLOCK_MATCH_H

#include "gcov-flow.h"
#include "gcov-notes.h"
#include <stdbool.h>
#include <stdint.h>

#define BLOCK_MATCH_NONE UINT32_MAX

/* One version of a function.  Only the arcs of each block are used of the
   flow, not its counts.  */
struct block_graph
{
  const struct gcov_notes_function *function;
  const struct gcov_flow *flow;
};

/* All zeros is empty.  */
struct block_match
{
  uint32_t *partners; /* of each block before: the one after, or
			 BLOCK_MATCH_NONE */
  bool *is_alike; /* of each block before: it and its partner look the same */
  uint32_t alike; /* number of pairs that look the same, without entry and
		     exit */
};

/* Match the blocks of BEFORE and AFTER.  Entries are partners, and exits.
   Return false if memory is exhausted; release MATCH in any case.  */
bool block_match_find (struct block_match *match,
		       const struct block_graph *before,
		       const struct block_graph *after);
void block_match_release (struct block_match *match);

/* Divide the blocks of BEFORE among WHOLE, the match with what the function is
   now, and PART, that with a new function that was a part of it: no block keeps
   partners in both.  The entry and the exit are not those of the part.  */
void block_match_divide (struct block_match *whole, struct block_match *part,
			 const struct block_graph *before);

/* Return how similar the functions are, 0 to 1: the share of their blocks that
   are in pairs that look the same.  */
double block_match_similarity (const struct block_match *match,
			       const struct block_graph *before,
			       const struct block_graph *after);

#endif /* HEAPPROF_BLOCK_MATCH_H */
