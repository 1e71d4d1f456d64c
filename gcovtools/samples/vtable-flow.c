/* Counts of virtual tables that promoted calls no longer load from.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "vtable-flow.h"
#include <stdlib.h>

/* How many instructions represent each way of a jump if only addresses were
   sampled: further on there may be another jump, or both ways may join.  */
#define INSTRUCTIONS_OF_WAY 2

/* How many instructions the code that saves registers may have, at least
   twice.  */
#define INSTRUCTIONS_OF_PROLOGUE 32

/* ---- Counting.  */

/* Return true if the jump of SITE, when not taken, leads to objects with its
   table.  The target of that way is right behind the jump.  */
static bool
falls_to_same (const struct vtable_site *site)
{
  bool is_behind = site->same > site->jump;
  return is_behind && (site->other <= site->jump || site->same < site->other);
}

static void
count_jump (const struct vtable_site *site, struct vtable_flow *flow,
	    bool is_taken, uint64_t count)
{
  bool is_same = falls_to_same (site) != is_taken;
  sample_count_add (is_same ? &flow->same : &flow->other, count);
}

/* Add the range PAIR, which ends with a taken jump.  */
static void
count_range (const struct vtable_sites *sites, struct vtable_flow *flows,
	     const struct address_pair *pair)
{
  for (size_t i = vtable_sites_first (sites, pair->first);
       i < sites->count && sites->sites[i].jump <= pair->second; i++)
    count_jump (&sites->sites[i], &flows[i],
		sites->sites[i].jump == pair->second, pair->count);
}

/* Return the number of address samples in image NUMBER from START up to
   END.  */
static uint64_t
count_addresses (const struct address_pairs *pairs, uint32_t number,
		 uint64_t start, uint64_t end)
{
  uint32_t low = 0;
  uint32_t high = pairs->count;
  uint64_t sum = 0;
  while (low < high)
    {
      uint32_t middle = low + (high - low) / 2;
      const struct address_pair *pair = &pairs->slots[middle];
      if (pair->space < number
	  || (pair->space == number && pair->first < start))
	low = middle + 1;
      else
	high = middle;
    }
  for (; low < pairs->count && pairs->slots[low].space == number
	 && pairs->slots[low].first < end;
       low++)
    sample_count_add (&sum, pairs->slots[low].count);
  return sum;
}

/* Return true if the objects that fail a comparison may go to ADDRESS.  */
static bool
is_other_way (const struct vtable_sites *sites, uint64_t address)
{
  for (size_t i = 0; i < sites->count; i++)
    if (sites->sites[i].other == address)
      return true;
  return false;
}

/* Return the number of samples on the way of IMAGE that starts at START,
   normalized to INSTRUCTIONS_OF_WAY instructions.  */
static uint64_t
weigh_way (const struct image *image, uint32_t number, uint64_t start,
	   const struct address_pairs *pairs)
{
  struct code_instruction instruction = { .address = start };
  uint64_t end = start;
  unsigned int count = 0;
  while (count < INSTRUCTIONS_OF_WAY && !instruction.leaves
	 && (count == 0 || !is_other_way (&image->sites, end))
	 && code_map_find (image->code, end, &instruction))
    {
      end += instruction.bytes;
      count++;
    }
  if (count == 0)
    return 0;
  double samples = (double) count_addresses (pairs, number, start, end);
  return (uint64_t) (samples * INSTRUCTIONS_OF_WAY / count + 0.5);
}

/* Return the number of samples that come to START from another such way, which
   starts before it and runs into it: if only the first object that fails a
   comparison needs the stack, the others have a copy of the comparison whose
   way starts behind the code that saves registers.  */
static uint64_t
weigh_before (const struct image *image, uint32_t number, uint64_t start,
	      const struct address_pairs *pairs)
{
  const struct vtable_sites *sites = &image->sites;
  uint64_t before = 0;
  for (size_t i = 0; i < sites->count; i++)
    if (sites->sites[i].other < start && sites->sites[i].other > before)
      before = sites->sites[i].other;
  if (before == 0)
    return 0;
  struct code_instruction instruction = { .address = before };
  uint64_t end = before;
  for (unsigned int count = 0;
       count < INSTRUCTIONS_OF_PROLOGUE && end < start && !instruction.leaves
       && code_map_find (image->code, end, &instruction);
       count++)
    end += instruction.bytes;
  return end == start && !instruction.leaves
	   ? weigh_way (image, number, before, pairs)
	   : 0;
}

/* Return the number of samples on the way of IMAGE that starts at START, for
   objects that fail a comparison.  */
static uint64_t
weigh_other (const struct image *image, uint32_t number, uint64_t start,
	     const struct address_pairs *pairs)
{
  uint64_t all = weigh_way (image, number, start, pairs);
  uint64_t before = weigh_before (image, number, start, pairs);
  return all > before ? all - before : 0;
}

struct vtable_flow *
vtable_flow_count (const struct image *image, uint32_t number,
		   const struct sampled_code *code)
{
  const struct vtable_sites *sites = &image->sites;
  struct vtable_flow *flows
    = calloc (sites->count > 0 ? sites->count : 1, sizeof *flows);
  if (flows == NULL)
    return NULL;
  if (code->branch_samples == 0)
    for (size_t i = 0; i < sites->count; i++)
      {
	const struct vtable_site *site = &sites->sites[i];
	flows[i].same = weigh_way (image, number, site->same, &code->addresses);
	flows[i].other
	  = weigh_other (image, number, site->other, &code->addresses);
      }
  for (uint32_t i = 0; i < code->ranges.count; i++)
    if (code->ranges.slots[i].space == number)
      count_range (sites, flows, &code->ranges.slots[i]);
  return flows;
}

/* ---- Applying the counts.  */

static int
compare_calls (const void *a, const void *b)
{
  const struct promoted_call *x = a;
  const struct promoted_call *y = b;
  if (x->function != y->function)
    return x->function < y->function ? -1 : 1;
  int order = sample_location_compare (x->location, y->location);
  return order != 0 ? order : (x->table > y->table) - (x->table < y->table);
}

static bool
is_compared (const struct promoted_call *calls, size_t count, uint32_t table)
{
  for (size_t i = 0; i < count; i++)
    if (calls[i].table == table)
      return true;
  return false;
}

/* Remove the tables of the COUNT CALLS from TABLES and scale the other loads so
   that their sum is exactly REST, despite rounding.  */
static void
scale_loads (struct sample_counts *tables, const struct promoted_call *calls,
	     size_t count, uint64_t rest)
{
  uint64_t sum = 0;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < tables->count; i++)
    if (!is_compared (calls, count, tables->counts[i].name))
      {
	sample_count_add (&sum, tables->counts[i].count);
	tables->counts[kept++] = tables->counts[i];
      }
  tables->count = kept;
  uint64_t loads = 0;
  uint64_t given = 0;
  for (uint32_t i = 0; i < kept && sum > 0; i++)
    {
      uint64_t *own = &tables->counts[i].count;
      sample_count_add (&loads, *own);
      uint64_t up_to
	= (uint64_t) (((unsigned __int128) rest * loads + sum / 2) / sum);
      *own = up_to - given;
      given = up_to;
    }
}

/* Apply the COUNT CALLS, all at one location.  */
static bool
apply_place (struct sample_profile *profile, const struct promoted_call *calls,
	     size_t count)
{
  struct sample_function *function = calls->function;
  uint64_t rest = 0;
  uint64_t all = 0;
  for (size_t i = 0; i < count; i++)
    {
      sample_count_add (&rest, calls[i].rest);
      sample_count_add (&all, calls[i].same);
    }
  if (all == 0 && rest == 0)
    return true;
  for (uint32_t i = 0; i < function->vtables_count; i++)
    if (sample_location_compare (function->vtables[i].location, calls->location)
	== 0)
      scale_loads (&function->vtables[i].tables, calls, count, rest);
  for (size_t i = 0; i < count; i++)
    if (calls[i].same > 0
	&& !sample_function_add_vtable (profile, function, calls->location,
					calls[i].table, calls[i].same))
      return false;
  return true;
}

bool
vtable_flow_apply (struct sample_profile *profile, struct promoted_call *calls,
		   size_t count)
{
  if (count > 0)
    qsort (calls, count, sizeof *calls, compare_calls);
  for (size_t start = 0, end; start < count; start = end)
    {
      for (end = start + 1; end < count; end++)
	if (calls[end].function != calls[start].function
	    || sample_location_compare (calls[end].location,
					calls[start].location)
		 != 0)
	  break;
      if (!apply_place (profile, &calls[start], end - start))
	return false;
    }
  return true;
}
