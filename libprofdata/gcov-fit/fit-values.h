/* Values at single operations of a function whose source changed.
   SPDX-License-Identifier: GPL-3.0-or-later

   GCC numbers the operations whose values it profiles, divisions, copies of
   memory, indirect calls, in the order of blocks, a number for each kind.
   Notes do not tell where they are; but the object file of the newer version,
   if it is compiled to count, tells how many there are of each kind.  If there
   are as many as before, each is taken for the same; it is kept if
   its block is the same and is executed as often: GCC rejects values of an
   operation that was executed more or less often than its block.  */

#ifndef HEAPPROF_FIT_VALUES_H
#define HEAPPROF_FIT_VALUES_H

#include "block-match.h"
#include "gcov-fit.h"
#include "gcov-profile.h"
#include <stdbool.h>
#include <stdint.h>

/* Kinds of values, from one to before the other.  */
#define FIT_VALUES_FIRST GCOV_KIND_INTERVAL
#define FIT_VALUES_END GCOV_KIND_TIME

/* A changed function.  */
struct fit_values
{
  const struct block_match *match;
  const struct block_graph *before; /* its flow is solved */
  const struct block_graph *after;
  const int64_t *fitted; /* counts of AFTER's arcs */
};

/* Return the element of ALL that is for the function AFTER; NULL if there is
   none.  ALL has COUNT elements, sorted by gcov_value_counts_compare.  */
const struct gcov_value_counts *
fit_values_find (const struct gcov_value_counts *all, size_t count,
		 const struct gcov_notes_function *after);

/* Return true if FUNCTION has as many counters of KIND as COUNTS says.  */
bool fit_values_has_all (const struct gcov_function *function,
			 enum gcov_kind kind,
			 const struct gcov_value_counts *counts);

/* Return true if GCC compares values of KIND with the counts of blocks even if
   there are none.  */
bool fit_values_are_checked (enum gcov_kind kind);

/* Make VECTOR, of a kind that is not checked, N counters or sites of operations
   that were never executed.  Return false if memory is exhausted.  */
bool fit_values_make_empty (struct gcov_vector *vector, uint32_t n);

/* Return how many operations VECTOR, which may be NULL, has values of.  */
uint32_t fit_values_operations (const struct gcov_vector *vector);

/* Make *INTO what is kept of VALUES; it has no counters if nothing is.  There
   is at least one value, and as many as in the newer version.  Add the number
   of operations whose values are kept to *KEPT.  Return false if memory is
   exhausted; the caller clears *INTO in any case.  */
bool fit_values_keep (struct gcov_vector *into,
		      const struct gcov_vector *values,
		      const struct fit_values *function, uint64_t *kept);

#endif /* HEAPPROF_FIT_VALUES_H */
