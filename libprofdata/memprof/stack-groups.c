/* Groups: hot contexts whose blocks are used together share a pool of their
   own.
   SPDX-License-Identifier: GPL-3.0-or-later

   Starting with a group for each context, the two groups with the greatest
   affinity are joined, as long as it is at least half: the mean, over all pairs
   of their contexts, of the pair's lines in percent of those of the context
   with fewer.  */

#include "stack-groups.h"
#include "heap-affinities.h"
#include <stdlib.h>

/* What a context needs.  Larger blocks have cache lines and pages of their
   own.  */
#define LEAST_BLOCKS 64
#define MOST_MEAN_BYTES 512
#define LEAST_LINES 16
#define LEAST_LINES_PERMILLE 2

/* What a group needs, in memory at one time on average.  */
#define LEAST_GROUP_BYTES 32768

#define LEAST_AFFINITY 0.5

/* The greatest mean lifetime of blocks of a phase.  Blocks that are allocated
   throughout a run and never released live through half of it, on average.  */
#define MOST_PHASE_PERCENT 25

/* Contexts that are considered, those with most lines.  */
#define MEMBERS_MAX 512

struct member
{
  uint32_t stack;
  uint64_t lines;
  double bytes; /* in memory */
  unsigned int group;
};

struct grouping
{
  const struct llvm_records *records;
  const struct heap_details *details;
  struct member members[MEMBERS_MAX];
  unsigned int count;
  /* By the numbers of two groups: the affinities of their contexts, added up.
   */
  double affinities[MEMBERS_MAX][MEMBERS_MAX];
  unsigned int sizes[MEMBERS_MAX]; /* of groups; 0: joined to another one */
};

bool
stack_groups_is_phase (const struct placement_facts *facts,
		       const struct placement_rules *rules)
{
  if (facts->its_class != PLACEMENT_HOT && facts->its_class != PLACEMENT_WARM)
    return false;
  return facts->lifetime * 100 <= rules->run * MOST_PHASE_PERCENT
	 && !facts->is_left;
}

static int
compare_members (const void *element1, const void *element2)
{
  const struct member *member1 = element1;
  const struct member *member2 = element2;
  if (member1->lines != member2->lines)
    return member1->lines > member2->lines ? -1 : 1;
  return (member1->stack > member2->stack) - (member1->stack < member2->stack);
}

/* True if a context with FACTS may have a group.  */
static bool
may_have_group (const struct placement_facts *facts)
{
  return facts->its_class == PLACEMENT_HOT && facts->count >= LEAST_BLOCKS
	 && facts->bytes / facts->count <= MOST_MEAN_BYTES;
}

/* Find the members of GROUPING, and store the index + 1 of each stack's member
   in BY_STACK, which is all 0.  ALL has room for each affinity.  Several
   contexts may be one stack.  */
static void
find_members (struct grouping *grouping, struct member *all, uint32_t *by_stack,
	      const struct placement_facts *facts,
	      const struct placement_rules *rules)
{
  const uint32_t count = heap_details_affinity_count (grouping->details);
  uint64_t sum = 0;
  size_t n = 0;
  for (uint32_t i = 0; i < count; i++)
    {
      uint32_t stack, other;
      const uint64_t lines
	= llvm_records_affinity (grouping->records, i, &stack, &other);
      if (stack != other || lines == 0)
	continue;
      sum += lines;
      if (!may_have_group (&facts[stack]))
	continue;
      if (by_stack[stack] == 0)
	{
	  all[n] = (struct member){
	    .stack = stack,
	    .bytes = placement_facts_in_memory (rules, &facts[stack])
	  };
	  by_stack[stack] = (uint32_t) ++n;
	}
      all[by_stack[stack] - 1].lines += lines;
    }
  if (n > 1)
    qsort (all, n, sizeof *all, compare_members);
  for (size_t i = 0; i < n; i++)
    by_stack[all[i].stack] = 0;
  for (size_t i = 0; i < n && grouping->count < MEMBERS_MAX; i++)
    if (all[i].lines >= LEAST_LINES
	&& all[i].lines * 1000.0 >= sum * (double) LEAST_LINES_PERMILLE)
      {
	all[i].group = grouping->count;
	grouping->sizes[grouping->count] = 1;
	grouping->members[grouping->count++] = all[i];
	by_stack[all[i].stack] = grouping->count;
      }
}

/* Set the affinities of all pairs of members, each of which is a group of its
   own so far.  A pair may have several numbers of lines.  */
static void
find_affinities (struct grouping *grouping, const uint32_t *by_stack)
{
  const uint32_t count = heap_details_affinity_count (grouping->details);
  for (uint32_t i = 0; i < count; i++)
    {
      uint32_t first, second;
      const uint64_t lines
	= llvm_records_affinity (grouping->records, i, &first, &second);
      if (lines == 0 || first == second || by_stack[first] == 0
	  || by_stack[second] == 0)
	continue;
      const unsigned int one = by_stack[first] - 1u;
      const unsigned int other = by_stack[second] - 1u;
      const uint64_t lines1 = grouping->members[one].lines;
      const uint64_t lines2 = grouping->members[other].lines;
      const double affinity
	= (double) lines / (double) (lines1 < lines2 ? lines1 : lines2);
      grouping->affinities[one][other] += affinity;
      grouping->affinities[other][one] += affinity;
    }
}

/* Join the group JOINED to KEPT.  */
static void
join (struct grouping *grouping, unsigned int kept, unsigned int joined)
{
  for (unsigned int i = 0; i < grouping->count; i++)
    {
      grouping->affinities[kept][i] += grouping->affinities[joined][i];
      grouping->affinities[i][kept] = grouping->affinities[kept][i];
      if (grouping->members[i].group == joined)
	grouping->members[i].group = kept;
    }
  grouping->sizes[kept] += grouping->sizes[joined];
  grouping->sizes[joined] = 0;
}

/* Join the two groups with the greatest affinity; return false if there are
   none.  A group has the number of its first member.  */
static bool
join_best (struct grouping *grouping)
{
  double best = LEAST_AFFINITY;
  unsigned int kept = 0, joined = 0;
  for (unsigned int i = 0; i < grouping->count; i++)
    for (unsigned int j = i + 1; j < grouping->count && grouping->sizes[i] > 0;
	 j++)
      {
	const double pairs = (double) grouping->sizes[i] * grouping->sizes[j];
	if (pairs == 0 || grouping->affinities[i][j] < best * pairs)
	  continue;
	const double affinity = grouping->affinities[i][j] / pairs;
	if (joined == 0 || affinity > best)
	  {
	    best = affinity;
	    kept = i;
	    joined = j;
	  }
      }
  if (joined != 0)
    join (grouping, kept, joined);
  return joined != 0;
}

/* Store the groups that have enough bytes.  If there is only one, all other hot
   blocks are apart from it.  */
static void
store_groups (const struct grouping *grouping, uint8_t *groups)
{
  unsigned int number = 0;
  for (unsigned int i = 0; i < grouping->count && number < STACK_GROUPS_MAX;
       i++)
    {
      double bytes = 0;
      for (unsigned int j = 0; j < grouping->count; j++)
	if (grouping->members[j].group == i)
	  bytes += grouping->members[j].bytes;
      if (bytes < LEAST_GROUP_BYTES)
	continue;
      number++;
      for (unsigned int j = 0; j < grouping->count; j++)
	if (grouping->members[j].group == i)
	  groups[grouping->members[j].stack] = (uint8_t) number;
    }
}

bool
stack_groups_make (uint8_t *groups, const struct llvm_records *records,
		   const struct heap_profile *profile,
		   const struct placement_facts *facts,
		   const struct placement_rules *rules)
{
  const struct heap_details *details = heap_profile_read_details (profile);
  const uint32_t count = heap_details_affinity_count (details);
  if (count == 0)
    return true;
  struct grouping *grouping = calloc (1, sizeof *grouping);
  struct member *all = calloc (count, sizeof *all);
  uint32_t *by_stack
    = calloc (llvm_records_stack_count (records) + 1, sizeof *by_stack);
  const bool done = grouping && all && by_stack;
  if (done)
    {
      grouping->records = records;
      grouping->details = details;
      find_members (grouping, all, by_stack, facts, rules);
      find_affinities (grouping, by_stack);
      while (join_best (grouping))
	;
      store_groups (grouping, groups);
    }
  free (by_stack);
  free (all);
  free (grouping);
  return done;
}
