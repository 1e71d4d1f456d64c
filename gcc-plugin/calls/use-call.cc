/* Heap profile data of a call: the attributes on it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "arguments.h"
#include "memory-info.h"
#include "use-call.h"
#include "use-frame.h"

/* Users cannot spell these.  */
static const char callsite_attribute[] = "heapprof callsite";
static const char memprof_attribute[] = "heapprof memprof";
static const char callees_attribute[] = "heapprof callees";

use_call::~use_call ()
{
  for (use_context &context : contexts)
    context.callers.release ();
}

/* Return the value of the attribute NAME on CALL, or NULL.  */
static tree
attribute_of_call (const gcall *call, const char *name)
{
  tree type
    = gimple_call_internal_p (call) ? NULL_TREE : gimple_call_fntype (call);
  tree attribute
    = type ? lookup_attribute (name, TYPE_ATTRIBUTES (type)) : NULL_TREE;

  return attribute ? TREE_VALUE (attribute) : NULL_TREE;
}

bool
use_call_known_p (const gcall *call)
{
  return attribute_of_call (call, callsite_attribute);
}

tree
use_call_mibs (const gcall *call)
{
  return attribute_of_call (call, memprof_attribute);
}

uint64_t
use_mib_field (tree fields, unsigned tag)
{
  for (; fields; fields = TREE_CHAIN (fields))
    if (tree_to_uhwi (TREE_PURPOSE (fields)) == tag)
      return tree_to_uhwi (TREE_VALUE (fields));
  return 0;
}

const char *
use_mib_field_name (unsigned tag)
{
  return tag == USE_CLASS_TAG ? "Class" : memory_info_field_name (tag);
}

/* Return the innermost block around BLOCK, including BLOCK itself, that is the
   body of an inlined function, or NULL.  */
static tree
inlined_body (tree block)
{
  while (block && TREE_CODE (block) == BLOCK
	 && !inlined_function_outer_scope_p (block))
    block = BLOCK_SUPERCONTEXT (block);
  return block && TREE_CODE (block) == BLOCK ? block : NULL_TREE;
}

void
use_call_places (const gcall *call, tree decl, vec<use_place> *places)
{
  location_t location = gimple_location (call);

  for (tree block = inlined_body (gimple_block (call)); block;
       block = inlined_body (BLOCK_SUPERCONTEXT (block)))
    {
      places->safe_push ({ block_ultimate_origin (block), location });
      location = BLOCK_SOURCE_LOCATION (block);
    }
  places->safe_push ({ decl, location });
}

/* Contexts have no frames for calls from a function to itself, so skip these.
   Skip calls that are not in the source, too: GCC split a function in two and
   inlined one half again; and calls of functions that were part of the caller
   when the profile was made.  */
void
use_call_callers (const gcall *call, tree decl, vec<uint64_t> *ids)
{
  auto_vec<use_place> places;

  use_call_places (call, decl, &places);
  for (unsigned i = 1; i < places.length (); i++)
    {
      uint64_t caller_id;
      use_frame_find (places[i].function, places[i].location, &caller_id);
      if (DECL_ORIGIN (places[i - 1].function)
	    != DECL_ORIGIN (places[i].function)
	  && caller_id != 0)
	ids->safe_push (caller_id);
    }
}

void
use_call_chain (const gcall *call, tree decl, uint64_t id, vec<uint64_t> *ids)
{
  ids->safe_push (id);
  use_call_callers (call, decl, ids);
}

void
use_call_functions (const gcall *call, tree decl, vec<tree> *functions)
{
  for (tree block = inlined_body (gimple_block (call)); block;
       block = inlined_body (BLOCK_SUPERCONTEXT (block)))
    {
      tree function = DECL_ORIGIN (block_ultimate_origin (block));
      if (functions->is_empty () || functions->last () != function)
	functions->safe_push (function);
    }
  tree function = DECL_ORIGIN (decl);
  if (functions->is_empty () || functions->last () != function)
    functions->safe_push (function);
}

bool
use_mib_begins_p (tree mib, const vec<uint64_t> &ids, tree *callers)
{
  tree stack = TREE_PURPOSE (mib);

  for (uint64_t id : ids)
    {
      if (!stack || tree_to_uhwi (TREE_VALUE (stack)) != id)
	return false;
      stack = TREE_CHAIN (stack);
    }
  *callers = stack;
  return true;
}

/* LLVM's default: 200 seconds.  */
static double default_cold_lifetime_ms = 200000;

void
use_set_cold_lifetime (double milliseconds)
{
  default_cold_lifetime_ms = milliseconds;
}

/* Warm blocks go where hot ones do: between the blocks that a malloc places in
   the order of calls, cold ones among them, they would be spread over more
   pages.  Temporary blocks stay where they are: nothing is known to be better.
   See also place_temporaries.  */
hint_class
use_hint_of_placement (placement_class placement)
{
  switch (placement)
    {
    case PLACEMENT_HOT:
    case PLACEMENT_WARM:
      return HINT_HOT;
    case PLACEMENT_COLD:
      return HINT_COLD;
    default:
      return HINT_NOT_COLD;
    }
}

/* The formulae and values are LLVM's.  Like LLVM, compute in single precision,
   so that values at a threshold fall on the same side.  */
static hint_class
classify_by_limits (tree fields)
{
  const heap_use_arguments &use = arguments.use;
  float count = use_mib_field (fields, MEMORY_INFO_ALLOC_COUNT);
  float lifetime_ms = use_mib_field (fields, MEMORY_INFO_TOTAL_LIFETIME);
  float density
    = use_mib_field (fields, MEMORY_INFO_TOTAL_LIFETIME_ACCESS_DENSITY);
  float cold_lifetime_ms = (use.cold_lifetime_ms < 0 ? default_cold_lifetime_ms
						     : use.cold_lifetime_ms);

  if (count == 0)
    return HINT_NOT_COLD;
  density = density / count / 100;
  if (density < (float) use.cold_density
      && lifetime_ms / count >= cold_lifetime_ms)
    return HINT_COLD;
  return density > (float) use.hot_density ? HINT_HOT : HINT_NOT_COLD;
}

/* Return the placement class of a MIB with FIELDS.  Set *KNOWN to false if it
   has none or limits replace it.  */
static placement_class
placement_of (tree fields, bool *known)
{
  const uint64_t placement
    = use_mib_field (fields, USE_CLASS_TAG) & ~USE_CLASS_BY_TOKEN;

  *known = placement > 0 && !arguments.use.by_limits;
  return *known ? (placement_class) (placement - 1) : PLACEMENT_UNKNOWN;
}

int
use_hint_value (hint_class hint)
{
  static const int values[] = { 0, 1, 128, 254 };

  return values[hint];
}

const char *
use_hint_name (hint_class hint)
{
  static const char *const names[] = { "none", "cold", "notcold", "hot" };

  return names[hint];
}

/* Add MIB to RESULT, whose ids are filled in.  */
static void
add_context (tree mib, use_call *result)
{
  tree fields = TREE_VALUE (mib), callers;
  uint64_t count = use_mib_field (fields, MEMORY_INFO_ALLOC_COUNT);
  uint64_t bytes = use_mib_field (fields, MEMORY_INFO_TOTAL_SIZE);

  if (!use_mib_begins_p (mib, result->ids, &callers))
    {
      result->pruned_contexts++;
      result->pruned_count += count;
      result->pruned_bytes += bytes;
      return;
    }
  bool by_token
    = (!arguments.use.by_limits
       && (use_mib_field (fields, USE_CLASS_TAG) & USE_CLASS_BY_TOKEN) != 0);
  bool known;
  const placement_class placement = placement_of (fields, &known);
  const hint_class hint
    = (known ? use_hint_of_placement (placement) : classify_by_limits (fields));
  use_context context
    = { vNULL, hint, placement == PLACEMENT_TEMPORARY, by_token, count, bytes };
  for (; callers; callers = TREE_CHAIN (callers))
    context.callers.safe_push (tree_to_uhwi (TREE_VALUE (callers)));
  result->contexts.safe_push (context);
}

/* Temporary blocks may be anywhere but between cold ones.  Where others are
   hot, they need not be told apart; small ones belong with hot blocks in any
   case (placement.h).  */
static void
place_temporaries (vec<use_context> &contexts)
{
  bool hot = false, other = false;
  uint64_t count = 0, bytes = 0;

  for (const use_context &context : contexts)
    {
      hot |= context.hint == HINT_HOT;
      other |= context.hint == HINT_NOT_COLD && !context.temporary;
      count += context.temporary ? context.count : 0;
      bytes += context.temporary ? context.bytes : 0;
    }
  if (!other && (hot || bytes / MAX (count, 1) <= PLACEMENT_SMALL_BYTES))
    for (use_context &context : contexts)
      if (context.temporary)
	context.hint = HINT_HOT;
}

bool
use_call_read (const gcall *call, tree decl, use_call *result)
{
  tree id = attribute_of_call (call, callsite_attribute);

  if (!id)
    return false;
  use_call_chain (call, decl, tree_to_uhwi (TREE_VALUE (id)), &result->ids);
  for (tree mib = use_call_mibs (call); mib; mib = TREE_CHAIN (mib))
    add_context (mib, result);
  place_temporaries (result->contexts);
  for (tree callee = attribute_of_call (call, callees_attribute); callee;
       callee = TREE_CHAIN (callee))
    result->callees.safe_push (tree_to_uhwi (TREE_VALUE (callee)));
  return true;
}

bool
use_call_hot_by_default_p (const gcall *call, tree decl)
{
  use_call read;
  bool any = false;

  if (!use_call_read (call, decl, &read))
    return false;
  for (const use_context &context : read.contexts)
    {
      if (context.hint == HINT_NOT_COLD)
	return false;
      any |= context.temporary;
    }
  return any;
}

/* Return ATTRIBUTES with the attribute NAME of VALUE added in front, unless
   VALUE is NULL.  */
static tree
add_attribute (const char *name, tree value, tree attributes)
{
  return value ? tree_cons (get_identifier (name), value, attributes)
	       : attributes;
}

void
use_call_annotate (gcall *call, uint64_t id, tree mibs, tree callees)
{
  tree type = build_variant_type_copy (gimple_call_fntype (call));
  tree frame
    = build_tree_list (NULL_TREE,
		       build_int_cstu (long_long_unsigned_type_node, id));
  tree attributes
    = add_attribute (callees_attribute, callees, TYPE_ATTRIBUTES (type));

  attributes = add_attribute (memprof_attribute, mibs, attributes);
  TYPE_ATTRIBUTES (type)
    = add_attribute (callsite_attribute, frame, attributes);
  gimple_call_set_fntype (call, type);
}
