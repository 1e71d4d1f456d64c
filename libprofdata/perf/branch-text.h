/* Branches in the text of a recording.
   SPDX-License-Identifier: GPL-3.0-or-later

   A branch is two addresses and flags, up to a blank, the first of which tells
   whether it was predicted (P or M):

     0x4012ba/0x4011e0/P/-/-/1/

   Processors that record whether a branch was taken speculatively have this at
   the end; branches on a wrong path did not happen.

   A text has tens of millions of branches, but only some thousand different
   ones.  What was read last is remembered with its text, which takes a third of
   the instructions to compare than to read.  */

#ifndef HEAPPROF_BRANCH_TEXT_H
#define HEAPPROF_BRANCH_TEXT_H

#include "perf-events.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most branches that are remembered, a power of two.  */
#define BRANCH_TEXTS 4096

/* The longest text that is remembered, with the blank after it, in words.  */
#define BRANCH_TEXT_WORDS 5
#define BRANCH_TEXT_BYTES (8 * BRANCH_TEXT_WORDS)

/* A branch with its text and the blank after that, padded by zeros.  */
struct known_branch
{
  uint64_t text[BRANCH_TEXT_WORDS];
  struct perf_branch branch;
  uint8_t bytes; /* of the text; 0: none */
  bool has_happened;
};

struct branch_texts
{
  /* By the number of bytes: ones for these.  */
  uint64_t masks[BRANCH_TEXT_BYTES + 1][BRANCH_TEXT_WORDS];
  struct known_branch *known;
  uint64_t last; /* their number - 1 */
};

/* Prepare TEXTS, which is all zeros, for a recording of BYTES bytes; they take
   no more memory than that needs.  Return false if memory is exhausted.  */
bool branch_texts_init (struct branch_texts *texts, size_t bytes);

/* Free what TEXTS has.  */
void branch_texts_free (struct branch_texts *texts);

/* Read the branches from AT on, at most MOST, which are all up to END, the end
   of the line, into BRANCHES; LIMIT is the end of the text.  Set *COUNT to the
   number of those that happened.  Return false if there is anything else.  */
bool branch_texts_take (struct branch_texts *texts, const char *at,
			const char *end, const char *limit,
			struct perf_branch *branches, size_t most,
			size_t *count);

#endif /* HEAPPROF_BRANCH_TEXT_H */
