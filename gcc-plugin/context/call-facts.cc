/* Heap profile data of calls while the call graph is optimized.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "call-facts.h"

call_facts_summary *call_facts_of_unit;
call_facts_hook *call_facts_copied;

/* Memory that the facts point to, freed at once.  */
static struct obstack memory;

/* All allocations, to release the vectors in them.  */
static vec<heap_allocation *> allocations;

void
call_facts_summary::duplicate (cgraph_edge *, cgraph_edge *to,
			       call_facts *facts, call_facts *copy)
{
  *copy = *facts;
  if (call_facts_copied)
    call_facts_copied (to, copy);
}

void
call_facts_start (void)
{
  if (call_facts_of_unit)
    return;
  gcc_obstack_init (&memory);
  call_facts_of_unit = new call_facts_summary (symtab);
}

call_facts *
call_facts_new (cgraph_edge *call, unsigned n_ids)
{
  call_facts *facts = call_facts_of_unit->get_create (call);

  facts->ids = XOBNEWVEC (&memory, uint64_t, n_ids);
  facts->n_ids = n_ids;
  facts->allocation = NULL;
  return facts;
}

heap_allocation *
call_facts_add_allocation (call_facts *facts)
{
  heap_allocation *allocation = XOBNEW (&memory, heap_allocation);

  memset (allocation, 0, sizeof *allocation);
  allocations.safe_push (allocation);
  facts->allocation = allocation;
  return allocation;
}

heap_context *
call_facts_add_context (heap_allocation *allocation, unsigned length)
{
  heap_context context = {};

  context.callers = XOBNEWVEC (&memory, uint64_t, length);
  context.length = length;
  allocation->contexts.safe_push (context);
  return &allocation->contexts.last ();
}

const char *
call_facts_text (const char *text, size_t n)
{
  return (const char *) obstack_copy0 (&memory, text, n);
}

unsigned
heap_allocation_classes (const heap_allocation *allocation)
{
  unsigned classes = 0;

  for (const heap_context &context : allocation->contexts)
    classes |= 1u << context.hint;
  return classes;
}

/* Return HASH extended by the N IDS.  */
static uint64_t
hash_ids (uint64_t hash, const uint64_t *ids, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    {
      hash = (hash ^ ids[i]) * UINT64_C (0x9e3779b97f4a7c15);
      hash ^= hash >> 32;
    }
  return hash;
}

uint64_t
call_facts_context_key (const uint64_t *ids, unsigned n_ids,
			const uint64_t *callers, unsigned length)
{
  uint64_t hash = hash_ids (n_ids + length, ids, n_ids);

  hash = hash_ids (hash, callers, length);
  /* 0 and 1 mark empty and deleted slots.  */
  return hash < 2 ? hash + 2 : hash;
}

call_facts *
call_facts_get (cgraph_edge *call)
{
  return call_facts_of_unit ? call_facts_of_unit->get (call) : NULL;
}

void
call_facts_finish (void)
{
  if (!call_facts_of_unit)
    return;
  for (heap_allocation *allocation : allocations)
    {
      allocation->contexts.release ();
      allocation->calls.release ();
    }
  allocations.release ();
  delete call_facts_of_unit;
  call_facts_of_unit = NULL;
  obstack_free (&memory, NULL);
}
