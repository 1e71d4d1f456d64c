/* Balanced partitioning: place functions of the same runs close together.
   SPDX-License-Identifier: GPL-3.0-or-later

   The first 2, 4, 8, ... functions of a trace, and the complete trace, are
   groups.  The functions are halved recursively so that groups are split as
   little as possible; what stays together is placed together.  A group with A
   functions in one half and B in the other costs A log2 ((A + B) / A) + B log2
   ((A + B) / B) bits; pairs of functions are swapped as long as that reduces
   the total.  */

#include "mip-order.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Smaller parts, and parts at this depth, keep their order.  */
#define LEAST_PART 8
#define MAX_DEPTH 20
#define MAX_ROUNDS 20

/* The groups of a function: COUNT entries of GROUPS from FIRST.  */
struct member
{
  uint32_t first;
  uint32_t count;
};

struct partitioning
{
  struct member *members; /* by function */
  uint32_t *groups;
  uint32_t (*sides)[2]; /* by group: number of functions in each half */
  double *gains;	/* by index in the part */
  uint32_t *places;	/* candidates of both sides */
  uint8_t *side;	/* by index in the part */
};

/* Return the cost of a group with A and B functions in the halves.  */
static double
cost (uint32_t a, uint32_t b)
{
  double sum = (double) a + b;
  return (a > 0 ? a * log2 (sum / a) : 0) + (b > 0 ? b * log2 (sum / b) : 0);
}

/* Return how much the cost of FUNCTION's groups drops if it leaves SIDE.  */
static double
gain_of (const struct partitioning *p, uint32_t function, int side)
{
  const struct member *member = &p->members[function];
  double gain = 0;
  for (uint32_t i = 0; i < member->count; i++)
    {
      const uint32_t *sides = p->sides[p->groups[member->first + i]];
      uint32_t here = sides[side], there = sides[!side];
      gain += cost (here, there) - cost (here - 1, there + 1);
    }
  return gain;
}

static void
change_side (struct partitioning *p, uint32_t function, int from)
{
  const struct member *member = &p->members[function];
  for (uint32_t i = 0; i < member->count; i++)
    {
      uint32_t *sides = p->sides[p->groups[member->first + i]];
      sides[from]--;
      sides[!from]++;
    }
}

/* Sort the N PLACES by descending gain.  */
static void
sort_by_gain (const struct partitioning *p, uint32_t *places, size_t n)
{
  for (size_t gap = n / 2; gap > 0; gap /= 2)
    for (size_t i = gap; i < n; i++)
      {
	uint32_t place = places[i];
	size_t j = i;
	for (; j >= gap && p->gains[places[j - gap]] < p->gains[place];
	     j -= gap)
	  places[j] = places[j - gap];
	places[j] = place;
      }
}

/* Swap pairs of the COUNT functions at ORDER between the halves.  Return false
   if none was swapped.  */
static bool
improve (struct partitioning *p, const uint32_t *order, size_t count)
{
  size_t n[2] = { 0, 0 };
  uint32_t *lists[2] = { p->places, p->places + count };
  bool changed = false;
  for (size_t i = 0; i < count; i++)
    {
      int side = p->side[i];
      p->gains[i] = gain_of (p, order[i], side);
      lists[side][n[side]++] = (uint32_t) i;
    }
  sort_by_gain (p, lists[0], n[0]);
  sort_by_gain (p, lists[1], n[1]);
  for (size_t i = 0; i < n[0] && i < n[1]; i++)
    {
      uint32_t a = lists[0][i], b = lists[1][i];
      if (p->gains[a] + p->gains[b] <= 1e-9)
	break;
      /* Earlier swaps may have changed the gains.  */
      double real = gain_of (p, order[a], 0);
      change_side (p, order[a], 0);
      real += gain_of (p, order[b], 1);
      if (real <= 1e-9)
	{
	  change_side (p, order[a], 1);
	  continue;
	}
      change_side (p, order[b], 1);
      p->side[a] = 1;
      p->side[b] = 0;
      changed = true;
    }
  return changed;
}

/* Count the functions of each group in both halves of the COUNT functions at
   ORDER.  */
static void
begin_sides (struct partitioning *p, const uint32_t *order, size_t count)
{
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < count; i++)
      {
	const struct member *member = &p->members[order[i]];
	p->side[i] = i >= count / 2;
	for (uint32_t j = 0; j < member->count; j++)
	  {
	    uint32_t *sides = p->sides[p->groups[member->first + j]];
	    if (pass == 0)
	      sides[0] = sides[1] = 0;
	    else
	      sides[p->side[i]]++;
	  }
      }
}

/* Order the COUNT functions at ORDER, at recursion depth DEPTH.  */
static void
halve (struct partitioning *p, uint32_t *order, size_t count, int depth)
{
  if (count < LEAST_PART || depth == MAX_DEPTH)
    return;
  begin_sides (p, order, count);
  for (int round = 0; round < MAX_ROUNDS && improve (p, order, count);)
    round++;
  /* Functions keep their relative order within each half.  */
  size_t next = 0, half = count / 2;
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < count; i++)
      if (p->side[i] == side)
	p->places[next++] = order[i];
  memcpy (order, p->places, count * sizeof *order);
  halve (p, order, half, depth + 1);
  halve (p, order + half, count - half, depth + 1);
}

/* Count, or if FILL also store, the groups of each function.  Return the number
   of groups.  */
static size_t
visit_groups (const struct mip_profile *profile, struct partitioning *p,
	      bool fill)
{
  size_t group = 0;
  for (size_t i = 0; i < profile->trace_count; i++)
    {
      const struct mip_trace *trace = &profile->traces[i];
      for (uint64_t end = 2;; end *= 2, group++)
	{
	  uint32_t n = end < trace->count ? (uint32_t) end : trace->count;
	  for (uint32_t j = 0; j < n; j++)
	    {
	      struct member *member
		= &p->members[profile->trace_data[trace->first + j]];
	      if (fill)
		p->groups[member->first + member->count] = (uint32_t) group;
	      member->count++;
	    }
	  if (n == trace->count)
	    break;
	}
      group++;
    }
  return group;
}

/* Assign each member its range in GROUPS, by its count; return the sum of all
   counts.  */
static size_t
lay_out_members (const struct mip_profile *profile, struct partitioning *p)
{
  size_t total = 0;
  for (size_t i = 0; i < profile->function_count; i++)
    {
      p->members[i].first = (uint32_t) total;
      total += p->members[i].count;
      p->members[i].count = 0;
    }
  return total;
}

bool
mip_partition (const struct mip_profile *profile, uint32_t *order, size_t count)
{
  struct partitioning p = { 0 };
  p.members = calloc (profile->function_count + 1, sizeof *p.members);
  bool is_done = false;
  if (p.members != NULL)
    {
      size_t groups = visit_groups (profile, &p, false);
      size_t total = lay_out_members (profile, &p);
      p.groups = calloc (total + 1, sizeof *p.groups);
      p.sides = calloc (groups + 1, sizeof *p.sides);
      p.gains = calloc (count + 1, sizeof *p.gains);
      p.places = calloc (2 * count + 1, sizeof *p.places);
      p.side = calloc (count + 1, 1);
      is_done = p.groups != NULL && p.sides != NULL && p.gains != NULL
		&& p.places != NULL && p.side != NULL;
    }
  if (is_done)
    {
      visit_groups (profile, &p, true);
      halve (&p, order, count, 0);
    }
  free (p.members);
  free (p.groups);
  free (p.sides);
  free (p.gains);
  free (p.places);
  free (p.side);
  return is_done;
}
