/* The best common subsequence of the calls of a function before and after its
   source changed.
   SPDX-License-Identifier: GPL-3.0-or-later

   A call of the same function counts most.  Of several equally long
   subsequences, the best is that in which most calls moved by as many lines as
   the call before, and most kept their discriminators; if there are more than
   one, that in which the lines around the calls have code where they are then,
   and calls moved by nearly as many lines as the one before.  */

#ifndef HEAPPROF_COMMON_SUBSEQUENCE_H
#define HEAPPROF_COMMON_SUBSEQUENCE_H

#include "moved-lines.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No partner.  */
#define SUBSEQUENCE_NONE UINT32_MAX

struct subsequence_call
{
  uint32_t name;
  int line;
  uint32_t discriminator;
};

/* Set PARTNERS[I], for each of the N calls of A, to the number of the call of
   B, of M, that it is in the common subsequence with, or to SUBSEQUENCE_NONE. A
   call of a function that B calls very often is only compared with the nearest
   calls.  LINES are those of both functions.  Set *LENGTH to that of the
   subsequence.  Return false if memory is exhausted.  */
bool common_subsequence (const struct subsequence_call *a, size_t n,
			 const struct subsequence_call *b, size_t m,
			 const struct moved_lines *lines, uint32_t *partners,
			 size_t *length);

#endif /* HEAPPROF_COMMON_SUBSEQUENCE_H */
