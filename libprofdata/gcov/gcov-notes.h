/* gcc's notes files (.gcno): what the compiler says about an object's
   functions.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function is a graph of blocks, numbered from 0, the entry, and 1, the exit,
   and arcs.  Only arcs outside a spanning tree are counted, in the order in
   which they stand here.  A block has line groups: lines of one file.

   Notes are of one compilation; a data file belongs to them if it has the same
   stamp.  */

#ifndef HEAPPROF_GCOV_NOTES_H
#define HEAPPROF_GCOV_NOTES_H

#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

  enum gcov_arc_flag
  {
    GCOV_ARC_ON_TREE = 1, /* not counted */
    GCOV_ARC_FAKE = 2,	  /* a call that may not return, or that may
			     return again */
    GCOV_ARC_FALL_THROUGH = 4
  };

  struct gcov_arc
  {
    uint32_t source; /* block */
    uint32_t destination;
    uint32_t flags; /* of enum gcov_arc_flag, and others */
  };

  struct gcov_line_group
  {
    uint32_t block;
    const char *file; /* owned by the notes */
    uint32_t first;   /* its place in lines of the function */
    uint32_t count;
  };

  struct gcov_notes_function
  {
    uint32_t ident;
    uint32_t lineno_checksum;
    uint32_t cfg_checksum;
    const char *name; /* assembler name; owned by the notes */
    const char *file; /* where it begins; owned by the notes */
    uint32_t start_line;
    uint32_t start_column;
    uint32_t end_line;
    uint32_t end_column;
    bool is_artificial; /* made by the compiler: no source */
    uint32_t block_count;
    uint32_t arc_count;
    uint32_t counter_count; /* arcs that are counted */
    uint32_t group_count;
    uint32_t line_count;
    struct gcov_arc *arcs; /* malloced, as are the next two */
    struct gcov_line_group *groups;
    uint32_t *lines;
  };

  struct gcov_notes
  {
    uint32_t version;
    uint32_t stamp;
    uint32_t checksum;	   /* 0 before GCC 12 */
    const char *directory; /* where the compiler ran, "" unknown */
    uint32_t function_count;
    struct gcov_notes_function *functions; /* malloced */
    uint32_t *order; /* malloced: places in FUNCTIONS, sorted by the
			three numbers and place */
    char *strings;   /* malloced: the file */
  };

  /* Do the N bytes at DATA start as a notes file?  */
  bool gcov_notes_has_magic (const void *data, size_t n);

  /* Read the SIZE bytes at DATA; PATH names them in errors.  NULL and *ERR if
     that fails.  Release the notes with gcov_notes_free, which takes NULL
     too.  */
  struct gcov_notes *gcov_notes_parse (const char *path, const void *data,
				       size_t size, struct profile_error *err);
  void gcov_notes_free (struct gcov_notes *notes);

  /* The function with these three numbers, NULL if there is none.  Functions of
     an object are mostly asked for in their order: *HINT, 0 at first, is where
     the search begins, and is set to where the next should.  After the last
     function with these numbers comes the first again.  */
  const struct gcov_notes_function *
  gcov_notes_find (const struct gcov_notes *notes, uint32_t ident,
		   uint32_t lineno_checksum, uint32_t cfg_checksum,
		   uint32_t *hint);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_GCOV_NOTES_H */
