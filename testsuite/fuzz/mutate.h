/* Replays of damaged files.
   SPDX-License-Identifier: GPL-3.0-or-later

   A replay program takes valid files, makes thousands of damaged variants of
   each, always the same ones, and feeds them to a reader, which is checked as
   reader.h says; ASan and UBSan, where the compiler has them, watch the rest.
   Then every allocation of the reader is made to fail in turn.  */

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
  /* May a variant of SIZE bytes that was not repaired be read?  NULL: any
     may.  */
  bool (*may_pass) (const unsigned char *data, size_t size);
  struct reader_bounds bounds;
};

/* Replay VARIANTS variants of the SIZE bytes at DATA, and the failures of
   allocations.  Print a line; abort if something is wrong.  */
void mutate_replay (const struct mutate_target *target,
		    const unsigned char *data, size_t size,
		    unsigned int variants);

/* Print the last line: how many variants there were in all.  */
void mutate_summary (void);

#endif /* HEAPPROF_MUTATE_H */
