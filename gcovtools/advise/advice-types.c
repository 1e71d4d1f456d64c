/* Advice on data types: the order of members, and cold members.
   SPDX-License-Identifier: GPL-3.0-or-later

   This needs histograms, which count accesses by member.  A type is described
   where most of its objects are allocated.  */

#include "advice-limits.h"
#include "advice-make.h"
#include "frame-text.h"
#include "member-order.h"
#include "table.h"
#include "type-sums.h"
#include <inttypes.h>
#include <stdlib.h>

/* A type and the objects of it in memory.  */
struct type_use
{
  const struct advice_list *advice;
  const struct type_sum *sum;
  const struct heap_type *type;
  uint32_t context; /* with most bytes */
  double objects;   /* in memory, on average over the run */
  bool is_single;   /* each block is one object */
};

static const char *
string_of (const struct type_use *use, uint32_t string)
{
  return heap_profile_string (use->advice->report->profile, string);
}

static void
find_context (struct type_use *use)
{
  const struct heap_report *report = use->advice->report;
  uint64_t most = 0;
  for (size_t i = 0; i < report->context_count; i++)
    {
      const struct report_entry *entry = &report->contexts[i];
      if (entry->info.data_type_id != use->type->number
	  || entry->info.size_bytes.total <= most)
	continue;
      most = entry->info.size_bytes.total;
      use->context = entry->context;
    }
}

/* Fill USE.  Return false if nothing is known about its members.  */
static bool
make_use (struct type_use *use, const struct advice_list *advice,
	  const struct type_sum *sum)
{
  const struct heap_type *type = sum->type;
  if (type == NULL || type->kind != HEAP_TYPE_CLASS || sum->placed == 0
      || sum->words == NULL || sum->info.alloc_count == 0
      || heap_type_is_open (type))
    return false;
  const struct memory_info_range *size = &sum->info.size_bytes;
  *use = (struct type_use){ .advice = advice, .sum = sum, .type = type };
  use->is_single = heap_known_has_bounds (&sum->info, size)
		   && size->min == type->size && size->max == type->size;
  use->objects = advice_memory_bytes (advice, &sum->info) / (double) type->size;
  find_context (use);
  return use->context != 0;
}

/* Return the bytes in memory that objects of SIZE would save.  */
static double
bytes_saved (const struct type_use *use, uint64_t size)
{
  uint64_t before = use->type->size;
  uint64_t after = size;
  if (size == 0 || size >= before)
    return 0;
  if (use->is_single)
    {
      before += advice_block_overhead (before);
      after += advice_block_overhead (after);
    }
  return use->objects * (double) (before - after);
}

/* Return new advice of KIND on USE; NULL if memory is exhausted.  */
static struct advice *
add_item (struct advice_list *advice, const struct type_use *use,
	  enum advice_kind kind)
{
  struct advice *item = advice_add (advice, kind);
  if (item == NULL)
    return NULL;
  uint32_t site = advice_sites_find (&advice->sites, use->context);
  advice_set_site (advice, item, use->context, site != 0 ? site : use->context);
  item->info = use->sum->info;
  item->type = use->type;
  item->contexts = use->sum->context_count;
  item->memory_bytes = advice_memory_bytes (advice, &use->sum->info);
  item->memory_blocks = advice_memory_blocks (advice, &use->sum->info);
  return item;
}

/* ---- The order of members.  */

static void
write_lines (FILE *out, uint32_t lines)
{
  fprintf (out, "%" PRIu32 " cache line%s", lines, lines != 1 ? "s" : "");
}

static bool
word_order (struct advice *item, const struct type_use *use,
	    const struct member_order *order)
{
  struct advice_text text;
  char number[NUMBER_TEXT_BYTES];
  char *name = type_name_text (use->advice->report, use->type->name);
  if (name == NULL || !advice_text_start (&text, &item->evidence))
    {
      free (name);
      return false;
    }
  fprintf (text.out, "%s, %" PRIu64 " bytes: %d%% of the accesses touch ", name,
	   use->type->size, CACHE_LINES_PERCENT);
  free (name);
  write_lines (text.out, order->lines_before);
  fprintf (text.out, " of an object; %s%% of all accesses are to such objects.",
	   share_text (number, (double) use->sum->info.access_count.total,
		       (double) use->advice->report->total.access_count.total));
  if (!advice_text_end (&text) || !advice_text_start (&text, &item->action))
    return false;
  fputs ("Order the members like this, for ", text.out);
  write_lines (text.out, order->lines_after);
  if (order->size > 0)
    fprintf (text.out, " and %" PRIu64 " bytes", order->size);
  putc (':', text.out);
  for (uint32_t i = 0; i < order->count; i++)
    {
      const struct heap_member *member = &use->type->members[order->members[i]];
      if (member->kind != HEAP_MEMBER_MADE)
	fprintf (text.out, " %s", string_of (use, member->name));
    }
  fputs (".", text.out);
  return advice_text_end (&text);
}

static bool
check_order (struct advice_list *advice, const struct type_use *use)
{
  struct member_order order;
  struct advice_gain lines = { 0 };
  struct advice_gain bytes;
  bool is_done = member_order_find (&order, use->sum);
  if (is_done && order.is_better)
    {
      struct advice *item = add_item (advice, use, ADVICE_LAYOUT);
      if (order.lines_before > order.lines_after)
	advice_set_gain (advice, &lines, ADVICE_ACCESSES,
			 (double) use->sum->info.access_count.total
			   * (order.lines_before - order.lines_after)
			   / order.lines_before);
      advice_set_gain (advice, &bytes, ADVICE_MEMORY_BYTES,
		       bytes_saved (use, order.size));
      if (item != NULL)
	item->gain = lines.share_percent > bytes.share_percent ? lines : bytes;
      is_done = item != NULL && word_order (item, use, &order);
    }
  member_order_release (&order);
  return is_done;
}

/* ---- Cold members.  */

static bool
is_cold_member (const struct type_use *use, uint32_t number)
{
  struct member_accesses accesses = type_sum_member (use->sum, number);
  return use->type->members[number].kind == HEAP_MEMBER_DATA
	 && (double) (accesses.own + accesses.shared) * 100
	      < (double) use->sum->placed * ADVICE_COLD_MEMBER_PERCENT;
}

static bool
word_split (struct advice *item, const struct type_use *use,
	    uint64_t cold_bytes)
{
  struct advice_text text;
  const char *separator = "";
  char *name = type_name_text (use->advice->report, use->type->name);
  if (name == NULL || !advice_text_start (&text, &item->evidence))
    {
      free (name);
      return false;
    }
  fprintf (text.out,
	   "%s, %" PRIu64 " bytes: %" PRIu64
	   " of them are members that each have less than %d%% of the "
	   "accesses.",
	   name, use->type->size, cold_bytes, ADVICE_COLD_MEMBER_PERCENT);
  free (name);
  if (!advice_text_end (&text) || !advice_text_start (&text, &item->action))
    return false;
  fputs ("Move these to an object of their own, allocated when needed: ",
	 text.out);
  for (uint32_t i = 0; i < use->type->member_count; i++)
    {
      if (!is_cold_member (use, i))
	continue;
      fprintf (text.out, "%s%s", separator,
	       string_of (use, use->type->members[i].name));
      separator = ", ";
    }
  fputs (".", text.out);
  return advice_text_end (&text);
}

static bool
check_split (struct advice_list *advice, const struct type_use *use)
{
  uint64_t cold = 0;
  for (uint32_t i = 0; i < use->type->member_count; i++)
    if (is_cold_member (use, i))
      cold += heap_type_end_of_member (use->type, i)
	      - use->type->members[i].offset;
  if (cold < ADVICE_SPLIT_BYTES || cold * 2 < use->type->size
      || cold > use->type->size)
    return true;
  struct advice *item = add_item (advice, use, ADVICE_SPLIT);
  if (item == NULL)
    return false;
  advice_set_gain (advice, &item->gain, ADVICE_MEMORY_BYTES,
		   use->objects * (double) cold);
  return word_split (item, use, cold);
}

/* Objects that fit into the cache together gain nothing.  */
static bool
are_many (const struct type_use *use)
{
  return advice_memory_bytes (use->advice, &use->sum->info)
	 >= ADVICE_LEAST_BYTES;
}

bool
advice_add_types (struct advice_list *advice)
{
  struct type_sums sums;
  bool is_done = type_sums_make (&sums, advice->report);
  for (size_t i = 0; i < sums.count && is_done; i++)
    {
      struct type_use use;
      if (make_use (&use, advice, &sums.sums[i]) && are_many (&use))
	is_done = check_order (advice, &use) && check_split (advice, &use);
    }
  type_sums_release (&sums);
  return is_done;
}
