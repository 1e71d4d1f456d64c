/* Replays of damaged files.
   SPDX-License-Identifier: GPL-3.0-or-later

   A replay program takes valid files, makes thousands of damaged variants of
   each, always the same ones, and feeds them to a reader.  Whatever the reader
   says, it must fill the error when it fails, free all it allocated, and not
   allocate more than the file's size warrants; ASan and UBSan, where the
   compiler has them, watch the rest.  Then every allocation of the reader is
   made to fail in turn.

   The program must be linked with --wrap for malloc, calloc, realloc and free,
   which are counted.  */

#ifndef HEAPPROF_MUTATE_H
#define HEAPPROF_MUTATE_H

#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mutate_target
{
  const char *name;
  /* Read the SIZE bytes at DATA, look at everything read, free it.  False and
     *ERR if they are refused.  Call mutate_stop_counting when reading is over
     and looking begins.  */
  bool (*read) (const unsigned char *data, size_t size,
		struct profile_error *err);
  /* Make the checksums of the SIZE bytes at DATA right; NULL if the format has
     none.  Every second variant is repaired.  */
  void (*repair) (unsigned char *data, size_t size);
  /* May a variant of SIZE bytes that was not repaired be read?  NULL: any
     may.  */
  bool (*may_pass) (const unsigned char *data, size_t size);
  /* Bounds of what reading may allocate at any time: for a file of no bytes,
     and for each byte.  */
  size_t base_bytes;
  size_t bytes_per_byte;
};

/* Replay VARIANTS variants of the SIZE bytes at DATA, and the failures of
   allocations.  Print a line; exit with 1 if something is wrong.  */
void mutate_replay (const struct mutate_target *target,
		    const unsigned char *data, size_t size,
		    unsigned int variants);

void mutate_stop_counting (void);

/* Print the last line: how many variants there were in all.  */
void mutate_summary (void);

#endif /* HEAPPROF_MUTATE_H */
