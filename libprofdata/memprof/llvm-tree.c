/* LLVM's view of a heap profile, as a tree.
   SPDX-License-Identifier: GPL-3.0-or-later

   Physical frames are created first.  They are few, so a context can share
   nodes only with few of them.  Below these, a context's node is created
   without a lookup when its frame is unique and no other context shares its
   caller's node.  */

#include "llvm-tree.h"
#include "heap-affinities.h"
#include "heap-profile-fill.h"
#include "large-memory.h"
#include "llvm-columns.h"
#include <stdlib.h>
#include <string.h>

/* A frame of the profile, inlined or not, in LLVM's form.  */
struct variant
{
  struct llvm_frame frame;
  uint32_t number; /* in the tree */
  bool is_used;
  bool is_alone;    /* no other variant has this number */
  bool was_inlined; /* according to the profile */
};

/* Prefetch distance of MIBs.  */
#define LOOK_AHEAD 16

/* What is known about the callees of a context.  */
enum callees
{
  HAS_CALLEE = 1,
  HAS_CALLEES = 2,
  HAS_DROPPED = 4,
  IS_SOLE = 8 /* no other context shares its node, except its callees if it is
		 dropped itself */
};

struct making
{
  struct llvm_tree *tree;
  const struct heap_profile *profile;
  const struct context_node *contexts;
  uint32_t count;	    /* contexts of the profile */
  bool *has_blocks;	    /* by context: blocks were allocated there */
  bool *allocates;	    /* by context: the same, or leads to one */
  bool *wanted;		    /* by context: the same, or leads to a call site of
			       the details */
  bool *continues;	    /* by context: its frame is inlined into one that
			       was not dropped */
  struct variant *variants; /* by frame * 2 + inlined */
  uint32_t frame_count;	    /* of the profile */
  uint32_t *nodes;	    /* by context */
  uint32_t *physical;	    /* by context: node of its physical frame */
  uint8_t *callees;	    /* by context: of enum callees */
};

/* ---- Frames.  */

/* Return true if anything was allocated in CONTEXT, whose MIB is one of INFOS.
   Prefetch for contexts in descending order.  Short MIBs are of at least one
   block.  */
static bool
has_allocations (const struct heap_profile_infos *infos, uint32_t context)
{
  const uint32_t number = heap_infos_number (infos, context);
  const uint32_t far = context < LOOK_AHEAD
			 ? 0
			 : heap_infos_number (infos, context - LOOK_AHEAD);
  if (far != 0 && (far & INFO_TABLE_BRIEF) == 0)
    info_place_prefetch_short (info_table_place (infos->table, far));
  if (number == 0 || (number & INFO_TABLE_BRIEF) != 0)
    return number != 0;
  return info_place_long (info_table_place (infos->table, number))->alloc_count
	 != 0;
}

static void
find_wanted (struct making *making)
{
  const struct heap_details *details
    = heap_profile_read_details (making->profile);
  for (uint32_t i = 0; i < heap_details_call_site_count (details); i++)
    making->wanted[heap_details_call_site_at (details, i)->context] = true;
  const struct heap_profile_infos infos = heap_profile_infos (making->profile);
  for (uint32_t id = making->count; id-- > 0;)
    {
      uint32_t caller = making->contexts[id].caller;
      making->has_blocks[id] = has_allocations (&infos, id);
      making->allocates[id] |= making->has_blocks[id];
      making->allocates[caller] |= making->allocates[id];
      making->wanted[id] |= making->allocates[id];
      making->wanted[caller] |= making->wanted[id];
    }
}

/* Return the variant of the frame of CONTEXT; NULL if it is dropped.  */
static struct variant *
variant_of (const struct making *making, uint32_t context)
{
  uint32_t frame = making->contexts[context].frame;
  struct variant *variant
    = &making->variants[frame * 2 + making->continues[context]];
  return variant->frame.function_guid != 0 ? variant : NULL;
}

static bool
make_variants (struct making *making, bool keep_columns)
{
  bool *drop = keep_columns
		 ? NULL
		 : llvm_columns_to_drop (making->profile, making->wanted);
  if (!keep_columns && !drop)
    return false;
  for (uint32_t id = 0; id < making->frame_count; id++)
    {
      const struct heap_frame *frame = heap_profile_frame (making->profile, id);
      for (int is_inline = 0; is_inline < 2; is_inline++)
	making->variants[id * 2 + is_inline] = (struct variant){
	  .frame = { .function_guid = frame->function_guid,
		     .line_offset = frame->line_offset & 0xffff,
		     .column = drop && drop[id] ? 0 : frame->column,
		     .is_inline = is_inline,
		     .has_place = (frame->line != 0 || frame->line_offset != 0
				   || frame->column != 0) },
	  .was_inlined = frame->is_inline
	};
    }
  free (drop);
  return true;
}

/* Add one more callee to *CALLEES of a context.  The callee is dropped unless
   HAS_FRAME.  */
static void
note_callee (uint8_t *callees, bool has_frame)
{
  *callees |= *callees & HAS_CALLEE ? HAS_CALLEES : HAS_CALLEE;
  if (!has_frame)
    *callees |= HAS_DROPPED;
}

/* Find the variants that the wanted contexts use, and what is known about the
   callees of each context.  A frame counts as inlined if an outer frame of the
   same physical frame is not dropped.  */
static void
find_used (struct making *making)
{
  /* Until a context is processed, CONTINUES tells whether its physical frame
     has a frame.  */
  bool *open = making->continues;
  for (uint32_t id = 1; id < making->count; id++)
    {
      if (!making->wanted[id])
	continue;
      struct variant *variants
	= &making->variants[making->contexts[id].frame * 2];
      bool continues
	= (variants->was_inlined && open[making->contexts[id].caller]);
      open[id] = continues || variants->frame.function_guid != 0;
      variants[continues].is_used = true;
    }
  /* OPEN of a caller is needed until its callees are processed.  */
  for (uint32_t id = making->count; id-- > 1;)
    if (making->wanted[id])
      {
	uint32_t caller = making->contexts[id].caller;
	const struct variant *variants
	  = &making->variants[making->contexts[id].frame * 2];
	open[id] = variants->was_inlined && open[caller];
	if (making->allocates[id])
	  note_callee (&making->callees[caller],
		       variants->frame.function_guid != 0);
      }
  open[0] = false;
}

static int
compare_frames (const struct llvm_frame *a, const struct llvm_frame *b)
{
  if (a->function_guid != b->function_guid)
    return a->function_guid < b->function_guid ? -1 : 1;
  if (a->line_offset != b->line_offset)
    return a->line_offset < b->line_offset ? -1 : 1;
  if (a->column != b->column)
    return a->column < b->column ? -1 : 1;
  return (int) a->is_inline - (int) b->is_inline;
}

static int
compare_variants (const void *element1, const void *element2)
{
  const struct variant *a = *(struct variant *const *) element1;
  const struct variant *b = *(struct variant *const *) element2;
  return compare_frames (&a->frame, &b->frame);
}

/* Number the used variants in order; equal ones get the same number.  */
static bool
number_frames (struct making *making)
{
  size_t all = (size_t) making->frame_count * 2;
  struct variant **sorted = malloc ((all + 1) * sizeof *sorted);
  if (!sorted)
    return false;
  size_t n = 0;
  for (size_t i = 0; i < all; i++)
    if (making->variants[i].is_used
	&& making->variants[i].frame.function_guid != 0)
      sorted[n++] = &making->variants[i];
  qsort (sorted, n, sizeof *sorted, compare_variants);
  struct llvm_tree *tree = making->tree;
  tree->frames = calloc (n + 1, sizeof *tree->frames);
  tree->frame_count = 1;
  for (size_t i = 0; tree->frames && i < n; i++)
    {
      sorted[i]->is_alone
	= i == 0 || compare_variants (&sorted[i - 1], &sorted[i]) != 0;
      if (sorted[i]->is_alone)
	tree->frames[tree->frame_count++] = sorted[i]->frame;
      else
	sorted[i - 1]->is_alone = false;
      sorted[i]->number = tree->frame_count - 1;
      tree->frames[sorted[i]->number].has_place |= sorted[i]->frame.has_place;
    }
  free (sorted);
  return tree->frames != NULL;
}

/* ---- Physical frames.  */

/* The physical frame that was found last for a frame: NODE, below CALLER, the
   node of its caller, which is 0 if it is not inlined.  */
struct physical
{
  uint32_t caller;
  uint32_t node; /* 0: none yet */
};

/* Return the node of the physical frame in which the frame NUMBER is inlined
   into CALLER, or into nothing if that is 0.  *LAST belongs to the frame.  */
static uint32_t
find_physical (struct context_table *tree, uint32_t caller, uint32_t number,
	       struct physical *last)
{
  if (last->node == 0 || last->caller != caller)
    *last
      = (struct physical){ caller, context_table_add (tree, caller, number) };
  return last->node;
}

/* Create the physical frames of all contexts, and store their nodes.  */
static bool
add_physical_frames (struct making *making)
{
  struct context_table *tree = &making->tree->contexts;
  struct physical *last = calloc (making->tree->frame_count, sizeof *last);
  if (!last)
    return false;
  bool done = true;
  for (uint32_t id = 1; done && id < making->count; id++)
    {
      if (!making->allocates[id])
	continue;
      uint32_t caller = making->physical[making->contexts[id].caller];
      const struct variant *variant = variant_of (making, id);
      uint32_t node = caller;
      if (variant)
	node = find_physical (tree, making->continues[id] ? caller : 0,
			      variant->number, &last[variant->number]);
      making->physical[id] = node;
      done = node != UINT32_MAX;
    }
  free (last);
  return done;
}

/* Create the stack of the call site at CONTEXT of the profile.  Return
   UINT32_MAX if memory is exhausted.  PATH has room for all its contexts.  */
static uint32_t
add_given_stack (struct making *making, uint32_t context, uint32_t *path)
{
  size_t n = 0;
  for (; context != 0; context = making->contexts[context].caller)
    path[n++] = context;
  uint32_t node = 0;
  while (n > 0 && node != UINT32_MAX)
    {
      const struct variant *variant = variant_of (making, path[--n]);
      if (variant)
	node
	  = context_table_add (&making->tree->contexts, node, variant->number);
    }
  return node;
}

static bool
add_given_stacks (struct making *making)
{
  const struct heap_details *details
    = heap_profile_read_details (making->profile);
  uint32_t count = heap_details_call_site_count (details);
  uint32_t *given = calloc ((size_t) count + 1, sizeof *given);
  uint32_t *path = count ? malloc (making->count * sizeof *path) : NULL;
  bool done = given && (path || count == 0);
  for (uint32_t i = 0; done && i < count; i++)
    {
      const struct heap_call_site *site
	= heap_details_call_site_at (details, i);
      given[i] = add_given_stack (making, site->context, path);
      done = given[i] != UINT32_MAX;
    }
  free (path);
  making->tree->given = given;
  return done;
}

/* ---- Contexts.  */

/* Return true if no other context can have the node of a context with VARIANT,
   whose caller has CALLEES.  A dropped callee passes its own callees to this
   caller, so the caller must have no others.  */
static bool
is_sole (uint8_t callees, const struct variant *variant)
{
  return (callees & IS_SOLE && (!variant || variant->is_alone)
	  && !(callees & HAS_DROPPED && callees & HAS_CALLEES));
}

/* Create the nodes of all contexts that lead to allocations.  */
static bool
add_contexts (struct making *making)
{
  struct context_table *tree = &making->tree->contexts;
  uint32_t physical_count = tree->count;
  making->callees[0] |= IS_SOLE;
  if (!context_table_reserve_nodes (tree,
				    ((uint64_t) tree->count + making->count)))
    return false;
  for (uint32_t id = 1; id < making->count; id++)
    {
      if (!making->allocates[id])
	continue;
      uint32_t caller_id = making->contexts[id].caller;
      uint32_t caller = making->nodes[caller_id];
      const struct variant *variant = variant_of (making, id);
      uint32_t node = caller;
      if (is_sole (making->callees[caller_id], variant))
	making->callees[id] |= IS_SOLE;
      if (variant && making->callees[id] & IS_SOLE && caller >= physical_count)
	node = context_table_append (tree, caller, variant->number);
      else if (variant)
	node = context_table_add (tree, caller, variant->number);
      if (node == UINT32_MAX)
	return false;
      making->nodes[id] = node;
    }
  return true;
}

/* Add the MIB of CONTEXT to that of NODE.  */
static bool
add_info (struct making *making, uint32_t node, uint32_t context)
{
  struct llvm_tree *tree = making->tree;
  struct memory_info room;
  struct info_place place = heap_profile_info_place (making->profile, context);
  if (!(tree->roles[node] & LLVM_HAS_INFO))
    {
      tree->infos[node] = place;
      tree->roles[node] |= LLVM_HAS_INFO;
      return true;
    }
  if (!(tree->roles[node] & LLVM_HAS_SUM))
    {
      struct memory_info *sum = record_table_add (&tree->sums);
      if (!sum)
	return false;
      *sum = *info_place_read (tree->infos[node], &room);
      tree->infos[node] = info_place_of (sum);
      tree->roles[node] |= LLVM_HAS_SUM;
    }
  /* This MIB belongs to the tree, so it may be modified.  */
  memory_info_add (info_place_long (tree->infos[node]),
		   info_place_read (place, &room));
  return true;
}

/* Store the roles of the nodes.  */
static bool
add_roles (struct making *making)
{
  struct llvm_tree *tree = making->tree;
  tree->node_count = tree->contexts.count;
  tree->roles = calloc (tree->node_count, sizeof *tree->roles);
  tree->infos = large_memory_array (tree->node_count, sizeof *tree->infos);
  if (!tree->roles || !tree->infos)
    return false;
  for (uint32_t id = 1; id < making->count; id++)
    {
      uint32_t node = making->nodes[id];
      if (!making->allocates[id] || node == 0)
	continue;
      uint32_t caller = making->contexts[id].caller;
      if (making->nodes[caller] != 0 && making->nodes[caller] != node
	  && !making->continues[id])
	tree->roles[making->physical[caller]] |= LLVM_CALL_SITE;
      if (!making->has_blocks[id])
	continue;
      tree->roles[making->physical[id]] |= LLVM_ALLOCATING_CALL;
      if (!add_info (making, node, id))
	return false;
    }
  uint32_t given_count
    = heap_details_call_site_count (heap_profile_read_details (making
								 ->profile));
  for (uint32_t i = 0; i < given_count; i++)
    if (tree->given[i] != 0)
      tree->roles[tree->given[i]] |= LLVM_GIVEN_CALL_SITE;
  return true;
}

/* Remember the nodes of contexts with affinities.  Contexts that became equal
   are not used together more often for that.  */
static bool
add_affinities (struct making *making)
{
  const struct heap_details *details
    = heap_profile_read_details (making->profile);
  const uint32_t count = heap_details_affinity_count (details);
  struct llvm_affinity *affinities
    = calloc ((size_t) count + 1, sizeof *affinities);
  making->tree->affinities = affinities;
  for (uint32_t i = 0; affinities && i < count; i++)
    {
      const struct heap_affinity *affinity
	= heap_details_affinity_at (details, i);
      affinities[i].first = making->nodes[affinity->first];
      affinities[i].second = making->nodes[affinity->second];
      if (affinities[i].first != affinities[i].second
	  || affinity->first == affinity->second)
	affinities[i].lines = affinity->lines;
    }
  return affinities != NULL;
}

static bool
make_tree (struct making *making, bool keep_columns)
{
  find_wanted (making);
  if (!make_variants (making, keep_columns))
    return false;
  find_used (making);
  return (number_frames (making) && add_physical_frames (making)
	  && add_given_stacks (making) && add_contexts (making)
	  && add_roles (making) && add_affinities (making));
}

/* Allocate the arrays of MAKING by frame and by context.  */
static bool
allocate (struct making *making, struct scratch *scratch)
{
  uint32_t count = making->count;
  making->has_blocks = scratch_zeros (scratch, count, sizeof (bool));
  making->allocates = scratch_zeros (scratch, count, sizeof (bool));
  making->wanted = scratch_zeros (scratch, count, sizeof (bool));
  making->continues = scratch_zeros (scratch, count, sizeof (bool));
  making->callees = scratch_zeros (scratch, count, sizeof *making->callees);
  making->nodes = scratch_zeros (scratch, count, sizeof *making->nodes);
  making->physical = scratch_zeros (scratch, count, sizeof *making->physical);
  making->variants = scratch_zeros (scratch, making->frame_count,
				    2 * sizeof *making->variants);
  return (making->has_blocks && making->allocates && making->wanted
	  && making->continues && making->callees && making->nodes
	  && making->physical && making->variants);
}

bool
llvm_tree_make (struct llvm_tree *tree, const struct heap_profile *profile,
		bool keep_columns, struct scratch *scratch)
{
  *tree = (struct llvm_tree){ .frame_count = 0 };
  record_table_init (&tree->sums, sizeof (struct memory_info));
  if (!context_table_init (&tree->contexts))
    return false;
  struct making making = { .tree = tree,
			   .profile = profile,
			   .contexts = heap_profile_nodes (profile),
			   .count = heap_profile_context_count (profile),
			   .frame_count = heap_profile_frame_count (profile) };
  struct scratch_mark mark = scratch_mark (scratch);
  bool done = allocate (&making, scratch) && make_tree (&making, keep_columns);
  scratch_release (scratch, mark);
  return done;
}

void
llvm_tree_free (struct llvm_tree *tree)
{
  free (tree->given);
  free (tree->affinities);
  free (tree->infos);
  free (tree->roles);
  free (tree->frames);
  record_table_free (&tree->sums);
  context_table_free (&tree->contexts);
}

void
llvm_tree_drop_contexts (struct llvm_tree *tree)
{
  context_table_free (&tree->contexts);
  tree->contexts = (struct context_table){ .count = 0 };
}

void
llvm_tree_drop_nodes (struct llvm_tree *tree)
{
  free (tree->infos);
  free (tree->roles);
  tree->infos = NULL;
  tree->roles = NULL;
}
