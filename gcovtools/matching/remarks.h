/* Remarks of the compiler plugin: what became of each allocation call
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
  REMARK_AMBIGUOUS,
  REMARK_HINTS /* also: none */
};

struct remark
{
  json_t *object;     /* owns the strings */
  char *call;	      /* malloced: the same for the same call */
  size_t unit;	      /* number of the unit, over all files */
  const char *reason; /* of lost calls, else NULL */
  bool is_matched;    /* there is a call */
  enum remark_outcome outcome;
  enum remark_hint hint;
  uint64_t contexts;
  uint64_t count;
  uint64_t bytes;
};

/* All zeros: none.  */
struct remarks
{
  struct remark *list;
  size_t count;
  size_t capacity;
  size_t files;
  size_t units; /* sections of files, or more */
};

/* How outcomes and hints are called in files.  */
const char *remark_outcome_name (enum remark_outcome outcome);
const char *remark_hint_name (enum remark_hint hint);

/* Add the remarks of the file PATH.  False and *ERR if that fails.  */
bool remarks_read (struct remarks *remarks, const char *path,
		   struct profile_error *err);

/* Drop the remarks of calls that other units speak of, too, and sort the
   rest.  */
void remarks_choose (struct remarks *remarks);

void remarks_free (struct remarks *remarks);

#endif /* HEAPPROF_REMARKS_H */
