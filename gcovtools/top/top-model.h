/* What `top' shows: tables by site, type, thread, process and context.
   SPDX-License-Identifier: GPL-3.0-or-later

   The profiles are read anew each time; addresses are looked up only once.
   Rates are differences between two readings.  */

#ifndef HEAPPROF_TOP_MODEL_H
#define HEAPPROF_TOP_MODEL_H

#include "address-names.h"
#include "heap-report.h"
#include "top-source.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum top_by
{
  TOP_SITES,
  TOP_TYPES,
  TOP_THREADS,
  TOP_PROCESSES,
  TOP_CONTEXTS, /* of one site */
  TOP_TABLES
};

enum top_sort
{
  TOP_SORT_LIVE,
  TOP_SORT_BLOCKS,
  TOP_SORT_RATE,
  TOP_SORT_TOTAL,
  TOP_SORT_ACCESSES,
  TOP_SORTS
};

#define TOP_RATE_UNKNOWN (-1.0)

struct top_row
{
  char *name; /* malloced, plain text */
  struct top_numbers numbers;
  double bytes_rate; /* allocated a second, or TOP_RATE_UNKNOWN */
  double blocks_rate;
  uint32_t context; /* of TOP_CONTEXTS, in the current profile */
};

/* Rows sorted by name; names are unique.  */
struct top_table
{
  struct top_row *rows;
  size_t count;
};

struct top
{
  struct top_source *sources;
  size_t source_count;
  struct address_names *names;
  struct profile_filter filter;
  struct wrapper_options wrappers;
  struct wrapper_names found; /* wrappers of earlier readings */
  char *inside; /* the site of TOP_CONTEXTS; malloced; NULL: none */

  /* The result of the last reading.  */
  struct heap_profile *profile; /* NULL before the first one */
  struct heap_report report;
  struct top_table tables[TOP_TABLES];
  struct top_row total;
  double read_s; /* when it was, on the monotonic clock */
};

/* Read all sources of TOP and make its tables.  Return false and set *ERR on
   failure; the last result stays then.  */
bool top_read (struct top *top, struct profile_error *err);

/* Make the table of contexts again after `inside' was changed.  Return false if
   memory is exhausted.  */
bool top_look_inside (struct top *top);

void top_release (struct top *top);

/* Return true if any process is known to be running.  */
bool top_is_running (const struct top *top);

/* Store the rows of TABLE whose names match PATTERN (NULL: all) in ROWS, which
   has room for all of them, largest by SORT first.  Return their number.  */
size_t top_order (const struct top_table *table, enum top_sort sort,
		  const struct pattern_list *pattern,
		  const struct top_row **rows);

/* The words that stand for tables and for keys on the command line.  */
extern const char *const top_by_names[TOP_TABLES];
extern const char *const top_sort_names[TOP_SORTS];

#endif /* HEAPPROF_TOP_MODEL_H */
