/* Why a program has little to gain, and what its profile does not tell.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "advice-limits.h"
#include "advice-make.h"
#include "context-match.h"
#include "frame-text.h"
#include "table.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Append TEXT, malloced, to SENTENCES.  Return false if memory is exhausted or
   TEXT is NULL.  */
static bool
add (struct advice_sentences *sentences, char *text)
{
  char **list = text != NULL
		  ? realloc (sentences->list,
			     (sentences->count + 1) * sizeof *sentences->list)
		  : NULL;
  if (list == NULL)
    {
      free (text);
      return false;
    }
  sentences->list = list;
  list[sentences->count++] = text;
  return true;
}

/* Append the sentence of FORMAT.  */
__attribute__ ((format (printf, 2, 3))) static bool
add_text (struct advice_sentences *sentences, const char *format, ...)
{
  va_list arguments;
  char *text;
  va_start (arguments, format);
  if (vasprintf (&text, format, arguments) < 0)
    text = NULL;
  va_end (arguments);
  return add (sentences, text);
}

static double
accesses_of (const struct advice_list *advice)
{
  return (double) advice->report->total.access_count.total;
}

/* ---- Limits of the gain.  */

static bool
limit_by_blocks (struct advice_list *advice)
{
  uint64_t count
    = context_measure (&advice->report->total, CONTEXT_ALLOCATIONS);
  char text[NUMBER_TEXT_BYTES];
  if (count >= ADVICE_LEAST_BLOCKS)
    return true;
  return add_text (&advice->limits,
		   "The program allocates only %s block%s: calls and headers "
		   "cost nothing that could be measured.",
		   number_text (text, count), count != 1 ? "s" : "");
}

/* All blocks fit into a cache.  */
static bool
limit_by_memory (struct advice_list *advice)
{
  char memory[NUMBER_TEXT_BYTES];
  char cache[NUMBER_TEXT_BYTES];
  if (advice->memory_bytes == 0 || advice->memory_bytes >= ADVICE_CACHE_BYTES)
    return true;
  return add_text (&advice->limits,
		   "All blocks together are only %s on average over the run. "
		   "They fit into a cache of %s, so that their places hardly "
		   "matter.",
		   bytes_text (memory, advice->memory_bytes),
		   bytes_text (cache, ADVICE_CACHE_BYTES));
}

/* The blocks that are accessed most fit into a cache.  */
static bool
limit_by_hot_bytes (struct advice_list *advice)
{
  double bytes = advice->class_bytes[PLACEMENT_HOT];
  char memory[NUMBER_TEXT_BYTES];
  char share[NUMBER_TEXT_BYTES];
  char cache[NUMBER_TEXT_BYTES];
  if (bytes == 0 || advice->hot_line_bytes >= ADVICE_CACHE_BYTES
      || advice->memory_bytes < ADVICE_CACHE_BYTES)
    return true;
  return add_text (
    &advice->limits,
    "The hot blocks, with %s%% of the accesses, are only %s on average over the "
    "run. With all cache lines that they touch, they fit into a cache of %s, so "
    "that a better place for them saves few cache misses.",
    share_text (share, advice->class_accesses[PLACEMENT_HOT],
		accesses_of (advice)),
    bytes_text (memory, bytes), bytes_text (cache, ADVICE_CACHE_BYTES));
}

static bool
limit_by_temporaries (struct advice_list *advice)
{
  double accesses = advice->class_accesses[PLACEMENT_TEMPORARY];
  char share[NUMBER_TEXT_BYTES];
  if (accesses * 100 < accesses_of (advice) * ADVICE_MOST_PERCENT)
    return true;
  return add_text (
    &advice->limits,
    "%s%% of the accesses are to temporary blocks, which stay in "
    "the caches wherever they are.",
    share_text (share, accesses, accesses_of (advice)));
}

static bool
limit_by_cold_bytes (struct advice_list *advice)
{
  double bytes = advice->class_bytes[PLACEMENT_COLD];
  char share[NUMBER_TEXT_BYTES];
  if (!advice->report->placement.has_accesses
      || advice->memory_bytes < ADVICE_CACHE_BYTES
      || bytes * 100 >= advice->memory_bytes * ADVICE_FEW_PERCENT)
    return true;
  return add_text (&advice->limits,
		   "Cold blocks are %s%% of the memory: keeping them apart "
		   "from others hardly leaves pages untouched.",
		   share_text (share, bytes, advice->memory_bytes));
}

/* Return the context with most accesses; 0 if there is none.  */
static uint32_t
most_accessed (const struct advice_list *advice)
{
  const struct heap_profile *profile = advice->report->profile;
  uint32_t found = 0;
  uint64_t most = 0;
  for (uint32_t i = 0; i < heap_profile_context_count (profile); i++)
    {
      const struct memory_info *info = heap_profile_info (profile, i);
      if (info == NULL || info->access_count.total <= most)
	continue;
      found = i;
      most = info->access_count.total;
    }
  return found;
}

/* Write the number of COUNT blocks to TEXT, of NUMBER_TEXT_BYTES, and return
   it.  */
static const char *
blocks_text (char *text, uint64_t count)
{
  number_text (text, count);
  return strcat (text, count == 1 ? " block" : " blocks");
}

/* Most accesses are to a few large blocks.  */
static bool
limit_by_large_blocks (struct advice_list *advice)
{
  const struct heap_report *report = advice->report;
  uint32_t context = most_accessed (advice);
  const struct memory_info *info
    = context != 0 ? heap_profile_info (report->profile, context) : NULL;
  char share[NUMBER_TEXT_BYTES];
  char size[NUMBER_TEXT_BYTES];
  char blocks[NUMBER_TEXT_BYTES];
  if (info == NULL || info->alloc_count == 0
      || (double) info->access_count.total * 100
	   < accesses_of (advice) * ADVICE_MOST_PERCENT
      || info->size_bytes.total / info->alloc_count < ADVICE_PAGE_BYTES)
    return true;
  uint32_t site = advice_sites_find (&advice->sites, context);
  char *where
    = site_text (report,
		 heap_profile_context_frame (report->profile,
					     site != 0 ? site : context));
  bool is_done
    = where != NULL
      && add_text (&advice->limits,
		   "%s%% of the accesses are to %s of %s on average, from "
		   "%s: whole pages, whose place among other blocks does not "
		   "matter.",
		   share_text (share, (double) info->access_count.total,
			       accesses_of (advice)),
		   blocks_text (blocks, info->alloc_count),
		   bytes_text (size, (double) info->size_bytes.total
				       / (double) info->alloc_count),
		   where);
  free (where);
  return is_done;
}

/* Return true if filters or kinds exclude advice.  */
static bool
is_restricted (const struct advice_list *advice)
{
  bool has_all = true;
  for (int kind = 0; kind < ADVICE_KINDS; kind++)
    has_all &= advice->options.kinds[kind];
  return !has_all || heap_report_is_filtered (advice->report);
}

/* No advice is left: say what the largest would be.  */
static bool
limit_by_share (struct advice_list *advice)
{
  const struct advice_gain *best = &advice->best_dropped;
  char share[NUMBER_TEXT_BYTES];
  if (advice->count > 0)
    return true;
  if (best->share_percent == 0)
    return add_text (&advice->limits,
		     is_restricted (advice)
		       ? "No chosen rule applies to any chosen "
			 "allocation site."
		       : "No rule applies to any allocation "
			 "site of the profile.");
  return add_text (&advice->limits,
		   "The largest gain of any advice is %s%% of the %s.",
		   share_text (share, best->share_percent, 100),
		   advice_unit_words (best->unit));
}

/* ---- What the profile does not tell.  */

static bool
has_histograms (const struct heap_report *report)
{
  return heap_details_histogram_count (heap_profile_details (report->profile))
	 > 0;
}

static bool
add_missing (struct advice_list *advice)
{
  const struct heap_report *report = advice->report;
  struct advice_sentences *missing = &advice->missing;
  uint64_t unfinished = report->total.unfinished_count;
  char text[NUMBER_TEXT_BYTES];
  if (unfinished > 0
      && !add_text (missing,
		    "Of %s, only the allocation is known, because their "
		    "processes did not end: there is no advice on them.",
		    blocks_text (text, unfinished)))
    return false;
  if (!report->known.has_accesses
      && !add_text (missing, "Accesses were not counted: there is no advice on "
			     "unused, oversized or cold blocks."))
    return false;
  if (report->total.lifetime_ns.total == 0
      && !add_text (missing, "Lifetimes are unknown: there is no advice on "
			     "temporaries and on memory."))
    return false;
  if (!has_histograms (report)
      && !add_text (missing,
		    "Accesses to members are unknown: for advice on classes, "
		    "compile with -fplugin-arg-heapprof-histogram."))
    return false;
  return (advice->options.remarks != NULL
	  || add_text (missing,
		       "The compiler's use of the profile is unknown: give its "
		       "remarks with --remarks=FILE."));
}

bool
advice_add_limits (struct advice_list *advice)
{
  static bool (*const rules[]) (struct advice_list * advice)
    = { limit_by_share,	    limit_by_blocks,	  limit_by_memory,
	limit_by_hot_bytes, limit_by_temporaries, limit_by_large_blocks,
	limit_by_cold_bytes };
  bool has_accesses = advice->report->known.has_accesses;
  if (!advice->report->known.has_blocks)
    return add_text (&advice->limits, advice->report->known.has_samples
					? "No block was a sample."
					: "Nothing was allocated.");
  /* The others are about accesses.  */
  size_t count = has_accesses ? sizeof rules / sizeof *rules : 3;
  for (size_t i = 0; i < count; i++)
    if (!rules[i](advice))
      return false;
  return add_missing (advice);
}
