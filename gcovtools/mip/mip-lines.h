/* Which lines of the source ran, by a machine-level profile with blocks.
   SPDX-License-Identifier: GPL-3.0-or-later

   What is at the addresses of a block, the line table of the program's debug
   information says.  Without that, a block is on the line that the map has of
   it, its first.  The line on which a function is declared ran if the function
   did; without blocks, no more is known of it.  */

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
  uint32_t block; /* in the function; MIP_NO_BLOCK: it has none */
  bool begins;	  /* the block begins with this line */
  bool is_known;  /* whether it ran */
  bool is_weak;	  /* no statement of the line begins in the block */
  uint64_t runs;
};

struct mip_line
{
  const char *path;
  uint32_t line;
  bool is_known;   /* whether it ran */
  bool is_partial; /* it ran, but not all blocks on it */
  uint64_t runs;   /* in which it ran: the most of any block */
  size_t first_use;
  size_t use_count;
};

struct mip_lines
{
  struct mip_line *lines; /* by path, then line */
  size_t count;
  struct mip_line_use *uses; /* those of a line by function, then block */
  size_t use_count;
  size_t use_capacity;
  struct line_table *tables; /* of each module of the profile */
  size_t table_count;
};

/* Find the lines of the functions of PROFILE that match PATTERNS; FINDER finds
   the programs, and what it does not find is printed as a note.  False if
   memory is exhausted.  LINES is all zeros; release it in any case.  */
bool mip_lines_make (struct mip_lines *lines, const struct mip_profile *profile,
		     struct object_finder *finder,
		     const struct pattern_list *patterns);
void mip_lines_release (struct mip_lines *lines);

/* Is it known whether BLOCK ran?  */
bool mip_block_is_known (const struct mip_block *block);

#endif /* HEAPPROF_MIP_LINES_H */
