/* How `top' shows its tables: as plain text, or on the screen.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_TOP_VIEW_H
#define HEAPPROF_TOP_VIEW_H

#include "table.h"
#include "top-model.h"
#include <stdbool.h>
#include <stddef.h>

struct top_view
{
  enum top_by by;
  enum top_sort sort;
  double delay_s; /* between two readings */
  size_t rows;	  /* of each table of plain text; 0: all */
  size_t tables;  /* of plain text; 0: until all processes have ended */
};

/* The numbers of a row as text; the last one of a table's columns is its
   name.  */
enum
{
  TOP_CELL_LIVE,
  TOP_CELL_BLOCKS,
  TOP_CELL_RATE,
  TOP_CELL_BLOCK_RATE,
  TOP_CELL_TOTAL,
  TOP_CELL_ACCESSES,
  TOP_CELLS
};
extern const char *const top_cell_titles[TOP_CELLS];

/* Write the cells of ROW to CELLS.  Numbers that are not known are dashes.  */
void top_cells (const struct top_row *row,
		char cells[TOP_CELLS][NUMBER_TEXT_BYTES]);

/* Write a line about TOP's process SOURCE to TEXT of BYTES.  */
void top_source_text (const struct top_source *source, char *text,
		      size_t bytes);

/* Return how long to wait after a reading that took USED_S of CPU time: at
   least DELAY_S, and so long that reading uses at most a fifth of a processor.
 */
double top_pause_s (double delay_s, double used_s);

/* Print tables of TOP, which was read once, as plain text on standard output.
   Return false after printing an error on failure.  */
bool top_print (struct top *top, const struct top_view *view);

/* Show TOP, which was read once, on the terminal until the user ends that.
   Return false and set *ERR on failure.  */
bool top_show (struct top *top, const struct top_view *view,
	       struct profile_error *err);

/* Return true if this program was built with top_show.  */
bool top_has_screen (void);

#endif /* HEAPPROF_TOP_VIEW_H */
