/* Inline decisions ahead of the compiler.
   SPDX-License-Identifier: GPL-3.0-or-later

   The rules are those of llvm-profgen.  */

#include "preinliner.h"
#include "call-order.h"
#include "growing-array.h"
#include <stdlib.h>
#include <string.h>

/* Calls with less than the counts that make up this share of all, in
   millionths, are cold; with more than those of the second, hottest.  */
#define COLD_SHARE 999999
#define HOTTEST_SHARE 100000

static const struct sample_location no_site;

/* A call that may be inlined.  */
struct candidate
{
  struct context_samples *callee;
  uint64_t count;
  uint64_t bytes;
};

/* The samples of one function in all contexts.  */
struct all_samples
{
  struct context_samples **samples;
  uint32_t count;
};

struct preinliner
{
  struct call_tree tree;
  const struct context_sizes *sizes;
  const struct preinline_rules *rules;
  uint64_t cold; /* counts */
  uint64_t hottest;
  struct all_samples *by_name;
  struct context_samples **all; /* grouped by name */
  struct candidate *queue;	/* a heap: the best one is the first */
  size_t queued;
  size_t capacity;
  struct profile_error *err;
};

/* ---- Moving contexts.  */

/* Add the samples of FROM to those of TO.  */
static bool
merge_samples (struct preinliner *inliner, struct call_node *from,
	       struct call_node *to)
{
  if (from->samples == NULL)
    return true;
  if (to->samples == NULL)
    {
      to->samples = from->samples;
      to->samples->node = to;
      return true;
    }
  if (!sample_function_merge (inliner->tree.profile, to->samples->function,
			      from->samples->function, inliner->err))
    return false;
  from->samples->is_merged = true;
  to->samples->function->attributes
    |= from->samples->function->attributes & SAMPLE_SHOULD_BE_INLINED;
  return true;
}

/* Move FROM to the calls of PARENT at SITE, together with what it calls, and
   merge it there with what PARENT calls already.  */
static bool
promote (struct preinliner *inliner, struct call_node *from,
	 struct call_node *parent, struct sample_location site,
	 struct call_node **result)
{
  struct call_tree *tree = &inliner->tree;
  struct call_node *to = call_tree_find (tree, parent, site, from->name);
  *result = to;
  if (to == NULL)
    {
      *result = from;
      return call_tree_move (tree, from, parent, site)
	     || profile_error_set_memory (inliner->err, NULL);
    }
  if (!merge_samples (inliner, from, to))
    return false;
  struct call_node *next;
  for (struct call_node *child = call_node_next (from, NULL); child != NULL;
       child = next)
    {
      struct call_node *moved;
      uint64_t key = child->key;
      if (!promote (inliner, child, to, child->site, &moved))
	return false;
      /* The child's key may have changed.  */
      const struct call_node here = { .key = key };
      next = call_node_next (from, &here);
    }
  from->child_count = 0;
  return true;
}

/* Count all contexts of NAME that are not inlined without context.  Set *BASE
   to the samples; NULL if there are none.  */
static bool
find_base (struct preinliner *inliner, uint32_t name,
	   struct context_samples **base)
{
  struct call_node *root = &inliner->tree.root;
  struct call_node *node = call_tree_find (&inliner->tree, root, no_site, name);
  const struct all_samples *all = &inliner->by_name[name];
  for (uint32_t i = 0; i < all->count; i++)
    {
      struct context_samples *samples = all->samples[i];
      struct call_node *from = samples->node;
      if (samples->is_inlined || samples->is_merged || from == node)
	continue;
      if (!promote (inliner, from, root, no_site, &node))
	return false;
      if (node != from)
	call_node_detach (from);
    }
  *base = node != NULL ? node->samples : NULL;
  return true;
}

/* ---- The queue of candidates.

   Which of equal ones is the first depends on how a heap works: it does as that
   of GCC's C++ library.  */

static uint64_t
guid_of (const struct preinliner *inliner, const struct candidate *candidate)
{
  return sample_profile_name_guid (inliner->tree.profile,
				   candidate->callee->function->name);
}

/* Return true if B goes before A.  */
static bool
is_worse (const struct preinliner *inliner, const struct candidate *a,
	  const struct candidate *b)
{
  if (a->bytes != b->bytes && (a->bytes == 0 || b->bytes == 0))
    return b->bytes == 0;
  if (a->count != b->count)
    return a->count < b->count;
  if (a->bytes != b->bytes)
    return a->bytes > b->bytes;
  return guid_of (inliner, a) < guid_of (inliner, b);
}

/* Move CANDIDATE up from PLACE, which is free, to where it belongs.  */
static void
rise (struct preinliner *inliner, size_t place, struct candidate candidate)
{
  struct candidate *queue = inliner->queue;
  for (size_t above; place > 0
		     && (above = (place - 1) / 2,
			is_worse (inliner, &queue[above], &candidate));
       place = above)
    queue[place] = queue[above];
  queue[place] = candidate;
}

static bool
add_candidate (struct preinliner *inliner, struct candidate candidate)
{
  if (!growing_array_reserve (&inliner->queue, inliner->queued,
			      &inliner->capacity, 1, sizeof *inliner->queue))
    return profile_error_set_memory (inliner->err, NULL);
  rise (inliner, inliner->queued++, candidate);
  return true;
}

/* Remove the best candidate and return it.  There is one.  */
static struct candidate
take_candidate (struct preinliner *inliner)
{
  struct candidate *queue = inliner->queue;
  struct candidate best = queue[0];
  size_t count = --inliner->queued;
  size_t place = 0;
  struct candidate last = queue[count];
  /* The free place goes down to the end first.  */
  for (size_t below; (below = 2 * place + 1) < count; place = below)
    {
      if (below + 1 < count
	  && !is_worse (inliner, &queue[below + 1], &queue[below]))
	below++;
      queue[place] = queue[below];
    }
  if (count > 0)
    rise (inliner, place, last);
  return best;
}

/* ---- Decisions.  */

static uint32_t
bytes_of (const struct preinliner *inliner, const struct call_node *node)
{
  return context_sizes_find (inliner->sizes, node);
}

/* Add the calls of CALLER.  */
static bool
add_candidates (struct preinliner *inliner,
		const struct context_samples *caller)
{
  const struct call_node *node = caller->node;
  for (uint32_t i = 0; i < node->child_count; i++)
    {
      const struct call_node *child = node->children[i];
      if (child->samples == NULL)
	continue;
      struct candidate candidate = { child->samples, context_call_count (child),
				     bytes_of (inliner, child) };
      if (!add_candidate (inliner, candidate))
	return false;
    }
  return true;
}

static bool
should_inline (const struct preinliner *inliner,
	       const struct candidate *candidate)
{
  const struct preinline_rules *rules = inliner->rules;
  bool was_inlined
    = candidate->callee->function->attributes & SAMPLE_WAS_INLINED;
  uint64_t most = rules->cold_size;
  if (rules->repeats)
    return was_inlined;
  if (candidate->count > inliner->cold)
    {
      double heat = ((double) candidate->count - (double) inliner->cold)
		    / ((double) inliner->hottest - (double) inliner->cold);
      if (heat > 1)
	heat = 1;
      most = (uint64_t) (rules->hot_size * heat * 100 + rules->cold_size + 1);
      if (was_inlined)
	most *= rules->previous;
    }
  return candidate->bytes < most;
}

/* Decide what is inlined into the function NAME without context.  */
static bool
process (struct preinliner *inliner, uint32_t name)
{
  struct context_samples *base;
  const struct preinline_rules *rules = inliner->rules;
  if (!find_base (inliner, name, &base))
    return false;
  if (base == NULL)
    return true;
  uint32_t bytes = bytes_of (inliner, base->node);
  uint32_t limit = bytes * rules->growth;
  if (limit > rules->most_limit)
    limit = rules->most_limit;
  if (limit < rules->least_limit)
    limit = rules->least_limit;
  inliner->queued = 0;
  if (!add_candidates (inliner, base))
    return false;
  while (inliner->queued > 0 && bytes < limit)
    {
      struct candidate candidate = take_candidate (inliner);
      if (!should_inline (inliner, &candidate))
	continue;
      candidate.callee->is_inlined = true;
      candidate.callee->function->attributes |= SAMPLE_SHOULD_BE_INLINED;
      bytes += (uint32_t) candidate.bytes;
      if (!add_candidates (inliner, candidate.callee))
	return false;
    }
  return true;
}

/* Drop contexts that are neither inlined nor without callers: their samples are
   in others.  */
static bool
drop_merged (struct preinliner *inliner)
{
  size_t count;
  struct call_node **nodes = call_tree_list (&inliner->tree, &count);
  if (nodes == NULL)
    return profile_error_set_memory (inliner->err, NULL);
  for (size_t i = 0; i < count; i++)
    if (nodes[i]->samples != NULL && nodes[i]->parent->parent != NULL
	&& !nodes[i]->samples->is_inlined)
      nodes[i]->samples = NULL;
  free (nodes);
  return true;
}

/* ---- Preparation.  */

/* Group the samples by function.  */
static bool
group_samples (struct preinliner *inliner)
{
  size_t count;
  uint32_t names = sample_profile_name_count (inliner->tree.profile);
  struct call_node **nodes = call_tree_list (&inliner->tree, &count);
  struct all_samples *by_name = calloc ((size_t) names + 1, sizeof *by_name);
  struct context_samples **all = calloc (count + 1, sizeof *all);
  bool is_done = nodes != NULL && by_name != NULL && all != NULL;
  inliner->by_name = by_name;
  inliner->all = all;
  for (size_t i = 0; i < count && is_done; i++)
    by_name[nodes[i]->name].count += nodes[i]->samples != NULL;
  for (uint32_t i = 0; i < names && is_done; i++)
    {
      by_name[i].samples = all;
      all += by_name[i].count;
      by_name[i].count = 0;
    }
  for (size_t i = 0; i < count && is_done; i++)
    if (nodes[i]->samples != NULL)
      {
	struct all_samples *same = &by_name[nodes[i]->name];
	same->samples[same->count++] = nodes[i]->samples;
      }
  free (nodes);
  return is_done || profile_error_set_memory (inliner->err, NULL);
}

static void
find_thresholds (struct preinliner *inliner,
		 const struct sample_summary *summary)
{
  for (size_t i = 0; i < SUMMARY_CUTOFFS; i++)
    {
      if (summary->cutoffs[i].cutoff == COLD_SHARE)
	inliner->cold = summary->cutoffs[i].least;
      if (summary->cutoffs[i].cutoff == HOTTEST_SHARE)
	inliner->hottest = summary->cutoffs[i].least;
    }
}

struct sample_profile *
preinliner_run (struct sample_profile *profile,
		const struct context_sizes *sizes,
		const struct preinline_rules *rules,
		const struct sample_summary *summary, struct profile_error *err)
{
  struct preinliner inliner = { .sizes = sizes, .rules = rules, .err = err };
  struct sample_profile *result = NULL;
  uint32_t count = 0;
  uint32_t *order = NULL;
  bool is_done = (call_tree_open (&inliner.tree, profile)
		  && call_tree_fill (&inliner.tree))
		 || profile_error_set_memory (err, NULL);
  find_thresholds (&inliner, summary);
  is_done = is_done && group_samples (&inliner);
  if (is_done)
    {
      order = call_order_make (&inliner.tree, inliner.cold, &count);
      is_done = order != NULL || profile_error_set_memory (err, NULL);
    }
  for (uint32_t i = 0; i < count && is_done; i++)
    is_done = process (&inliner, order[i]);
  if (is_done && drop_merged (&inliner))
    result = call_tree_write (&inliner.tree, err);
  call_tree_close (&inliner.tree);
  free (order);
  free (inliner.by_name);
  free (inliner.all);
  free (inliner.queue);
  return result;
}
