/* The functions of both versions of a program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_FIT_LISTS_H
#define HEAPPROF_FIT_LISTS_H

#include "gcov-fit.h"
#include "gcov-flow.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FIT_NO_FUNCTION SIZE_MAX

/* A counted function.  */
struct fit_before
{
  const struct gcov_function *counted;
  const struct gcov_notes_function *notes; /* NULL: missing, or do not match */
  const char *name;			   /* NULL: unknown */
  size_t unit;
  struct gcov_flow flow; /* its counts, if it has notes */
  uint64_t counts;	 /* sum of those of blocks */
  size_t after;		 /* index of the same function of the newer version;
			    FIT_NO_FUNCTION: none */
  size_t part;		 /* index of the last one that was a part of it;
			    FIT_NO_FUNCTION: none */
};

struct fit_after
{
  const struct gcov_notes_function *notes;
  size_t unit;
  size_t before; /* index of the same function; FIT_NO_FUNCTION: none */
  bool is_renamed;
  bool is_part;	    /* it was a part of BEFORE, which is another function now */
  size_t next_part; /* of that; FIT_NO_FUNCTION: none */
};

/* All zeros is empty.  */
struct fit_functions
{
  struct fit_before *before;
  size_t before_count;
  struct fit_after *after; /* by unit, in the order of its notes */
  size_t after_count;
};

/* List the functions of the N units of BEFORE and the M units of AFTER.  Return
   false if memory is exhausted; release FUNCTIONS in any case.  */
bool fit_lists_make (struct fit_functions *functions,
		     const struct gcov_fit_before *before, size_t n,
		     const struct gcov_fit_after *after, size_t m);
void fit_lists_release (struct fit_functions *functions);

/* Return true if the counters of BEFORE fit AFTER as they are.  */
bool fit_lists_are_equal (const struct fit_before *before,
			  const struct gcov_notes_function *after);

/* Return the index of the first function before that is in UNIT or a later
   one.  */
size_t fit_lists_find_unit (const struct fit_functions *functions, size_t unit);

/* AFTER is the function BEFORE.  */
void fit_lists_take (struct fit_functions *functions, struct fit_after *after,
		     size_t before);

/* Return true if the function BEFORE has a counterpart.  */
static inline bool
fit_lists_is_taken (const struct fit_functions *functions, size_t before)
{
  return functions->before[before].after != FIT_NO_FUNCTION;
}

#endif /* HEAPPROF_FIT_LISTS_H */
