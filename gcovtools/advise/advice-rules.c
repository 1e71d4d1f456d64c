/* Rules of advice on allocation sites: what each calling context supports.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "advice-limits.h"
#include "advice-make.h"
#include <stdlib.h>
#include <string.h>

/* A context while rules are applied to it.  */
struct candidate
{
  const struct advice_list *advice;
  const struct report_entry *entry;
  const struct memory_info *info;
  uint32_t site;
  enum placement_class class;
  bool is_own; /* the program's code allocates and accesses the blocks */
  struct growth growth;
  bool grows;
};

/* What a context contributes to advice of KIND.  */
struct part
{
  enum advice_kind kind;
  uint32_t place;
  int size_class; /* for pools, which are for few sizes; else 0 */
  uint32_t site;
  const struct report_entry *entry;
  struct growth growth;
  double amounts[ADVICE_UNITS];
  double weight;
};

static bool
has_bounds (const struct memory_info *info)
{
  return heap_known_has_bounds (info, &info->size_bytes);
}

/* ---- The rules: each returns false, or fills the amounts of PART.  */

static bool
is_unused (const struct candidate *context, struct part *part)
{
  if (!context->advice->report->known.has_accesses || !context->is_own
      || context->info->uncounted_count > 0
      || context->info->access_count.total > 0
      || context->info->size_bytes.total == 0)
    return false;
  part->amounts[ADVICE_ALLOCATIONS] = (double) context->info->alloc_count;
  part->amounts[ADVICE_MEMORY_BYTES]
    = advice_memory_bytes (context->advice, context->info);
  return true;
}

/* The few blocks of one object that grows are not, however short it lived.  */
static bool
is_temporary (const struct candidate *context, struct part *part)
{
  if (context->class != PLACEMENT_TEMPORARY
      || (context->grows && context->growth.objects <= 1))
    return false;
  part->growth = context->growth;
  part->amounts[ADVICE_ALLOCATIONS] = (double) context->info->alloc_count;
  return true;
}

static bool
is_growth (const struct candidate *context, struct part *part)
{
  const struct memory_info *info = context->info;
  if (!context->grows)
    return false;
  double last = context->growth.objects * (double) info->size_bytes.max;
  double beyond = (double) info->size_bytes.total - last;
  part->growth = context->growth;
  part->amounts[ADVICE_ALLOCATIONS]
    = (double) info->alloc_count - context->growth.objects;
  part->amounts[ADVICE_ALLOCATED_BYTES] = beyond > 0 ? beyond : 0;
  return true;
}

static bool
fits_pool (const struct candidate *context, struct part *part)
{
  const struct memory_info *info = context->info;
  if (!has_bounds (info) || info->size_bytes.max > ADVICE_POOL_BYTES
      || info->size_bytes.min * ADVICE_POOL_SIZES_RATIO < info->size_bytes.max)
    return false;
  uint64_t mean = info->size_bytes.total / info->alloc_count;
  uint64_t overhead = advice_block_overhead (mean);
  part->size_class = 64 - __builtin_clzll (mean + overhead - 1);
  part->amounts[ADVICE_MEMORY_BYTES]
    = advice_memory_blocks (context->advice, info) * (double) overhead;
  return true;
}

/* One of these is about why the blocks are allocated at all.  */
static bool
find_first_kind (const struct candidate *context, struct part *part)
{
  static const struct
  {
    enum advice_kind kind;
    bool (*holds) (const struct candidate *context, struct part *part);
  } rules[] = { { ADVICE_UNUSED, is_unused },
		{ ADVICE_TEMPORARIES, is_temporary },
		{ ADVICE_RESERVE, is_growth },
		{ ADVICE_POOL, fits_pool } };
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (rules[i].holds (context, part))
      {
	part->kind = rules[i].kind;
	return true;
      }
  return false;
}

static bool
is_oversized (const struct candidate *context, struct part *part)
{
  const struct memory_info *info = context->info;
  double used = (double) info->utilization_percent.total
		/ ((double) info->alloc_count - (double) info->uncounted_count);
  double limit
    = context->grows ? ADVICE_GROWN_USED_PERCENT : ADVICE_USED_PERCENT;
  if (!context->advice->report->known.has_utilization
      || !memory_info_is_counted (info) || used > limit || !has_bounds (info)
      || info->size_bytes.min < ADVICE_OVERSIZED_BYTES)
    return false;
  part->kind = ADVICE_OVERSIZED;
  part->amounts[ADVICE_MEMORY_BYTES]
    = advice_memory_bytes (context->advice, info) * (100 - used) / 100;
  return true;
}

/* Return true if the first block of INFO, which keeps all, is old by the bytes
   that the program allocated since.  Set *IS_KNOWN unless most of these are
   INFO's: then the program allocates nothing else while it does other work, and
   only time tells.  */
static bool
is_old_in_bytes (const struct advice_list *advice,
		 const struct memory_info *info, bool *is_known)
{
  const struct placement_rules *placement = &advice->report->placement;
  const double run = placement->run;
  const double oldest = run - ((double) info->first_alloc_bytes - 1);
  *is_known = placement->in_bytes && info->first_alloc_bytes > 0
	      && (double) info->size_bytes.total * 2 < oldest * advice->runs;
  return oldest * 100 >= run * ADVICE_OLD_PERCENT;
}

/* Return true if the program keeps all blocks and allocates more and more. Time
   before its first block and after its last event does not count: when a
   process starts and ends, a busy machine lets it wait.  */
static bool
accumulates (const struct candidate *context)
{
  const struct memory_info *info = context->info;
  const struct advice_list *advice = context->advice;
  double run_ns = report_run_length_ns (advice->report);
  double after_ns = 0;
  if (!advice->report->known.has_runs || info->live_count != info->alloc_count
      || info->alloc_count < ADVICE_LEAST_BLOCKS
      || !heap_known_has_bounds (info, &info->lifetime_ns))
    return false;
  if (advice->last_ns > advice->first_ns)
    {
      run_ns = (double) (advice->last_ns - advice->first_ns);
      after_ns = (double) info->last_dealloc_ns - (double) advice->last_ns;
    }
  double young_ns = (double) info->lifetime_ns.min - after_ns;
  double old_ns = (double) info->lifetime_ns.max - after_ns;
  bool is_known;
  bool is_old = is_old_in_bytes (advice, info, &is_known);
  if (!is_known)
    is_old = old_ns * 100 >= run_ns * ADVICE_OLD_PERCENT;
  return young_ns * 100 <= run_ns * ADVICE_YOUNG_PERCENT && is_old;
}

static bool
is_cold (const struct candidate *context, struct part *part)
{
  if (context->class != PLACEMENT_COLD)
    return false;
  part->kind = accumulates (context) ? ADVICE_GROWING : ADVICE_COLD;
  /* What grows is small on average.  */
  part->amounts[ADVICE_MEMORY_BYTES]
    = part->kind == ADVICE_GROWING
	? (double) context->info->live_bytes / context->advice->runs
	: advice_memory_bytes (context->advice, context->info);
  return true;
}

/* Blocks of a library's own are not the program's to free.  */
static bool
is_lost (const struct candidate *context, struct part *part)
{
  const struct memory_info *info = context->info;
  if (!context->is_own || info->lost_count == 0)
    return false;
  part->kind = ADVICE_LEAK;
  part->amounts[ADVICE_MEMORY_BYTES]
    = advice_memory_bytes (context->advice, info) * (double) info->lost_bytes
      / (double) info->size_bytes.total;
  return true;
}

/* One of these is about the memory that the blocks occupy.  */
static bool
find_second_kind (const struct candidate *context, struct part *part)
{
  if (is_lost (context, part))
    return true;
  return context->is_own && context->info->access_count.total > 0
	 && context->class != PLACEMENT_TEMPORARY
	 && (is_oversized (context, part) || is_cold (context, part));
}

/* ---- Sites.  */

static void
finish_part (const struct candidate *context, struct part *part)
{
  const struct advice_sites *sites = &context->advice->sites;
  uint32_t frame = heap_profile_context_frame (context->advice->report->profile,
					       context->site);
  part->entry = context->entry;
  part->site = context->site;
  part->place = advice_sites_place (sites, frame);
  for (int unit = 0; unit < ADVICE_UNITS; unit++)
    {
      struct advice_gain gain;
      advice_set_gain (context->advice, &gain, unit, part->amounts[unit]);
      if (gain.share_percent > part->weight)
	part->weight = gain.share_percent;
    }
}

/* Store in PARTS, with room for two, what ENTRY contributes.  Return their
   number.  */
static size_t
apply_rules (const struct advice_list *advice, const struct report_entry *entry,
	     struct part *parts)
{
  const struct heap_report *report = advice->report;
  struct candidate context
    = { .advice = advice,
	.entry = entry,
	.info = &entry->info,
	.site = advice_sites_find (&advice->sites, entry->context),
	.is_own = advice_sites_is_own (&advice->sites, entry->context) };
  size_t count = 0;
  if (entry->info.alloc_count == 0 || context.site == 0)
    return 0;
  context.class = placement_class_of (&report->placement, context.info);
  context.grows
    = growth_find (&context.growth, report, entry->context, context.site);
  memset (parts, 0, 2 * sizeof *parts);
  if (find_first_kind (&context, &parts[count]))
    finish_part (&context, &parts[count++]);
  if (find_second_kind (&context, &parts[count]))
    finish_part (&context, &parts[count++]);
  return count;
}

/* Parts of one advice are next to each other, the largest first.  */
static int
compare_parts (const void *a, const void *b)
{
  const struct part *x = a;
  const struct part *y = b;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  if (x->place != y->place)
    return x->place < y->place ? -1 : 1;
  if (x->size_class != y->size_class)
    return x->size_class < y->size_class ? -1 : 1;
  if (x->weight != y->weight)
    return x->weight > y->weight ? -1 : 1;
  return (x->entry->context > y->entry->context)
	 - (x->entry->context < y->entry->context);
}

/* Set the gain of ITEM: in the unit in which it is largest.  */
static void
set_gain (const struct advice_list *advice, struct advice *item,
	  const double amounts[ADVICE_UNITS])
{
  for (int unit = 0; unit < ADVICE_UNITS; unit++)
    {
      struct advice_gain gain;
      advice_set_gain (advice, &gain, unit, amounts[unit]);
      if (unit == 0 || gain.share_percent > item->gain.share_percent)
	item->gain = gain;
    }
}

/* Add advice for the parts from FIRST on that belong together, at most END.
   Return the next one; NULL if memory is exhausted.  */
static const struct part *
add_site (struct advice_list *advice, const struct part *first,
	  const struct part *end)
{
  double amounts[ADVICE_UNITS] = { 0 };
  struct advice *item = advice_add (advice, first->kind);
  if (item == NULL)
    return NULL;
  advice_set_site (advice, item, first->entry->context, first->site);
  item->growth = first->growth;
  item->type
    = heap_details_type (heap_profile_details (advice->report->profile),
			 first->entry->info.data_type_id);
  const struct part *part = first;
  for (; (part < end && part->kind == first->kind && part->place == first->place
	  && part->size_class == first->size_class);
       part++)
    {
      const struct memory_info *info = &part->entry->info;
      if (info->data_type_id != first->entry->info.data_type_id)
	item->type = NULL;
      memory_info_add (&item->info, info);
      item->contexts++;
      item->memory_bytes += advice_memory_bytes (advice, info);
      item->memory_blocks += advice_memory_blocks (advice, info);
      item->objects += part->growth.objects;
      for (int unit = 0; unit < ADVICE_UNITS; unit++)
	amounts[unit] += part->amounts[unit];
    }
  set_gain (advice, item, amounts);
  return part;
}

static bool
is_wanted (const struct advice_list *advice, const struct advice *item)
{
  switch (item->kind)
    {
    case ADVICE_POOL:
      return item->info.alloc_count >= ADVICE_POOL_BLOCKS;
    case ADVICE_COLD:
      return advice->memory_bytes >= ADVICE_CACHE_BYTES;
    default:
      return true;
    }
}

/* Add advice for the COUNT PARTS, which are sorted.  */
static bool
add_parts (struct advice_list *advice, const struct part *parts, size_t count)
{
  const struct part *end = parts + count;
  while (parts < end)
    {
      parts = add_site (advice, parts, end);
      if (parts == NULL)
	return false;
      struct advice *item = &advice->list[advice->count - 1];
      if (!is_wanted (advice, item))
	advice->count--;
      else if (!advice_word_site (advice, item))
	return false;
    }
  return true;
}

bool
advice_add_sites (struct advice_list *advice)
{
  const struct heap_report *report = advice->report;
  struct part *parts = calloc (2 * report->context_count + 2, sizeof *parts);
  size_t count = 0;
  if (parts == NULL)
    return false;
  for (size_t i = 0; i < report->context_count; i++)
    count += apply_rules (advice, &report->contexts[i], &parts[count]);
  qsort (parts, count, sizeof *parts, compare_parts);
  bool is_done = add_parts (advice, parts, count);
  free (parts);
  return is_done;
}
