/* Heap profile data of calls while the call graph is optimized.
   SPDX-License-Identifier: GPL-3.0-or-later

   In a compilation the facts are read from the calls (use-ipa.cc); for LTO they
   are written to the object with the functions and read at the link
   (use-stream.cc).  Then contexts are separated (context-clone.cc).  Copies of
   a call have the same facts.  All facts live until the pass ends.  */

#ifndef HEAPPROF_CALL_FACTS_H
#define HEAPPROF_CALL_FACTS_H

#include "use-call.h"

/* A calling context of an allocation: the ids of the stack entries outside the
   allocation's own, innermost first, and the profile's data for it.  */
struct heap_context
{
  uint64_t *callers;
  unsigned length;
  hint_class hint;
  bool by_token; /* a call's token tells ambiguous allocations the hint */
  uint64_t count;
  uint64_t bytes;
};

/* An allocation call and its contexts.  */
struct heap_allocation
{
  vec<heap_context> contexts;
  /* The place in the source, and the functions that the call was inlined into,
     innermost first, separated by blanks.  */
  const char *function;
  const char *inlined_into;
  const char *file;
  int line;
  int column;
  bool is_fitted; /* the place was found by the calls around it */
  /* The call and its copies; only while contexts are being separated.  */
  vec<cgraph_edge *> calls;
  /* All contexts belong to other copies of the call (context-copies.h).  */
  bool is_spare;
};

/* The ids of a call and of the calls it was inlined through, innermost first;
   and the allocation that it makes, or NULL.  A call by which GCC continues in
   a part that it split off a function has no id of its own, and may have none.
 */
struct call_facts
{
  uint64_t *ids;
  unsigned n_ids;
  heap_allocation *allocation;
};

class call_facts_summary : public call_summary<call_facts *>
{
public:
  call_facts_summary (symbol_table *table) : call_summary<call_facts *> (table)
  {}

  void duplicate (cgraph_edge *from, cgraph_edge *to, call_facts *facts,
		  call_facts *copy) final override;
};

/* The facts of this unit or link; NULL if there are none.  */
extern call_facts_summary *call_facts_of_unit;

/* Called for each copy of a call, which has FACTS, unless NULL.  */
typedef void call_facts_hook (cgraph_edge *call, call_facts *facts);
extern call_facts_hook *call_facts_copied;

/* Add facts.  call_facts_new allocates room for N_IDS ids, which the caller
   fills in; call_facts_add_allocation makes the call an allocation without
   contexts.  */
void call_facts_start (void);
call_facts *call_facts_new (cgraph_edge *call, unsigned n_ids);
heap_allocation *call_facts_add_allocation (call_facts *facts);
heap_context *call_facts_add_context (heap_allocation *allocation,
				      unsigned length);
const char *call_facts_text (const char *text, size_t n);

/* Return the classes of ALLOCATION's contexts: bit C stands for hint_class
   C.  */
unsigned heap_allocation_classes (const heap_allocation *allocation);

/* Return the facts of CALL, or NULL.  */
call_facts *call_facts_get (cgraph_edge *call);

void call_facts_finish (void);

/* Return a key, neither 0 nor 1, for the context of an allocation call with the
   frames IDS and the CALLERS around them.  It does not depend on how many of
   its frames are IDS.  */
uint64_t call_facts_context_key (const uint64_t *ids, unsigned n_ids,
				 const uint64_t *callers, unsigned length);

#endif /* HEAPPROF_CALL_FACTS_H */
