/* Source lines that ran, according to a machine-level profile with blocks.
   SPDX-License-Identifier: GPL-3.0-or-later

   The line table in the program's debug information tells which lines are at
   the addresses of a block.  Without it only the block's first line, stored in
   the map, is known.  The line on which a function is declared ran if the
   function did; without blocks, no other lines are known.  */

#ifndef HEAPPROF_MIP_LINES_H
#define HEAPPROF_MIP_LINES_H

#include "line-table.h"
#include "mip-profile.h"
#include "object-finder.h"
#include "pattern-list.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MIP_NO_BLOCK UINT32_MAX

/* A block on a line.  */
struct mip_line_use
{
  const char *path;
  uint32_t line;
  uint32_t function;
  uint32_t block; /* in the function; MIP_NO_BLOCK: none */
  bool begins;	  /* the block starts with this line */
  bool is_known;  /* it is known whether it ran */
  bool is_weak;	  /* no statement of the line starts in the block */
  uint64_t runs;
};

struct mip_line
{
  const char *path;
  uint32_t line;
  bool is_known;   /* it is known whether it ran */
  bool is_partial; /* it ran, but not all blocks on it */
  uint64_t runs;   /* number of runs: the maximum over its blocks */
  size_t first_use;
  size_t use_count;
};

struct mip_lines
{
  struct mip_line *lines; /* sorted by path, then line */
  size_t count;
  struct mip_line_use
    *uses; /* grouped by line, sorted by function, then block */
  size_t use_count;
  size_t use_capacity;
  struct line_table *tables; /* one per module of the profile */
  size_t table_count;
};

/* Find the lines of the functions of PROFILE that match PATTERNS.  FINDER finds
   the programs; print a note for each that is missing.  Return false if memory
   is exhausted.  LINES must be all zeros; release it in any case.  */
bool mip_lines_make (struct mip_lines *lines, const struct mip_profile *profile,
		     struct object_finder *finder,
		     const struct pattern_list *patterns);
void mip_lines_release (struct mip_lines *lines);

/* Return true if it is known whether BLOCK ran.  */
bool mip_block_is_known (const struct mip_block *block);

#endif /* HEAPPROF_MIP_LINES_H */
