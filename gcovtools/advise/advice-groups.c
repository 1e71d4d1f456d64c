/* Advice to place hot blocks by the profile, for the whole program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "advice-limits.h"
#include "advice-make.h"
#include "table.h"
#include <string.h>

/* Return the bytes, on average over the run, of the blocks that a build with
   the profile keeps apart from hot ones, and that share pages with others.  */
static double
bytes_between (const struct advice_list *advice)
{
  return advice->small_bytes[PLACEMENT_COLD];
}

/* Hot blocks that fit into the cache wherever they are gain nothing.  */
static bool
are_scattered (const struct advice_list *advice)
{
  double others = bytes_between (advice);
  double small = advice->small_bytes[PLACEMENT_HOT] + others;
  return advice->small_bytes[PLACEMENT_HOT] > 0
	 && advice->hot_line_bytes >= ADVICE_CACHE_BYTES
	 && others * 100 >= small * ADVICE_OTHERS_PERCENT;
}

static bool
word (const struct advice_list *advice, struct advice *item)
{
  struct advice_text text;
  char number[NUMBER_TEXT_BYTES];
  if (!advice_text_start (&text, &item->evidence))
    return false;
  fprintf (text.out, "Hot blocks have %s%% of the accesses and are ",
	   share_text (number, advice->class_accesses[PLACEMENT_HOT],
		       (double) advice->report->total.access_count.total));
  fprintf (text.out, "%s%% of the memory, ",
	   share_text (number, advice->class_bytes[PLACEMENT_HOT],
		       advice->memory_bytes));
  fprintf (text.out, "%s on average over the run. Of the rest, ",
	   bytes_text (number, advice->class_bytes[PLACEMENT_HOT]));
  fprintf (text.out, "%s are small cold blocks that may be between them.",
	   bytes_text (number, bytes_between (advice)));
  if (!advice_text_end (&text))
    return false;
  item->action = strdup (
    "Build with -fplugin-arg-heapprof-use, which puts hot and warm "
    "blocks of one size into pools, apart from cold ones, and measure "
    "with heapprof-gcov prove.");
  return item->action != NULL;
}

bool
advice_add_groups (struct advice_list *advice)
{
  if (heap_report_is_filtered (advice->report) || !are_scattered (advice))
    return true;
  struct advice *item = advice_add (advice, ADVICE_GROUPS);
  if (item == NULL)
    return false;
  item->info = advice->report->total;
  item->contexts = advice->report->total_contexts;
  item->memory_bytes = advice->memory_bytes;
  advice_set_gain (advice, &item->gain, ADVICE_MEMORY_BYTES,
		   bytes_between (advice));
  return word (advice, item);
}
