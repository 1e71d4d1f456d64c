/* Call-graph clustering: place functions behind those that call them most.
   SPDX-License-Identifier: GPL-3.0-or-later

   As described by Ottoni and Maher (CGO 2017): each function is a cluster at
   first.  In descending order of calls, the cluster of a function is appended
   to that of its most frequent caller, unless they were too large together for
   a few pages to hold them, or the caller's cluster were used much more than
   its end.  Clusters are placed by descending calls per byte.  Functions of
   which no call was counted keep their order, after all others.  */

#include "mip-order.h"
#include "saturating.h"
#include <stdlib.h>

/* The greatest size of a cluster, in bytes: that of 16 pages.  */
#define MOST_BYTES 65536

/* A cluster may not lower the density of the one before it more than by this
   factor.  */
#define MOST_DILUTION 8

#define NONE UINT32_MAX

/* A function, and the cluster that begins with it.  */
struct node
{
  uint64_t calls;
  uint32_t caller; /* the most frequent one, other than itself; or NONE */
  uint64_t caller_calls;
  uint32_t cluster; /* that it is in */
  uint32_t next;    /* function in its cluster; NONE: it is the last */
  uint32_t last;    /* of the cluster */
  uint64_t all_calls;
  uint64_t bytes;
  bool is_ordered; /* it is to be placed */
};

/* A function or cluster and its sort key.  */
struct ranked
{
  uint32_t function;
  double key;
};

static int
compare_ranked (const void *a, const void *b)
{
  const struct ranked *r = a, *s = b;
  if (r->key < s->key || r->key > s->key)
    return r->key > s->key ? -1 : 1;
  return r->function < s->function ? -1 : r->function > s->function;
}

/* Count the calls of the nodes.  Edges are sorted by function and caller.  */
static void
read_edges (const struct mip_profile *profile, struct node *nodes)
{
  size_t end;
  for (size_t i = 0; i < profile->edge_count; i = end)
    {
      const struct mip_edge *edge = &profile->edges[i];
      struct node *node = &nodes[edge->callee];
      uint64_t calls = 0;
      for (end = i; end < profile->edge_count; end++)
	if (profile->edges[end].callee != edge->callee
	    || profile->edges[end].caller != edge->caller)
	  break;
	else
	  calls = saturating_add (calls, profile->edges[end].calls);
      node->calls = saturating_add (node->calls, calls);
      if (edge->caller != MIP_NO_FUNCTION && edge->caller != edge->callee
	  && calls > node->caller_calls)
	{
	  node->caller = edge->caller;
	  node->caller_calls = calls;
	}
    }
}

static double
density (const struct node *cluster)
{
  return (double) cluster->all_calls / (double) (cluster->bytes + 1);
}

/* Append the cluster of FUNCTION to that of its most frequent caller, if that
   is good.  */
static void
append (struct node *nodes, uint32_t function)
{
  uint32_t caller = nodes[function].caller;
  if (caller == NONE || !nodes[caller].is_ordered
      || nodes[caller].cluster == nodes[function].cluster)
    return;
  uint32_t first = nodes[caller].cluster, second = nodes[function].cluster;
  struct node *to = &nodes[first];
  const struct node *from = &nodes[second];
  struct node sum
    = { .all_calls = saturating_add (to->all_calls, from->all_calls),
	.bytes = to->bytes + from->bytes };
  if (sum.bytes > MOST_BYTES || density (&sum) * MOST_DILUTION < density (to))
    return;
  for (uint32_t i = second; i != NONE; i = nodes[i].next)
    nodes[i].cluster = first;
  nodes[to->last].next = second;
  to->last = from->last;
  to->all_calls = sum.all_calls;
  to->bytes = sum.bytes;
}

/* Order the COUNT functions at ORDER, with NODES, and memory for as many
   RANKED.  */
static void
cluster (struct node *nodes, struct ranked *ranked, uint32_t *order,
	 size_t count)
{
  uint32_t *rest = order;
  size_t clusters = 0;
  for (size_t i = 0; i < count; i++)
    ranked[i] = (struct ranked){ order[i], (double) nodes[order[i]].calls };
  qsort (ranked, count, sizeof *ranked, compare_ranked);
  for (size_t i = 0; i < count; i++)
    append (nodes, ranked[i].function);
  for (size_t i = 0; i < count; i++)
    {
      uint32_t function = ranked[i].function;
      if (nodes[function].cluster == function && nodes[function].all_calls > 0)
	ranked[clusters++]
	  = (struct ranked){ function, density (&nodes[function]) };
    }
  qsort (ranked, clusters, sizeof *ranked, compare_ranked);
  for (size_t i = 0; i < count; i++)
    if (nodes[nodes[order[i]].cluster].all_calls == 0)
      *rest++ = order[i];
  /* Move the rest, of which no call was counted, to the end.  */
  size_t uncounted = (size_t) (rest - order), next = count;
  while (uncounted > 0)
    order[--next] = order[--uncounted];
  rest = order;
  for (size_t i = 0; i < clusters; i++)
    for (uint32_t j = ranked[i].function; j != NONE; j = nodes[j].next)
      *rest++ = j;
}

bool
mip_cluster (const struct mip_profile *profile, uint32_t *order, size_t count)
{
  struct node *nodes = calloc (profile->function_count + 1, sizeof *nodes);
  struct ranked *ranked = calloc (count + 1, sizeof *ranked);
  bool is_done = nodes != NULL && ranked != NULL;
  if (is_done)
    {
      for (uint32_t i = 0; i < profile->function_count; i++)
	nodes[i] = (struct node){ .caller = NONE,
				  .cluster = i,
				  .next = NONE,
				  .last = i,
				  .bytes = profile->functions[i].code_bytes };
      read_edges (profile, nodes);
      for (uint32_t i = 0; i < profile->function_count; i++)
	nodes[i].all_calls = nodes[i].calls;
      for (size_t i = 0; i < count; i++)
	nodes[order[i]].is_ordered = true;
      cluster (nodes, ranked, order, count);
    }
  free (nodes);
  free (ranked);
  return is_done;
}
