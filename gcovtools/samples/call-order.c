/* An order of the functions of a profile in which callers come first.
   SPDX-License-Identifier: GPL-3.0-or-later

   Functions are numbered by their names here.  Those that call each other in a
   circle are a component; components are found by Tarjan's algorithm, and
   ordered inside by a spanning tree of their most frequent calls.  The result
   is LLVM's.  */

#include "call-order.h"
#include "growing-array.h"
#include <stdlib.h>
#include <string.h>

#define NO_FUNCTION UINT32_MAX

/* The visit number of a function whose component is complete.  */
#define COMPLETE UINT32_MAX

struct call
{
  uint32_t from;
  uint32_t to;
  uint64_t weight;
  bool is_in_tree; /* the spanning tree of the component */
};

struct function
{
  uint32_t name;
  uint32_t first; /* call */
  uint32_t call_count;
  uint32_t visit;   /* its number; 0: not yet */
  uint32_t least;   /* number that its calls lead back to */
  uint32_t next;    /* call to follow */
  uint32_t group;   /* function that stands for its part of the tree */
  uint32_t callers; /* in the tree that are not ordered yet */
  bool is_member;   /* of the current component */
  bool is_queued;
};

struct ordering
{
  struct sample_profile *profile;
  struct function *functions; /* by name */
  uint32_t count;
  struct call *calls; /* by FROM, then TO */
  size_t call_count;
  size_t call_capacity;
  uint32_t *by_name; /* numbers of functions by number of name */
  uint32_t *waiting; /* functions whose component is not complete */
  uint32_t waiting_count;
  uint32_t *path; /* functions whose calls are followed */
  uint32_t depth;
  uint32_t visits;
  struct call **inside; /* room for the calls of a component */
  uint32_t *queue;
  uint32_t *result; /* names, last first */
  uint32_t result_count;
};

static uint64_t
entries_of (const struct sample_function *function)
{
  if (function->head > 0)
    return function->head;
  uint64_t count = function->body_count > 0 ? function->bodies[0].count : 0;
  return count > 0 ? count : function->total > 0;
}

uint64_t
context_call_count (const struct call_node *node)
{
  if (node->parent->samples == NULL)
    return 0;
  uint64_t count = entries_of (node->samples->function);
  const struct sample_body *body
    = sample_function_find_body (node->parent->samples->function, node->site);
  for (uint32_t i = 0; body != NULL && i < body->targets.count; i++)
    if (body->targets.counts[i].name == node->name
	&& body->targets.counts[i].count > count)
      count = body->targets.counts[i].count;
  return count;
}

static int
compare_names (const void *a, const void *b, void *data)
{
  const struct function *x = a;
  const struct function *y = b;
  return sample_profile_compare_names (data, x->name, y->name);
}

/* Number the functions of the COUNT NODES.  */
static bool
number_functions (struct ordering *ordering, struct call_node *const *nodes,
		  size_t count)
{
  uint32_t names = sample_profile_name_count (ordering->profile);
  ordering->by_name = calloc ((size_t) names + 1, sizeof (uint32_t));
  ordering->functions = calloc (count + 1, sizeof *ordering->functions);
  if (ordering->by_name == NULL || ordering->functions == NULL)
    return false;
  memset (ordering->by_name, 0xff, names * sizeof (uint32_t));
  for (size_t i = 0; i < count; i++)
    if (ordering->by_name[nodes[i]->name] == NO_FUNCTION)
      {
	ordering->by_name[nodes[i]->name] = 0;
	ordering->functions[ordering->count++].name = nodes[i]->name;
      }
  qsort_r (ordering->functions, ordering->count, sizeof *ordering->functions,
	   compare_names, ordering->profile);
  for (uint32_t i = 0; i < ordering->count; i++)
    ordering->by_name[ordering->functions[i].name] = i;
  return true;
}

static int
compare_calls (const void *a, const void *b)
{
  const struct call *x = a;
  const struct call *y = b;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return (x->to > y->to) - (x->to < y->to);
}

/* Sort the calls, add up those of the same functions, and drop those of at most
   COLD times.  */
static void
finish_calls (struct ordering *ordering, uint64_t cold)
{
  struct call *calls = ordering->calls;
  size_t kept = 0;
  if (ordering->call_count > 0)
    qsort (calls, ordering->call_count, sizeof *calls, compare_calls);
  for (size_t i = 0, next; i < ordering->call_count; i = next)
    {
      struct call call = calls[i];
      for (next = i + 1; next < ordering->call_count
			 && compare_calls (&calls[i], &calls[next]) == 0;
	   next++)
	call.weight += calls[next].weight;
      if (cold > 0 && call.weight <= cold)
	continue;
      struct function *from = &ordering->functions[call.from];
      if (from->call_count++ == 0)
	from->first = (uint32_t) kept;
      calls[kept++] = call;
    }
  ordering->call_count = kept;
}

static bool
add_calls (struct ordering *ordering, struct call_node *const *nodes,
	   size_t count, uint64_t cold)
{
  for (size_t i = 0; i < count; i++)
    {
      const struct call_node *node = nodes[i];
      if (node->parent->parent == NULL)
	continue;
      if (!growing_array_reserve (&ordering->calls, ordering->call_count,
				  &ordering->call_capacity, 1,
				  sizeof *ordering->calls))
	return false;
      ordering->calls[ordering->call_count++] = (struct call){
	.from = ordering->by_name[node->parent->name],
	.to = ordering->by_name[node->name],
	.weight = node->samples != NULL ? context_call_count (node) : 0
      };
    }
  finish_calls (ordering, cold);
  return true;
}

/* ---- The order in a component.  */

static uint32_t
group_of (struct ordering *ordering, uint32_t number)
{
  struct function *functions = ordering->functions;
  while (functions[number].group != number)
    {
      functions[number].group = functions[functions[number].group].group;
      number = functions[number].group;
    }
  return number;
}

/* By falling weight, then by place in the list.  */
static int
compare_weights (const void *a, const void *b)
{
  const struct call *x = *(struct call *const *) a;
  const struct call *y = *(struct call *const *) b;
  return (x->weight < y->weight) - (x->weight > y->weight);
}

/* Stable sort of COUNT CALLS.  */
static void
sort_by_weight (struct call **calls, size_t count, struct call **spare)
{
  if (count < 2)
    return;
  size_t half = count / 2;
  sort_by_weight (calls, half, spare);
  sort_by_weight (calls + half, count - half, spare);
  memcpy (spare, calls, count * sizeof *calls);
  for (size_t i = 0, a = 0, b = half; i < count; i++)
    calls[i]
      = b == count || (a < half && compare_weights (&spare[a], &spare[b]) <= 0)
	  ? spare[a++]
	  : spare[b++];
}

/* Make the spanning tree of the calls between the COUNT MEMBERS.  Set the list
   of these calls, most frequent first; return their number.  */
static size_t
make_tree (struct ordering *ordering, const uint32_t *members, uint32_t count)
{
  size_t calls = 0;
  for (uint32_t i = 0; i < count; i++)
    {
      struct function *from = &ordering->functions[members[i]];
      from->group = members[i];
      for (uint32_t j = 0; j < from->call_count; j++)
	{
	  struct call *call = &ordering->calls[from->first + j];
	  if (ordering->functions[call->to].is_member)
	    ordering->inside[calls++] = call;
	}
    }
  sort_by_weight (ordering->inside, calls, ordering->inside + calls);
  for (size_t i = 0; i < calls; i++)
    {
      struct call *call = ordering->inside[i];
      uint32_t from = group_of (ordering, call->from);
      uint32_t to = group_of (ordering, call->to);
      call->is_in_tree = from != to;
      ordering->functions[to].group = from;
      ordering->functions[call->to].callers += call->is_in_tree;
    }
  return calls;
}

/* Append the COUNT MEMBERS, at least two, to the result, last first.  */
static void
add_members (struct ordering *ordering, const uint32_t *members, uint32_t count)
{
  uint32_t used = 0;
  size_t calls = make_tree (ordering, members, count);
  for (size_t i = 0; i < calls; i++)
    {
      struct function *from = &ordering->functions[ordering->inside[i]->from];
      if (from->is_queued || from->callers > 0)
	continue;
      from->is_queued = true;
      ordering->queue[used++] = ordering->inside[i]->from;
    }
  for (uint32_t i = 0; i < used; i++)
    {
      const struct function *from = &ordering->functions[ordering->queue[i]];
      for (uint32_t j = 0; j < from->call_count; j++)
	{
	  const struct call *call = &ordering->calls[from->first + j];
	  if (call->is_in_tree && --ordering->functions[call->to].callers == 0)
	    ordering->queue[used++] = call->to;
	}
    }
  while (used-- > 0)
    ordering->result[ordering->result_count++]
      = ordering->functions[ordering->queue[used]].name;
}

/* ---- Components.  */

static void
enter (struct ordering *ordering, uint32_t number)
{
  struct function *function = &ordering->functions[number];
  function->visit = function->least = ++ordering->visits;
  ordering->waiting[ordering->waiting_count++] = number;
  ordering->path[ordering->depth++] = number;
}

/* The component of NUMBER is complete: it and what waits after it.  */
static void
leave_component (struct ordering *ordering, uint32_t number)
{
  uint32_t first = ordering->waiting_count;
  do
    {
      struct function *member
	= &ordering->functions[ordering->waiting[--first]];
      member->visit = COMPLETE;
      member->is_member = true;
    }
  while (ordering->waiting[first] != number);
  uint32_t *members = &ordering->waiting[first];
  uint32_t count = ordering->waiting_count - first;
  for (uint32_t i = 0; i < count / 2; i++)
    {
      uint32_t other = members[i];
      members[i] = members[count - 1 - i];
      members[count - 1 - i] = other;
    }
  if (count > 1)
    add_members (ordering, members, count);
  else
    ordering->result[ordering->result_count++]
      = ordering->functions[number].name;
  for (uint32_t i = 0; i < count; i++)
    ordering->functions[members[i]].is_member = false;
  ordering->waiting_count = first;
}

/* Follow the calls of function START and of those it calls.  */
static void
visit (struct ordering *ordering, uint32_t start)
{
  enter (ordering, start);
  while (ordering->depth > 0)
    {
      uint32_t number = ordering->path[ordering->depth - 1];
      struct function *function = &ordering->functions[number];
      if (function->next < function->call_count)
	{
	  uint32_t callee
	    = ordering->calls[function->first + function->next++].to;
	  const struct function *other = &ordering->functions[callee];
	  if (other->visit == 0)
	    enter (ordering, callee);
	  else if (other->visit < function->least)
	    function->least = other->visit;
	  continue;
	}
      ordering->depth--;
      if (ordering->depth > 0)
	{
	  struct function *caller
	    = &ordering->functions[ordering->path[ordering->depth - 1]];
	  if (function->least < caller->least)
	    caller->least = function->least;
	}
      if (function->least == function->visit)
	leave_component (ordering, number);
    }
}

/* Allocate the tables of the search.  */
static bool
allocate (struct ordering *ordering)
{
  size_t count = (size_t) ordering->count + 1;
  ordering->waiting = calloc (count, sizeof *ordering->waiting);
  ordering->path = calloc (count, sizeof *ordering->path);
  ordering->queue = calloc (count, sizeof *ordering->queue);
  ordering->result = calloc (count, sizeof *ordering->result);
  /* With space for sorting.  */
  ordering->inside
    = calloc (2 * ordering->call_count + 1, sizeof *ordering->inside);
  return ordering->waiting != NULL && ordering->path != NULL
	 && ordering->queue != NULL && ordering->result != NULL
	 && ordering->inside != NULL;
}

uint32_t *
call_order_make (struct call_tree *tree, uint64_t cold, uint32_t *count)
{
  struct ordering ordering = { .profile = tree->profile };
  size_t node_count = 0;
  struct call_node **nodes = call_tree_list (tree, &node_count);
  bool is_done
    = nodes != NULL && number_functions (&ordering, nodes, node_count)
      && add_calls (&ordering, nodes, node_count, cold) && allocate (&ordering);
  for (uint32_t i = 0; i < ordering.count && is_done; i++)
    if (ordering.functions[i].visit == 0)
      visit (&ordering, i);
  *count = ordering.result_count;
  for (uint32_t i = 0; i < *count / 2; i++)
    {
      uint32_t other = ordering.result[i];
      ordering.result[i] = ordering.result[*count - 1 - i];
      ordering.result[*count - 1 - i] = other;
    }
  free (nodes);
  free (ordering.functions);
  free (ordering.calls);
  free (ordering.by_name);
  free (ordering.waiting);
  free (ordering.path);
  free (ordering.inside);
  free (ordering.queue);
  if (is_done)
    return ordering.result;
  free (ordering.result);
  return NULL;
}
