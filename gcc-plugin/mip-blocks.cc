/* Machine-level profiles: which blocks need probes of their own.
   SPDX-License-Identifier: GPL-3.0-or-later

   A block is covered exactly if one of its predecessors is, when each of them
   leads nowhere but to it; and exactly if one of its successors is, when each
   of them is reached only through it and it cannot end the function.  Both
   are asked of the graph without the block: no path from the entry to an end
   may pass one of those named.  A block with a call that may not return is an
   end.  Rules may name blocks that have rules, but never in a cycle.  */

#include "gcc-compat.h"
#include "arguments.h"
#include "mip.h"

/* The search takes the square of their number: above this, each is probed.  */
static const unsigned max_searched_blocks = 2000;

/* What is known of the block that BB->aux numbers.  */
struct block_facts
{
  basic_block bb;
  /* It may be the last of a call of the function.  */
  bool is_end;
  /* Without the block that is looked at: on a way from the entry; on a way to
     an end.  */
  bool from_entry;
  bool to_end;
  /* For the search of cycles.  */
  bool is_visited;
};

struct block_search
{
  mip_function *function;
  auto_vec<block_facts> facts;
  auto_vec<unsigned> pending;
};

static unsigned
number_of (basic_block bb)
{
  return (size_t) bb->aux;
}

/* Entry and exit have no number.  */
static bool
numbered_p (basic_block bb)
{
  return bb->index >= NUM_FIXED_BLOCKS;
}

/* Could BB be left other than by its edges?  */
static bool
may_end_p (basic_block bb)
{
  rtx_insn *insn;
  edge e;
  edge_iterator i;

  if (EDGE_COUNT (bb->succs) == 0)
    return true;
  FOR_EACH_EDGE (e, i, bb->succs)
    if (e->dest == EXIT_BLOCK_PTR_FOR_FN (cfun))
      return true;
  FOR_BB_INSNS (bb, insn)
    if (CALL_P (insn) || (NONDEBUG_INSN_P (insn)
			  && asm_noperands (PATTERN (insn)) >= 0))
      return true;
  return false;
}

/* Go on from the blocks that are pending, along edges FORWARD or backward,
   around block AVOIDED, and mark what is reached.  */
static void
spread (block_search *search, unsigned avoided, bool forward)
{
  while (!search->pending.is_empty ())
    {
      basic_block bb = search->facts[search->pending.pop ()].bb;
      edge e;
      edge_iterator i;
      FOR_EACH_EDGE (e, i, forward ? bb->succs : bb->preds)
	{
	  basic_block next = forward ? e->dest : e->src;
	  if (!numbered_p (next) || number_of (next) == avoided)
	    continue;
	  block_facts *facts = &search->facts[number_of (next)];
	  bool *mark = forward ? &facts->from_entry : &facts->to_end;
	  if (!*mark)
	    {
	      *mark = true;
	      search->pending.safe_push (number_of (next));
	    }
	}
    }
}

/* Find out what the graph without block AVOIDED looks like.  */
static void
search_without (block_search *search, unsigned avoided)
{
  basic_block first = single_succ (ENTRY_BLOCK_PTR_FOR_FN (cfun));

  for (block_facts &facts : search->facts)
    facts.from_entry = facts.to_end = false;
  if (number_of (first) != avoided)
    {
      search->facts[number_of (first)].from_entry = true;
      search->pending.safe_push (number_of (first));
    }
  spread (search, avoided, true);
  for (unsigned i = 0; i < search->facts.length (); i++)
    if (i != avoided && search->facts[i].is_end)
      {
	search->facts[i].to_end = true;
	search->pending.safe_push (i);
      }
  spread (search, avoided, false);
}

/* Does the rule of block FROM lead to block TO?  */
static bool
rule_leads_to_p (block_search *search, unsigned from, unsigned to)
{
  if (from == to)
    return true;
  block_facts *facts = &search->facts[from];
  int rule = search->function->blocks[from].rule;
  if (facts->is_visited || rule < 0)
    return false;
  facts->is_visited = true;
  uint32_t n = search->function->rules[rule];
  for (uint32_t i = 1; i <= n; i++)
    if (rule_leads_to_p (search, search->function->rules[rule + i], to))
      return true;
  return false;
}

/* Are all blocks at the other ends of EDGES on no path past block NUMBER, and
   may a rule of that name them?  */
static bool
usable_p (block_search *search, unsigned number, vec<edge, va_gc> *edges,
	  bool forward)
{
  edge e;
  edge_iterator i;

  if (EDGE_COUNT (edges) == 0)
    return false;
  FOR_EACH_EDGE (e, i, edges)
    {
      basic_block other = forward ? e->dest : e->src;
      if (!numbered_p (other) || number_of (other) == number)
	return false;
      const block_facts &facts = search->facts[number_of (other)];
      if (facts.from_entry && facts.to_end)
	return false;
      for (block_facts &each : search->facts)
	each.is_visited = false;
      if (rule_leads_to_p (search, number_of (other), number))
	return false;
    }
  return true;
}

/* Give block NUMBER the rule that names the other ends of EDGES.  */
static void
set_rule (block_search *search, unsigned number, vec<edge, va_gc> *edges,
	  bool forward)
{
  mip_function *function = search->function;
  edge e;
  edge_iterator i;

  function->blocks[number].rule = function->rules.length ();
  function->rules.safe_push (EDGE_COUNT (edges));
  FOR_EACH_EDGE (e, i, edges)
    function->rules.safe_push (number_of (forward ? e->dest : e->src));
}

/* Find a rule for block NUMBER.  False if there is none.  */
static bool
find_rule (block_search *search, unsigned number)
{
  block_facts *facts = &search->facts[number];

  search_without (search, number);
  if (usable_p (search, number, facts->bb->preds, false))
    set_rule (search, number, facts->bb->preds, false);
  else if (!facts->is_end && usable_p (search, number, facts->bb->succs, true))
    set_rule (search, number, facts->bb->succs, true);
  else
    return false;
  return true;
}

void
mip_blocks_choose (mip_function *function, const vec<basic_block> &blocks)
{
  block_search search;
  basic_block first = single_succ (ENTRY_BLOCK_PTR_FOR_FN (cfun));

  search.function = function;
  for (unsigned i = 0; i < blocks.length (); i++)
    {
      block_facts facts = { blocks[i], may_end_p (blocks[i]), false, false,
			    false };
      blocks[i]->aux = (void *) (size_t) i;
      search.facts.safe_push (facts);
    }
  for (unsigned i = 0; i < blocks.length (); i++)
    if (blocks[i] == first)
      function->blocks[i].slot = 0;
    else if (blocks.length () > max_searched_blocks || !find_rule (&search, i))
      function->blocks[i].slot = function->slot_bytes++;
  clear_aux_for_blocks ();
}
