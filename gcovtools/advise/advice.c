/* Advice: what a heap profile supports that a developer can change.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "advice.h"
#include "advice-limits.h"
#include <stdlib.h>

const struct advice_kind_facts *
advice_kind_facts (enum advice_kind kind)
{
  static const struct advice_kind_facts facts[ADVICE_KINDS] = {
    [ADVICE_UNUSED]
    = { "unused", "Blocks that are never accessed",
	"The program allocates and frees blocks that no counted code reads or "
	"writes.",
	"Allocate the block only where it is used. Accesses by the kernel and "
	"by libraries that were compiled without the plugin are not counted: "
	"check that the block is not merely passed to them.",
	true },
    [ADVICE_TEMPORARIES]
    = { "temporaries", "Many short-lived blocks",
	"A line allocates many blocks that are freed soon after.",
	"Allocate once outside of the loop and reuse the block, use an array "
	"on the stack, or avoid the copy.",
	false },
    [ADVICE_RESERVE]
    = { "reserve", "Blocks that grow step by step",
	"A container or buffer grows by moving to a larger block again and "
	"again.",
	"Reserve the expected size first, or start with a larger one.", false },
    [ADVICE_POOL]
    = { "pool", "Many small blocks of few sizes",
	"A line allocates many small blocks of one size or few sizes that "
	"live long.",
	"Allocate them from a pool, which needs no header for each block; if "
	"they are freed together, from an arena.",
	false },
    [ADVICE_OVERSIZED]
    = { "oversized", "Blocks that are accessed only in part",
	"Large parts of the blocks are never accessed.",
	"Allocate what is needed, or shrink the block when its size is known.",
	false },
    [ADVICE_GROUPS]
    = { "groups", "Hot blocks between others",
	"Blocks with most of the accesses share pages and cache lines with "
	"blocks that are hardly accessed.",
	"Build the program with -fplugin-arg-heapprof-use, which keeps them "
	"apart without a change of the source.",
	false },
    [ADVICE_LAYOUT]
    = { "layout", "A class whose members could be in a better order",
	"Accesses touch more cache lines of an object than necessary, or the "
	"object has holes.",
	"Change the order of the members.", false },
    [ADVICE_SPLIT]
    = { "split", "A class with many cold bytes",
	"Objects consist mostly of members that are hardly accessed.",
	"Move the cold members to an object of their own.", false },
    [ADVICE_LEAK]
    = { "leak", "Blocks that are lost",
	"Blocks were not freed, and when the program ended, it had no pointer "
	"left to them.",
	"Free the blocks before the last pointer to them is overwritten or "
	"goes out of scope.",
	true },
    [ADVICE_GROWING]
    = { "growing", "Blocks that become more and more",
	"Blocks are not freed, although the program hardly accesses them, and "
	"allocates more throughout the run.",
	"Free the blocks when they are no longer needed.", true },
    [ADVICE_COLD]
    = { "cold", "Memory that is hardly accessed",
	"Blocks stay in memory that are hardly accessed.",
	"Keep them apart from other blocks, as a build with "
	"-fplugin-arg-heapprof-use does, or free them earlier, or create them "
	"later.",
	false },
    [ADVICE_PLACEMENT]
    = { "placement", "Allocations that the compiler could not place",
	"The compiler used the profile, but not for this allocation.",
	"Remove the obstacle that the message names.", false }
  };
  return &facts[kind];
}

const char *
advice_unit_name (enum advice_unit unit)
{
  static const char *const names[ADVICE_UNITS]
    = { [ADVICE_ALLOCATIONS] = "allocations",
	[ADVICE_ALLOCATED_BYTES] = "allocated_bytes",
	[ADVICE_MEMORY_BYTES] = "memory_bytes",
	[ADVICE_PEAK_BYTES] = "peak_bytes",
	[ADVICE_ACCESSES] = "accesses" };
  return names[unit];
}

const char *
advice_unit_words (enum advice_unit unit)
{
  static const char *const words[ADVICE_UNITS]
    = { [ADVICE_ALLOCATIONS] = "allocations",
	[ADVICE_ALLOCATED_BYTES] = "bytes allocated",
	[ADVICE_MEMORY_BYTES] = "memory",
	[ADVICE_PEAK_BYTES] = "peak memory",
	[ADVICE_ACCESSES] = "accesses" };
  return words[unit];
}

double
advice_memory_blocks (const struct advice_list *advice,
		      const struct memory_info *info)
{
  return advice->run_ns > 0 ? (double) info->lifetime_ns.total / advice->run_ns
			    : 0;
}

double
advice_memory_bytes (const struct advice_list *advice,
		     const struct memory_info *info)
{
  if (info->alloc_count == 0)
    return 0;
  return (double) info->size_bytes.total / (double) info->alloc_count
	 * advice_memory_blocks (advice, info);
}

bool
advice_are_freed_together (const struct advice_list *advice,
			   const struct memory_info *info)
{
  const struct heap_totals *totals
    = heap_profile_totals (advice->report->profile);
  return (totals->runs == 1 && heap_known_has_times (info)
	  && info->live_count == 0 && info->first_dealloc_ns > 0
	  && info->last_dealloc_ns >= info->first_dealloc_ns
	  && (double) (info->last_dealloc_ns - info->first_dealloc_ns) * 100
	       <= advice->run_ns * ADVICE_TOGETHER_PERCENT);
}

bool
advice_text_start (struct advice_text *text, char **result)
{
  text->text = result;
  text->out = open_memstream (result, &text->bytes);
  return text->out != NULL;
}

bool
advice_text_end (struct advice_text *text)
{
  return fclose (text->out) == 0;
}

uint64_t
advice_block_overhead (uint64_t bytes)
{
  uint64_t chunk = (bytes + ADVICE_MALLOC_HEADER + ADVICE_MALLOC_ALIGNMENT - 1)
		   / ADVICE_MALLOC_ALIGNMENT * ADVICE_MALLOC_ALIGNMENT;
  if (chunk < ADVICE_MALLOC_LEAST)
    chunk = ADVICE_MALLOC_LEAST;
  return chunk - bytes;
}

/* Return how much of UNIT the program has.  */
static double
whole_of (const struct advice_list *advice, enum advice_unit unit)
{
  const struct memory_info *total = &advice->report->total;
  switch (unit)
    {
    case ADVICE_ALLOCATIONS:
      return (double) total->alloc_count;
    case ADVICE_ALLOCATED_BYTES:
      return (double) total->size_bytes.total;
    case ADVICE_MEMORY_BYTES:
      return advice->memory_bytes;
    case ADVICE_PEAK_BYTES:
      return (double) heap_profile_totals (advice->report->profile)->peak_bytes;
    case ADVICE_ACCESSES:
    default:
      return (double) total->access_count.total;
    }
}

void
advice_set_gain (const struct advice_list *advice, struct advice_gain *gain,
		 enum advice_unit unit, double amount)
{
  double whole = whole_of (advice, unit);
  gain->unit = unit;
  gain->amount = amount;
  gain->share_percent = whole > 0 ? 100 * amount / whole : 0;
}

struct advice *
advice_add (struct advice_list *advice, enum advice_kind kind)
{
  if (advice->count == advice->capacity)
    {
      size_t capacity = 2 * advice->capacity + 64;
      struct advice *list = realloc (advice->list, capacity * sizeof *list);
      if (list == NULL)
	return NULL;
      advice->list = list;
      advice->capacity = capacity;
    }
  struct advice *item = &advice->list[advice->count++];
  *item = (struct advice){ .kind = kind, .function = "", .file = "" };
  return item;
}

void
advice_set_site (const struct advice_list *advice, struct advice *item,
		 uint32_t context, uint32_t site)
{
  const struct heap_profile *profile = advice->report->profile;
  item->context = context;
  item->site = site;
  item->frame = heap_profile_context_frame (profile, site);
  const struct heap_frame *frame = heap_profile_frame (profile, item->frame);
  item->function = heap_profile_string (profile, frame->function_name);
  item->file = heap_profile_string (profile, frame->file);
  item->line = frame->line;
}

void
advice_free_item (struct advice *item)
{
  free (item->evidence);
  free (item->action);
}

static void
free_sentences (struct advice_sentences *sentences)
{
  for (size_t i = 0; i < sentences->count; i++)
    free (sentences->list[i]);
  free (sentences->list);
}

void
advice_release (struct advice_list *advice)
{
  for (size_t i = 0; i < advice->count; i++)
    advice_free_item (&advice->list[i]);
  free (advice->list);
  free_sentences (&advice->limits);
  free_sentences (&advice->missing);
  advice_sites_release (&advice->sites);
}
