/* Optimization with a machine-level profile: functions that never ran or ran
   first.
   SPDX-License-Identifier: GPL-3.0-or-later

   Functions are looked up (mip-use-find.cc) after inlining decisions: the
   remaining functions are those of the final program, which the profile
   describes.  With link-time optimization that is at the link.  A function that
   never ran is optimized for size and placed with cold ones.  A function with a
   position in the order of first calls gets a section .text.sorted.N, which
   linkers sort; one that was no function of the profiled program gets that of
   another part of its source function, or of one that it was part of.  A
   function whose source hash differs has changed since and is left alone.  */

#include "gcc-compat.h"
#include "arguments.h"
#include "heapprof/mip-format.h"
#include "mip-hash.h"
#include "mip-use.h"
#include "mip-use-find.h"

/* Statistics of the unit.  */
static unsigned n_cold;
static unsigned n_ordered;
static unsigned n_beside;
static unsigned n_changed;
static unsigned n_unknown;

/* Set the section of NODE, unless it has one, for the position PLACE, from
   1.  */
static void
set_section (cgraph_node *node, uint32_t place)
{
  char name[40];

  if (node->get_section ()
      || lookup_attribute ("section", DECL_ATTRIBUTES (node->decl)))
    return;
  sprintf (name, ".text.sorted.%06u", place);
  node->set_section (name);
  n_ordered++;
}

/* Return the source hash of NODE.  A clone made by the preceding passes has no
   body yet, and its declaration does not refer to the original.  */
static uint64_t
find_source_hash (cgraph_node *node)
{
  while (node->clone_of)
    node = node->clone_of;
  return mip_source_hash (node->decl);
}

/* True if NODE has the source of RECORD.  */
static bool
same_source_p (cgraph_node *node, const mip_function *record)
{
  return ((record->flags & HEAPPROF_MIP_HAS_SOURCE_HASH)
	  && record->source_hash == find_source_hash (node));
}

/* Optimize NODE by what the profile says about it.  */
static void
use_function (cgraph_node *node)
{
  tree decl = node->decl;
  mip_use_finding finding = mip_use_find (decl);

  if (!finding.record && !finding.place)
    n_unknown++;
  else if (finding.record && !same_source_p (node, finding.record))
    {
      n_changed++;
      if (arguments.verbose)
	inform (DECL_SOURCE_LOCATION (decl),
		"heapprof: %qD has changed since it was profiled: left alone",
		decl);
    }
  else if (finding.place)
    {
      n_beside += (!finding.record || finding.is_by_origin
		   || finding.record->runs == 0);
      set_section (node, finding.place);
    }
  else if (finding.record->runs == 0 && !finding.may_run_inlined)
    {
      node->frequency = NODE_FREQUENCY_UNLIKELY_EXECUTED;
      n_cold++;
    }
}

static void
collect_hashes (void *, void *)
{
  if (!seen_error () && !in_lto_p)
    mip_hash_collect ();
}

static void
use_unit (void *, void *)
{
  cgraph_node *node;

  /* With link-time optimization, the functions of the program are known at the
     link.  */
  if (seen_error () || (flag_lto && !in_lto_p) || !mip_use_read ())
    return;
  FOR_EACH_DEFINED_FUNCTION (node)
    if (!node->inlined_to && !node->alias && !node->thunk
	&& !node->in_other_partition && node->has_gimple_body_p ())
      use_function (node);
  if (arguments.verbose)
    inform (UNKNOWN_LOCATION,
	    "heapprof: functions that never ran: %u, placed: %u (%u beside "
	    "others), changed: %u, not in the profile: %u",
	    n_cold, n_ordered, n_beside, n_changed, n_unknown);
}

void
mip_use_start (const char *plugin_name)
{
  register_callback (plugin_name, PLUGIN_ALL_IPA_PASSES_START, collect_hashes,
		     NULL);
  register_callback (plugin_name, PLUGIN_ALL_IPA_PASSES_END, use_unit, NULL);
}
