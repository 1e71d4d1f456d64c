/* Replay damaged files.
   SPDX-License-Identifier: GPL-3.0-or-later

   A replay program makes thousands of damaged variants of valid files, always
   the same ones, and passes them to a reader, which is checked as described in
   reader.h, and by ASan and UBSan if the compiler supports them.  Then it makes
   every allocation of the reader fail in turn.  */

#ifndef HEAPPROF_MUTATE_H
#define HEAPPROF_MUTATE_H

#include "reader.h"
#include <stdbool.h>
#include <stddef.h>

struct mutate_target
{
  const char *name;
  const struct reader *reader;
  /* Repair the checksums of every second variant.  */
  bool is_repaired;
  /* Return true if a variant of SIZE bytes that was not repaired may be valid.
     If NULL, any may.  */
  bool (*may_pass) (const unsigned char *data, size_t size);
  struct reader_bounds bounds;
};

/* Replay VARIANTS variants of the SIZE bytes at DATA, and make allocations
   fail.  Print a line; abort on an error.  */
void mutate_replay (const struct mutate_target *target,
		    const unsigned char *data, size_t size,
		    unsigned int variants);

/* Print the last line: the total number of variants.  */
void mutate_summary (void);

#endif /* HEAPPROF_MUTATE_H */
