/* Which run a raw profile is of, and when it was written.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_RAW_IDENTITY_H
#define HEAPPROF_RAW_IDENTITY_H

#include "profile-error.h"
#include <stdbool.h>
#include <stdint.h>

/* The states of a file, the later ones of a run last.  */
enum raw_order
{
  RAW_SNAPSHOT,
  RAW_RUNNING,
  RAW_COMPLETE
};

struct raw_identity
{
  uint8_t run_id[16];
  enum raw_order order;
  uint64_t snapshot; /* its number; 0 if it is none */
  uint64_t pid;
  uint64_t start_unix_ns; /* what was observed before is not in the file */
  uint64_t duration_ns;	  /* 0 while running */
};

/* Set *IDENTITY to that of PATH.  Return false and set *ERR if that is no valid
   raw profile.  */
bool raw_identity_read (const char *path, struct raw_identity *identity,
			struct profile_error *err);

/* True if A and B are of one run.  */
bool raw_identity_same_run (const struct raw_identity *a,
			    const struct raw_identity *b);

/* True if all that A has is in B, of the same run, too: B is newer, and the
   program has not begun again in between.  */
bool raw_identity_is_part (const struct raw_identity *a,
			   const struct raw_identity *b);

/* True if A was written before B, of the same run.  */
bool raw_identity_is_before (const struct raw_identity *a,
			     const struct raw_identity *b);

#endif /* HEAPPROF_RAW_IDENTITY_H */
