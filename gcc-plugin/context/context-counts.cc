/* Execution counts of clones and their originals.
   SPDX-License-Identifier: GPL-3.0-or-later

   With -fprofile-use the graph has counts, and a clone starts with all of its
   original's.  Divide them: each gets the share that its callers account for.
   In a circle (context-graph.h) that is the share of the calls that enter the
   circle; the calls within the circle are divided in the same ratio.  The
   compiler scales the counts in bodies to those of the graph.  */

#include "gcc-compat.h"
#include "context-counts.h"

profile_count
context_counts_entries (const vec<cgraph_node *> &members)
{
  profile_count entries = profile_count::zero ();

  for (cgraph_node *node : members)
    {
      profile_count inner = profile_count::zero ();
      for (cgraph_edge *call = node->callers; call; call = call->next_caller)
	if (members.contains (call->caller))
	  inner += call->count.ipa ();
      entries += node->count.ipa () - inner;
    }
  return entries;
}

profile_count
context_counts_sum (const vec<cgraph_edge *> &calls)
{
  profile_count sum = profile_count::zero ();

  for (cgraph_edge *call : calls)
    sum += call->count.ipa ();
  return sum;
}

/* Scale the counts of NODE and its calls by PART / WHOLE.  */
static void
scale_counts (cgraph_node *node, profile_count part, profile_count whole)
{
  node->count = node->count.apply_scale (part, whole);
  for (cgraph_edge *call = node->callees; call; call = call->next_callee)
    call->count = call->count.apply_scale (part, whole);
  for (cgraph_edge *call = node->indirect_calls; call; call = call->next_callee)
    call->count = call->count.apply_scale (part, whole);
}

void
context_counts_share (const vec<cgraph_node *> &members,
		      const vec<cgraph_node *> &clones, profile_count entries,
		      profile_count part)
{
  if (!entries.initialized_p () || !entries.nonzero_p ()
      || !part.initialized_p ())
    return;
  if (part > entries)
    part = entries;
  for (cgraph_node *clone : clones)
    scale_counts (clone, part, entries);
  for (cgraph_node *node : members)
    scale_counts (node, entries - part, entries);
}
