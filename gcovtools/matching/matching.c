/* Use of a heap profile by the compiler: sums over remarks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "matching.h"
#include "matching-absent.h"
#include "saturating.h"
#include <stdlib.h>
#include <string.h>

static void
add_remark (struct matching_sum *sum, const struct remark *remark)
{
  sum->calls++;
  sum->contexts = saturating_add (sum->contexts, remark->contexts);
  sum->allocations = saturating_add (sum->allocations, remark->count);
  sum->bytes = saturating_add (sum->bytes, remark->bytes);
}

static void
add_profile (struct matching_sum *sum, const struct heap_profile *profile)
{
  for (uint32_t id = 0; id < heap_profile_context_count (profile); id++)
    {
      const struct memory_info *info = heap_profile_info (profile, id);
      if (info == NULL)
	continue;
      sum->contexts++;
      sum->allocations = saturating_add (sum->allocations, info->alloc_count);
      sum->bytes = saturating_add (sum->bytes, info->size_bytes.total);
    }
}

/* Return the sum for REMARK's reason, adding the reason if it is new.  There is
   room for it.  */
static struct matching_sum *
find_reason (struct matching *matching, const struct remark *remark)
{
  struct matching_reason *reason = matching->reasons;
  struct matching_reason *end = reason + matching->reason_count;
  for (; reason < end; reason++)
    if (reason->is_matched == remark->is_matched
	&& reason->outcome == remark->outcome
	&& strcmp (reason->text, remark->reason) == 0)
      return &reason->sum;
  *end = (struct matching_reason){ .text = remark->reason,
				   .outcome = remark->outcome,
				   .is_matched = remark->is_matched };
  matching->reason_count++;
  return &end->sum;
}

static bool
need_reason (struct matching *matching)
{
  /* The capacity doubles whenever the count is a power of two.  */
  size_t n = matching->reason_count;
  if ((n & (n - 1)) != 0)
    return true;
  size_t room = n == 0 ? 1 : 2 * n;
  struct matching_reason *reasons
    = realloc (matching->reasons, room * sizeof *reasons);
  if (reasons != NULL)
    matching->reasons = reasons;
  return reasons != NULL;
}

/* Most bytes first; then by text, matched ones first.  */
static int
compare_reasons (const void *element1, const void *element2)
{
  const struct matching_reason *a = element1;
  const struct matching_reason *b = element2;
  if (a->sum.bytes != b->sum.bytes)
    return a->sum.bytes > b->sum.bytes ? -1 : 1;
  int order = strcmp (a->text, b->text);
  return order != 0 ? order : (int) b->is_matched - (int) a->is_matched;
}

static uint64_t
rest (uint64_t all, uint64_t part)
{
  return part < all ? all - part : 0;
}

static struct matching_sum
rest_of (struct matching_sum all, const struct matching_sum *part)
{
  all.contexts = rest (all.contexts, part->contexts);
  all.allocations = rest (all.allocations, part->allocations);
  all.bytes = rest (all.bytes, part->bytes);
  return all;
}

static void
add_sum (struct matching_sum *sum, const struct matching_sum *part)
{
  sum->calls += part->calls;
  sum->contexts = saturating_add (sum->contexts, part->contexts);
  sum->allocations = saturating_add (sum->allocations, part->allocations);
  sum->bytes = saturating_add (sum->bytes, part->bytes);
}

/* Add up what has a decided place.  */
static void
add_placed (struct matching *matching)
{
  matching->placed = matching->libraries;
  for (int outcome = 0; outcome < REMARK_OUTCOMES; outcome++)
    for (int hint = 0; hint < REMARK_HINTS; hint++)
      if (outcome != REMARK_LOST && hint != REMARK_AMBIGUOUS)
	add_sum (&matching->placed, &matching->hints[outcome][hint]);
}

bool
matching_make (struct matching *matching, const struct heap_profile *profile,
	       const struct remarks *remarks)
{
  add_profile (&matching->profile, profile);
  for (size_t i = 0; i < remarks->count; i++)
    {
      const struct remark *remark = &remarks->list[i];
      add_remark (&matching->outcomes[remark->outcome], remark);
      if (remark->is_matched)
	add_remark (&matching->matched, remark);
      if (remark->outcome != REMARK_LOST)
	add_remark (&matching->hints[remark->outcome][remark->hint], remark);
      if (remark->reason == NULL)
	continue;
      if (!need_reason (matching))
	return false;
      add_remark (find_reason (matching, remark), remark);
    }
  if (matching->reason_count > 1)
    qsort (matching->reasons, matching->reason_count, sizeof *matching->reasons,
	   compare_reasons);
  matching->token_calls = remarks->token_calls;
  /* Without any token in the remarks, the compiler did not use them.  */
  if ((matching->token_calls > 0
       || matching->hints[REMARK_HINTED][REMARK_TOKEN].calls > 0)
      && !matching_add_libraries (&matching->libraries, matching->path,
				  profile))
    return false;
  add_placed (matching);
  matching->unmatched
    = rest_of (rest_of (matching->profile, &matching->matched),
	       &matching->libraries);
  if (!matching_add_absent (matching, profile, remarks))
    return false;
  struct matching_sum *libraries = &matching->absent[MATCHING_ABSENT_LIBRARY];
  *libraries = rest_of (*libraries, &matching->libraries);
  return true;
}

const char *
matching_absent_reason (enum matching_absent absent)
{
  static const char *const reasons[MATCHING_ABSENTS]
    = { "allocated in a library that has no remarks",
	"allocated in a unit that has no remarks" };
  return reasons[absent];
}

void
matching_release (struct matching *matching)
{
  free (matching->reasons);
}
