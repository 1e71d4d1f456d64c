/* Counts of a function's arcs that are possible and nearest to what is known.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each block is two nodes, with a link between them that carries the block's
   count; arcs are links, too, and one leads back from the exit to the entry.
   All links start with what is known.  Where more enters a node than leaves it,
   the rest is sent along the cheapest paths to nodes that lack something:
   increasing a link's flow, or decreasing it where it has some, costs more if
   its count is known.  The cheapest paths are found by Dijkstra's algorithm
   with potentials, so that costs of undoing a change, which are negative, are
   not in its way.  */

#include "flow-fit.h"
#include <stdlib.h>
#include <string.h>

#define ENTRY 0
#define EXIT 1
#define NO_LINK UINT32_MAX
#define FAR INT64_MAX

/* At most so many links are looked at for a function.  */
#define MOST_VISITS (UINT64_C (1) << 28)

/* For each execution that a count is changed by.  */
enum cost
{
  COST_MORE_BLOCK = 20, /* than known */
  COST_LESS_BLOCK = 30,
  COST_MORE_ARC = 10,
  COST_LESS_ARC = 10,
  COST_MORE_ENTRY = 60,
  COST_LESS_ENTRY = 60,
  COST_NEW_BLOCK = 3,	 /* a check that was inserted is seldom true */
  COST_FALL_THROUGH = 1, /* of unknown count */
  COST_JUMP = 2,
  COST_NO_RETURN = 200 /* of a call, if that is new */
};

/* One direction in which flow can be changed.  Links are in pairs: the other
   one of LINK is LINK ^ 1.  */
struct link
{
  uint32_t to;
  uint32_t next; /* of the same node */
  int64_t room;	 /* by how much flow can still be sent */
  int64_t cost;
};

struct network
{
  uint32_t node_count;
  uint32_t *first; /* link of each node */
  struct link *links;
  uint32_t link_count;
  int64_t most;	      /* for a count, so that sums do not overflow */
  int64_t *excess;    /* of each node; negative: it lacks so much */
  int64_t *potential; /* of each node */
  int64_t *distance;  /* from the nearest node with excess */
  uint32_t *through;  /* link by which it is reached */
  bool *is_settled;
  uint32_t *heap;  /* nodes by distance, the nearest first */
  uint32_t *place; /* in the heap plus 1; 0: not in it */
  uint32_t heap_count;
  uint64_t visits;
};

static uint32_t
node_in (uint32_t block)
{
  return 2 * block;
}

static uint32_t
node_out (uint32_t block)
{
  return 2 * block + 1;
}

static void
add_link (struct network *network, uint32_t from, uint32_t to, int64_t room,
	  int64_t cost)
{
  uint32_t link = network->link_count;
  network->links[link] = (struct link){ to, network->first[from], room, cost };
  network->first[from] = link;
  network->links[link + 1]
    = (struct link){ from, network->first[to], 0, -cost };
  network->first[to] = link + 1;
  network->link_count += 2;
}

/* Add a way from FROM to TO whose known count is COUNT.  Links are added even
   if they have no room: their places tell the flow at the end.  */
static void
add_way (struct network *network, uint32_t from, uint32_t to, int64_t count,
	 int64_t more, int64_t less)
{
  if (count > network->most)
    count = network->most;
  add_link (network, from, to, INT64_MAX, more);
  add_link (network, to, from, count, less);
  network->excess[to] += count;
  network->excess[from] -= count;
}

/* Return the flow of the way whose links start at LINK and that had COUNT
   first.  */
static int64_t
flow_of (const struct network *network, uint32_t link)
{
  /* What was added, plus what is left of the first flow.  */
  return network->links[link + 1].room + network->links[link + 2].room;
}

/* ---- The heap.  */

static void
put (struct network *network, uint32_t place, uint32_t node)
{
  network->heap[place] = node;
  network->place[node] = place + 1;
}

static void
sift_up (struct network *network, uint32_t place)
{
  uint32_t node = network->heap[place];
  while (place > 0)
    {
      uint32_t above = network->heap[(place - 1) / 2];
      if (network->distance[above] <= network->distance[node])
	break;
      put (network, place, above);
      place = (place - 1) / 2;
    }
  put (network, place, node);
}

static uint32_t
take_nearest (struct network *network)
{
  uint32_t nearest = network->heap[0];
  network->place[nearest] = 0;
  uint32_t count = --network->heap_count;
  if (count == 0)
    return nearest;
  uint32_t node = network->heap[count];
  uint32_t place = 0;
  for (uint32_t child; (child = 2 * place + 1) < count; place = child)
    {
      if (child + 1 < count
	  && network->distance[network->heap[child + 1]]
	       < network->distance[network->heap[child]])
	child++;
      if (network->distance[network->heap[child]] >= network->distance[node])
	break;
      put (network, place, network->heap[child]);
    }
  put (network, place, node);
  return nearest;
}

/* NODE can be reached at DISTANCE through LINK.  */
static void
reach (struct network *network, uint32_t node, int64_t distance, uint32_t link)
{
  if (network->is_settled[node] || distance >= network->distance[node])
    return;
  network->distance[node] = distance;
  network->through[node] = link;
  if (network->place[node] == 0)
    put (network, network->heap_count++, node);
  sift_up (network, network->place[node] - 1);
}

/* ---- Paths.  */

/* Reach all nodes with excess at distance 0.  Return false if there are
   none.  */
static bool
start_search (struct network *network)
{
  bool is_any = false;
  network->heap_count = 0;
  for (uint32_t i = 0; i < network->node_count; i++)
    {
      network->distance[i] = FAR;
      network->is_settled[i] = false;
      network->place[i] = 0;
    }
  for (uint32_t i = 0; i < network->node_count; i++)
    if (network->excess[i] > 0)
      {
	is_any = true;
	reach (network, i, 0, NO_LINK);
      }
  return is_any;
}

static void
visit_links (struct network *network, uint32_t node)
{
  for (uint32_t i = network->first[node]; i != NO_LINK;
       i = network->links[i].next)
    {
      const struct link *link = &network->links[i];
      network->visits++;
      if (link->room > 0)
	reach (network, link->to,
	       network->distance[node] + link->cost + network->potential[node]
		 - network->potential[link->to],
	       i);
    }
}

/* Return the nearest node that lacks something; NO_LINK if none can be
   reached.  */
static uint32_t
find_nearest (struct network *network)
{
  while (network->heap_count > 0)
    {
      uint32_t node = take_nearest (network);
      network->is_settled[node] = true;
      if (network->excess[node] < 0)
	return node;
      visit_links (network, node);
    }
  return NO_LINK;
}

/* Keep the costs of all links with room, from potential to potential, at least
   0 after a search that ended at END.  */
static void
update_potentials (struct network *network, uint32_t end)
{
  int64_t bound = network->distance[end];
  for (uint32_t i = 0; i < network->node_count; i++)
    network->potential[i]
      += network->is_settled[i] && network->distance[i] < bound
	   ? network->distance[i]
	   : bound;
}

/* Send as much as possible along the path to END.  */
static void
send (struct network *network, uint32_t end)
{
  int64_t amount = -network->excess[end];
  uint32_t node = end;
  for (uint32_t link; (link = network->through[node]) != NO_LINK;
       node = network->links[link ^ 1].to)
    if (network->links[link].room < amount)
      amount = network->links[link].room;
  if (network->excess[node] < amount)
    amount = network->excess[node];
  network->excess[node] -= amount;
  network->excess[end] += amount;
  node = end;
  for (uint32_t link; (link = network->through[node]) != NO_LINK;
       node = network->links[link ^ 1].to)
    {
      if (network->links[link].room != INT64_MAX)
	network->links[link].room -= amount;
      if (network->links[link ^ 1].room != INT64_MAX)
	network->links[link ^ 1].room += amount;
    }
}

static bool
balance (struct network *network)
{
  while (start_search (network))
    {
      uint32_t end = find_nearest (network);
      if (end == NO_LINK || network->visits > MOST_VISITS)
	return false;
      update_potentials (network, end);
      send (network, end);
    }
  return true;
}

/* ---- The function.  */

static void
add_blocks (struct network *network, const struct flow_known *known)
{
  for (uint32_t i = 0; i < known->function->block_count; i++)
    {
      bool is_end = i == ENTRY || i == EXIT;
      if (known->blocks[i] == FLOW_FIT_UNKNOWN)
	add_way (network, node_in (i), node_out (i), 0,
		 is_end ? 0 : COST_NEW_BLOCK, 0);
      else
	add_way (network, node_in (i), node_out (i), known->blocks[i],
		 is_end ? COST_MORE_ENTRY : COST_MORE_BLOCK,
		 is_end ? COST_LESS_ENTRY : COST_LESS_BLOCK);
    }
}

static int64_t
cost_of_new (const struct gcov_arc *arc)
{
  if (arc->flags & GCOV_ARC_FAKE)
    return COST_NO_RETURN;
  return arc->flags & GCOV_ARC_FALL_THROUGH ? COST_FALL_THROUGH : COST_JUMP;
}

static void
add_arcs (struct network *network, const struct flow_known *known)
{
  for (uint32_t i = 0; i < known->function->arc_count; i++)
    {
      const struct gcov_arc *arc = &known->function->arcs[i];
      uint32_t from = node_out (arc->source);
      uint32_t to = node_in (arc->destination);
      if (known->arcs[i] == FLOW_FIT_UNKNOWN)
	add_way (network, from, to, 0, cost_of_new (arc), 0);
      else
	add_way (network, from, to, known->arcs[i],
		 arc->flags & GCOV_ARC_FAKE ? COST_NO_RETURN : COST_MORE_ARC,
		 COST_LESS_ARC);
    }
}

static bool
allocate (struct network *network, const struct gcov_notes_function *function)
{
  size_t nodes = 2 * (size_t) function->block_count + 1;
  size_t ways = function->block_count + (size_t) function->arc_count + 1;
  network->node_count = 2 * function->block_count;
  network->most = INT64_MAX / 4 / (int64_t) ways;
  network->first = malloc (nodes * sizeof *network->first);
  network->links = calloc (4 * ways, sizeof *network->links);
  network->excess = calloc (nodes, sizeof *network->excess);
  network->potential = calloc (nodes, sizeof *network->potential);
  network->distance = calloc (nodes, sizeof *network->distance);
  network->through = calloc (nodes, sizeof *network->through);
  network->is_settled = calloc (nodes, sizeof *network->is_settled);
  network->heap = calloc (nodes, sizeof *network->heap);
  network->place = calloc (nodes, sizeof *network->place);
  if (network->first == NULL)
    return false;
  memset (network->first, 0xff, nodes * sizeof *network->first);
  return network->links != NULL && network->excess != NULL
	 && network->potential != NULL && network->distance != NULL
	 && network->through != NULL && network->is_settled != NULL
	 && network->heap != NULL && network->place != NULL;
}

static void
release (struct network *network)
{
  free (network->first);
  free (network->links);
  free (network->excess);
  free (network->potential);
  free (network->distance);
  free (network->through);
  free (network->is_settled);
  free (network->heap);
  free (network->place);
}

enum flow_fit_result
flow_fit (const struct flow_known *known, int64_t *fitted)
{
  const struct gcov_notes_function *function = known->function;
  struct network network = { 0 };
  enum flow_fit_result result = FLOW_FIT_NO_MEMORY;
  if (function->block_count <= EXIT
      || (uint64_t) function->block_count + function->arc_count
	   > UINT32_MAX / 8)
    return FLOW_FIT_IMPOSSIBLE;
  if (allocate (&network, function))
    {
      add_blocks (&network, known);
      uint32_t link = network.link_count;
      add_arcs (&network, known);
      /* As many executions as fit leave and enter the function.  */
      int64_t entries = known->blocks[ENTRY];
      add_way (&network, node_out (EXIT), node_in (ENTRY),
	       entries == FLOW_FIT_UNKNOWN ? 0 : entries, 0, 0);
      result = balance (&network) ? FLOW_FIT_DONE : FLOW_FIT_IMPOSSIBLE;
      for (uint32_t i = 0; i < function->arc_count; i++, link += 4)
	fitted[i] = flow_of (&network, link);
    }
  release (&network);
  return result;
}
