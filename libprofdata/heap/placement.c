/* Placement classes: which calling contexts' blocks belong together in memory.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "placement.h"
#include "large-memory.h"
#include "number-sort.h"
#include <math.h>
#include <stdlib.h>

#define NS_PER_SECOND 1e9

struct ranked
{
  uint64_t place; /* the less the denser */
  double density;
  double accesses;
};

/* LLVM's short schema has no accesses, but their mean per byte and second of
   each block, times 100.  The estimate is exact for blocks that are alike.  */
static double
accesses_of (const struct memory_info *info)
{
  const double n = (double) info->alloc_count;
  if (info->access_count.total > 0 || !memory_info_is_counted (info))
    return (double) info->access_count.total;
  return (double) info->lifetime_access_density.total / 100 / n
	 * ((double) info->size_bytes.total / n)
	 * ((double) info->lifetime_ns.total / NS_PER_SECOND);
}

/* Blocks that a killed run has not released have a lifetime only in bytes.  */
double
placement_mean_lifetime (const struct placement_rules *rules,
			 const struct memory_info *info)
{
  const double observed = (double) info->alloc_count;
  return rules->in_bytes ? (double) info->lifetime_bytes
			     / (observed + (double) info->unfinished_count)
			 : (double) info->lifetime_ns.total / observed;
}

/* True if the memory of INFO's blocks serves no other blocks.  */
static bool
is_kept (const struct memory_info *info)
{
  const double unfinished = (double) info->unfinished_count;
  const double all = (double) info->alloc_count + unfinished;
  return ((double) info->live_count + unfinished) * 2 > all
	 || (double) info->peak_count * 2 > all;
}

/* Return the facts of INFO by RULES, of which only the unit of lifetimes is
   used.  */
static struct placement_facts
facts_of (const struct placement_rules *rules, const struct memory_info *info)
{
  return (struct placement_facts){
    .count = info->alloc_count,
    .bytes = info->size_bytes.total,
    .accesses = info->access_count.total,
    .real_accesses = accesses_of (info),
    .counted_bytes
    = (double) info->size_bytes.total - (double) info->uncounted_bytes,
    .lifetime = placement_mean_lifetime (rules, info),
    .is_counted = memory_info_is_counted (info),
    .is_kept = is_kept (info),
    .is_left = info->live_count > info->alloc_count / 2
  };
}

/* Return ACCESSES, which may be 0, per AMOUNT.  Blocks of no time or no bytes
   that were accessed anyway are infinitely dense.  */
static double
per_amount (double accesses, double amount)
{
  if (accesses == 0)
    return 0;
  return amount > 0 ? accesses / amount : INFINITY;
}

/* Return the accesses per byte that was allocated, which depends on nothing but
   the program and its input.  */
static double
density_of (const struct placement_facts *facts)
{
  return per_amount (facts->real_accesses, facts->counted_bytes);
}

/* Return the same per byte and time in memory.  */
static double
density_in_time (const struct placement_facts *facts)
{
  return per_amount (facts->real_accesses,
		     facts->counted_bytes * facts->lifetime);
}

static bool
is_temporary (const struct placement_rules *rules,
	      const struct placement_facts *facts)
{
  if (rules->run == 0 || facts->lifetime > rules->temporary)
    return false;
  return !rules->in_bytes
	 || (facts->real_accesses
	       <= rules->temporary_accesses * (double) facts->count
	     && !facts->is_kept);
}

double
placement_run_ns (uint64_t runs, uint64_t duration_ns, uint64_t longest_ns)
{
  const double longest = (double) longest_ns;
  const double mean = runs > 0 ? (double) duration_ns / (double) runs : 0;
  return mean > longest ? mean : longest;
}

/* Return the greatest mean lifetime of temporary blocks, as a share of a run
   that allocates BYTES.  */
static double
temporary_share (double bytes)
{
  const double share = PLACEMENT_TEMPORARY_PERCENT / 100.0;
  const double share_of_bytes
    = bytes > 0 ? PLACEMENT_TEMPORARY_BYTES / bytes : share;
  return share < share_of_bytes ? share : share_of_bytes;
}

/* Return the middle of the widest gap below the first of the COUNT contexts
   RANKED, of ACCESSES in total, at most PLACEMENT_GAP_PERCENT below.  Contexts
   of few accesses do not count.  */
static double
widest_gap (const struct ranked *ranked, size_t count, double accesses)
{
  const double first = ranked[0].density;
  const double least = first * (100 - PLACEMENT_GAP_PERCENT) / 100;
  double above = first, cut = first, widest = 0;
  for (size_t i = 1; above >= least && above > 0; i++)
    {
      if (i < count
	  && ranked[i].accesses * 100 < accesses * PLACEMENT_FEW_PERCENT)
	continue;
      const double below = i < count ? ranked[i].density : 0;
      const double gap = below > 0 ? above / below : INFINITY;
      if (gap > widest)
	{
	  widest = gap;
	  cut = below > 0 ? (above + below) / 2 : above;
	}
      above = below;
    }
  return cut;
}

/* Return the least density of those of the COUNT contexts RANKED, which are
   sorted and have ACCESSES in total, that have PLACEMENT_HOT_PERCENT of them,
   or little less: two runs of a program whose accesses differ a little, by
   hashes of addresses for example, are not likely to have contexts on both
   sides.  UNSEEN more accesses are to others, which are denser.  */
static double
hot_cut (const struct ranked *ranked, size_t count, double accesses,
	 double unseen)
{
  double sum = unseen;
  accesses += unseen;
  if (unseen * 100 >= accesses * PLACEMENT_HOT_PERCENT && unseen > 0)
    return INFINITY;
  for (size_t i = 0; i < count; i++)
    {
      sum += ranked[i].accesses;
      if (sum > 0 && sum * 100 >= accesses * PLACEMENT_HOT_PERCENT)
	return widest_gap (ranked + i, count - i, accesses);
    }
  return INFINITY;
}

/* Sort the COUNT contexts RANKED, which have ACCESSES in total, and return the
   density of the first of those that have the last PLACEMENT_COLD_PERCENT of
   them; contexts of equal density are on one side.  -1 if there are none.  */
static double
cold_cut (struct ranked *ranked, struct ranked *spare, size_t count,
	  double accesses)
{
  double left = accesses;
  number_sort (ranked, spare, count, sizeof *ranked);
  for (size_t i = 0; i < count; i++)
    {
      if (i > 0 && ranked[i].density < ranked[i - 1].density
	  && left * 100 <= accesses * PLACEMENT_COLD_PERCENT)
	return ranked[i].density;
      left -= ranked[i].accesses;
    }
  return accesses > 0 ? -1 : 0;
}

static struct ranked
rank_of (double density, double accesses)
{
  return (struct ranked){ number_descending (density), density, accesses };
}

/* Rank the contexts that are not temporary, in both ways.  UNSEEN accesses are
   to blocks for which no sample stands.  */
static bool
rank (struct placement_rules *rules, const struct placement_facts *facts,
      size_t count, double unseen)
{
  struct ranked *by_bytes = large_memory_room ((count + 1) * sizeof *by_bytes);
  struct ranked *by_time = large_memory_room ((count + 1) * sizeof *by_time);
  struct ranked *spare = large_memory_room ((count + 1) * sizeof *spare);
  size_t ranked = 0;
  double accesses = 0;
  bool is_done = by_bytes != NULL && by_time != NULL && spare != NULL;
  for (size_t i = 0; i < count && is_done; i++)
    {
      if (!facts[i].is_counted || is_temporary (rules, &facts[i]))
	continue;
      const double its_accesses = facts[i].real_accesses;
      by_bytes[ranked] = rank_of (density_of (&facts[i]), its_accesses);
      by_time[ranked++] = rank_of (density_in_time (&facts[i]), its_accesses);
      accesses += its_accesses;
    }
  if (is_done)
    {
      number_sort (by_bytes, spare, ranked, sizeof *by_bytes);
      rules->hot_density = hot_cut (by_bytes, ranked, accesses, 0);
      rules->sure_density = hot_cut (by_bytes, ranked, accesses, unseen);
      rules->cold_density = cold_cut (by_time, spare, ranked, accesses);
    }
  free (by_bytes);
  free (by_time);
  free (spare);
  return is_done;
}

/* What all contexts have together.  */
struct sums
{
  double bytes;
  double accesses;
  uint64_t longest_ns; /* lifetime of a block */
};

/* Store the facts of all contexts in FACTS, by the unit of RULES, and return
   their sums.  */
static struct sums
gather (const struct placement_rules *rules, placement_info *info,
	const void *data, size_t count, struct placement_facts *facts)
{
  struct sums sums = { 0 };
  for (size_t i = 0; i < count; i++)
    {
      const struct memory_info *context = info (data, i);
      if (context == NULL)
	{
	  facts[i] = (struct placement_facts){ 0 };
	  continue;
	}
      facts[i] = facts_of (rules, context);
      sums.bytes += (double) context->size_bytes.total
		    + (double) context->unfinished_bytes;
      sums.accesses += facts[i].real_accesses;
      if (context->lifetime_ns.max > sums.longest_ns)
	sums.longest_ns = context->lifetime_ns.max;
    }
  return sums;
}

/* Return the accesses of all runs of TOTALS that are not among ACCESSES, which
   are estimated from samples.  */
static double
unseen_accesses (const struct heap_totals *totals, double accesses)
{
  const double unseen = (double) totals->overall_accesses - accesses;
  return totals->runs > 0 && totals->overall_runs == totals->runs && unseen > 0
	   ? unseen
	   : 0;
}

/* placement_classify without the classes.  */
static bool
make_rules (struct placement_rules *rules, const struct heap_totals *totals,
	    placement_info *info, const void *data, size_t count,
	    struct placement_facts *facts)
{
  const double runs = totals->runs > 1 ? (double) totals->runs : 1;
  *rules = (struct placement_rules){ .in_bytes
				     = totals->runs > 0
				       && totals->counted_runs == totals->runs
				       && totals->counted_bytes > 0 };
  const struct sums sums = gather (rules, info, data, count, facts);
  const double bytes
    = rules->in_bytes ? (double) totals->counted_bytes : sums.bytes;
  rules->has_accesses = sums.accesses > 0;
  rules->run
    = rules->in_bytes
	? bytes / runs
	: placement_run_ns (totals->runs, totals->duration_ns, sums.longest_ns);
  rules->temporary = rules->run * temporary_share (bytes / runs);
  rules->temporary_accesses
    = sums.accesses / runs * PLACEMENT_TEMPORARY_PERCENT / 100;
  rules->cold = rules->run * PLACEMENT_COLD_LIFETIME_PERCENT / 100;
  return !rules->has_accesses
	 || rank (rules, facts, count, unseen_accesses (totals, sums.accesses));
}

bool
placement_rules_make (struct placement_rules *rules,
		      const struct heap_totals *totals, placement_info *info,
		      const void *data, size_t count)
{
  struct placement_facts *facts = malloc ((count + 1) * sizeof *facts);
  const bool is_done
    = facts != NULL && make_rules (rules, totals, info, data, count, facts);
  free (facts);
  return is_done;
}

static enum placement_class
class_of (const struct placement_rules *rules,
	  const struct placement_facts *facts)
{
  if (facts->count == 0)
    return PLACEMENT_UNKNOWN;
  if (is_temporary (rules, facts))
    return PLACEMENT_TEMPORARY;
  if (!rules->has_accesses || !facts->is_counted)
    return PLACEMENT_UNKNOWN;
  if (density_in_time (facts) <= rules->cold_density
      && (facts->lifetime >= rules->cold
	  || (rules->in_bytes && facts->is_kept)))
    return PLACEMENT_COLD;
  return density_of (facts) >= rules->hot_density ? PLACEMENT_HOT
						  : PLACEMENT_WARM;
}

bool
placement_classify (struct placement_rules *rules,
		    const struct heap_totals *totals, placement_info *info,
		    const void *data, size_t count,
		    struct placement_facts *facts)
{
  if (!make_rules (rules, totals, info, data, count, facts))
    return false;
  for (size_t i = 0; i < count; i++)
    facts[i].its_class = class_of (rules, &facts[i]);
  return true;
}

enum placement_class
placement_class_of (const struct placement_rules *rules,
		    const struct memory_info *info)
{
  const struct placement_facts facts = facts_of (rules, info);
  return class_of (rules, &facts);
}

bool
placement_class_is_certain (const struct placement_rules *rules,
			    const struct memory_info *info, double share)
{
  const struct placement_facts facts = facts_of (rules, info);
  struct placement_facts fewer = facts, more = facts;
  fewer.real_accesses *= share < 1 ? 1 - share : 0;
  more.real_accesses *= 1 + share;
  const enum placement_class its_class = class_of (rules, &facts);
  return class_of (rules, &fewer) == its_class
	 && class_of (rules, &more) == its_class
	 && (its_class != PLACEMENT_HOT
	     || density_of (&fewer) >= rules->sure_density);
}

/* Bytes stand still while a program computes.  So blocks that are kept count
   fully: there is no telling how long they are used.  */
double
placement_facts_in_memory (const struct placement_rules *rules,
			   const struct placement_facts *facts)
{
  const double bytes = (double) facts->bytes;
  if (facts->count == 0 || rules->run <= 0
      || (rules->in_bytes && facts->is_kept))
    return bytes;
  return bytes * facts->lifetime / rules->run;
}

double
placement_bytes_in_memory (const struct placement_rules *rules,
			   const struct memory_info *info)
{
  const struct placement_facts facts = facts_of (rules, info);
  return placement_facts_in_memory (rules, &facts);
}

const char *
placement_class_name (enum placement_class value)
{
  static const char *const names[PLACEMENT_CLASSES]
    = { [PLACEMENT_UNKNOWN] = "unknown",
	[PLACEMENT_TEMPORARY] = "temporary",
	[PLACEMENT_HOT] = "hot",
	[PLACEMENT_WARM] = "warm",
	[PLACEMENT_COLD] = "cold" };
  return names[value];
}
