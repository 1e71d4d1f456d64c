/* Remarks of the compiler plugin on the outcome of each allocation call
   (doc/remarks-format.md).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_REMARKS_H
#define HEAPPROF_REMARKS_H

#include "profile-error.h"
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum remark_outcome
{
  REMARK_HINTED,
  REMARK_CLONED,
  REMARK_LOST,
  REMARK_OUTCOMES
};

enum remark_hint
{
  REMARK_COLD,
  REMARK_NOT_COLD,
  REMARK_HOT,
  REMARK_TOKEN, /* the context token of a call decides */
  REMARK_AMBIGUOUS,
  REMARK_HINTS /* also: no hint */
};

struct remark
{
  json_t *object;     /* owns the strings */
  char *call;	      /* malloced; identical for the same call */
  size_t unit;	      /* unit number across all files */
  const char *reason; /* for lost calls and ambiguous hints, else NULL */
  bool is_matched;    /* the call was found */
  enum remark_outcome outcome;
  enum remark_hint hint;
  uint64_t contexts;
  uint64_t count;
  uint64_t bytes;
};

/* All zeros is empty.  */
struct remarks
{
  struct remark *list;
  size_t count;
  size_t capacity;
  size_t files;
  size_t units;		/* number of units or more */
  uint64_t token_calls; /* that set a context token, in all units */
};

/* Return the names of outcomes and hints used in files.  */
const char *remark_outcome_name (enum remark_outcome outcome);
const char *remark_hint_name (enum remark_hint hint);

/* Add the remarks of the file PATH.  Return false and set *ERR on failure.  */
bool remarks_read (struct remarks *remarks, const char *path,
		   struct profile_error *err);

/* If several units have remarks on the same call, keep those of one unit.  Sort
   the remarks.  */
void remarks_choose (struct remarks *remarks);

void remarks_free (struct remarks *remarks);

#endif /* HEAPPROF_REMARKS_H */
