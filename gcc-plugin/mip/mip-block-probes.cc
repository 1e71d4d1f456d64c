/* Machine-level profiles: selection of the blocks that need their own probes.
   SPDX-License-Identifier: GPL-3.0-or-later

   A block is covered if and only if one of its predecessors is, provided that
   each of these leads only to the block.  It is covered if and only if one of
   its successors is, provided that each of these is reached only through the
   block and that the block cannot end the function.  Both are checked on the
   graph without the block: no path from the entry to an end may pass through
   one of the predecessors or successors.  A rule names the blocks that a block
   is inferred from.  Rules may name blocks that have rules, but never in a
   cycle.

   A call may not return, or may throw, so the code before a call is never
   inferred from the code after it.  The code after a call is inferred from the
   code before it, unless mip-infer=strict.  This saves a tenth of the probes,
   but if a call never returned, the code after it is reported as covered.  In
   this default mode, blocks that only clean up for exceptions passing through
   the function get neither a probe nor a rule.  */

#include "gcc-compat.h"
#include "arguments.h"
#include "mip-parts.h"

/* The search takes quadratic time.  In functions with more blocks, each block
   gets a probe.  */
static const unsigned max_searched_blocks = 2000;

/* Data of the block that BB->aux numbers.  */
struct block_facts
{
  basic_block bb;
  /* It is an exit of the function.  */
  bool is_end;
  /* Control may enter it and not leave it.  */
  bool has_call;
  /* It cleans up for an exception that the function does not catch.  */
  bool is_cleanup;
  /* In the graph without the block under examination: on a path from the entry;
     on a path to an end.  */
  bool from_entry;
  bool to_end;
  /* For the detection of cycles.  */
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

/* True if BB is an exit of the function.  */
static bool
end_p (basic_block bb)
{
  edge e;
  edge_iterator i;

  if (EDGE_COUNT (bb->succs) == 0)
    return true;
  FOR_EACH_EDGE (e, i, bb->succs)
    if (e->dest == EXIT_BLOCK_PTR_FOR_FN (cfun))
      return true;
  return false;
}

tree
mip_callee (rtx_insn *insn)
{
  rtx call = get_call_rtx_from (insn);
  rtx callee = call ? XEXP (XEXP (call, 0), 0) : NULL_RTX;
  tree decl
    = (callee && GET_CODE (callee) == SYMBOL_REF ? SYMBOL_REF_DECL (callee)
						 : NULL_TREE);

  return decl && TREE_CODE (decl) == FUNCTION_DECL ? decl : NULL_TREE;
}

/* True if INSN calls a function of the C library that always returns.  */
static bool
returning_builtin_p (rtx_insn *insn)
{
  tree decl = mip_callee (insn);

  if (!decl || !fndecl_built_in_p (decl, BUILT_IN_NORMAL)
      || !TREE_NOTHROW (decl)
      || (flags_from_decl_or_type (decl) & (ECF_NORETURN | ECF_RETURNS_TWICE)))
    return false;
  /* The exec functions return only on failure.  */
  return !startswith (IDENTIFIER_POINTER (DECL_NAME (decl)), "exec");
}

bool
mip_may_stop_p (rtx_insn *insn)
{
  if (!NONDEBUG_INSN_P (insn))
    return false;
  if (!CALL_P (insn))
    return asm_noperands (PATTERN (insn)) >= 0;
  if (RTL_CONST_OR_PURE_CALL_P (insn)
      && !RTL_LOOPING_CONST_OR_PURE_CALL_P (insn))
    return false;
  return !returning_builtin_p (insn);
}

/* True if BB is the start of an exception handler.  */
static bool
catches_p (basic_block bb)
{
  rtx_insn *insn;

  FOR_BB_INSNS (bb, insn)
    if (CALL_P (insn))
      if (tree callee = mip_callee (insn))
	if (id_equal (DECL_ASSEMBLER_NAME (callee), "__cxa_begin_catch"))
	  return true;
  return false;
}

static bool
has_call_p (basic_block bb)
{
  rtx_insn *insn;

  FOR_BB_INSNS (bb, insn)
    if (mip_may_stop_p (insn))
      return true;
  return false;
}

/* Starting from the pending blocks, follow edges, FORWARD or backward, except
   those with FLAGS and those to block AVOIDED, and mark the blocks that are
   reached.  */
static void
spread (block_search *search, unsigned avoided, bool forward, int flags)
{
  while (!search->pending.is_empty ())
    {
      basic_block bb = search->facts[search->pending.pop ()].bb;
      edge e;
      edge_iterator i;
      FOR_EACH_EDGE (e, i, forward ? bb->succs : bb->preds)
	{
	  basic_block next = forward ? e->dest : e->src;
	  if ((e->flags & flags) || !numbered_p (next)
	      || number_of (next) == avoided)
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

/* Compute FROM_ENTRY and TO_END in the graph without block AVOIDED, assuming
   that calls return if CALLS_RETURN, and otherwise that they may not return or
   may throw.  */
static void
search_without (block_search *search, unsigned avoided, bool calls_return)
{
  basic_block first = single_succ (ENTRY_BLOCK_PTR_FOR_FN (cfun));

  for (block_facts &facts : search->facts)
    facts.from_entry = facts.to_end = false;
  if (number_of (first) != avoided)
    {
      search->facts[number_of (first)].from_entry = true;
      search->pending.safe_push (number_of (first));
    }
  spread (search, avoided, true, 0);
  for (unsigned i = 0; i < search->facts.length (); i++)
    if (i != avoided
	&& (search->facts[i].is_end
	    || (search->facts[i].has_call && !calls_return)))
      {
	search->facts[i].to_end = true;
	search->pending.safe_push (i);
      }
  spread (search, avoided, false,
	  calls_return ? EDGE_EH | EDGE_ABNORMAL_CALL : 0);
}

/* Find the blocks that only clean up: those that are reached only by
   exceptions, not from a handler, and lead neither to a handler nor to a block
   that is reached otherwise.  */
static void
find_cleanups (block_search *search)
{
  tree personality = DECL_FUNCTION_PERSONALITY (cfun->decl);

  if (!personality
      || !id_equal (DECL_ASSEMBLER_NAME (personality), "__gxx_personality_v0"))
    return;
  for (unsigned i = 0; i < search->facts.length (); i++)
    if (i == 0 || catches_p (search->facts[i].bb))
      {
	search->facts[i].from_entry = true;
	search->pending.safe_push (i);
      }
  spread (search, UINT_MAX, true, EDGE_EH);
  for (unsigned i = 0; i < search->facts.length (); i++)
    if (search->facts[i].from_entry)
      {
	search->facts[i].to_end = true;
	search->pending.safe_push (i);
      }
  spread (search, UINT_MAX, false, EDGE_EH);
  for (block_facts &facts : search->facts)
    facts.is_cleanup = !facts.to_end;
}

/* True if the rule of block FROM leads to block TO.  */
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

/* True if a rule for block NUMBER may name OTHER: no path from the entry to an
   end that avoids NUMBER passes through OTHER, and OTHER has no rule that leads
   to NUMBER.  */
static bool
usable_p (block_search *search, unsigned number, unsigned other)
{
  const block_facts &facts = search->facts[other];

  if (other == number || facts.is_cleanup || (facts.from_entry && facts.to_end))
    return false;
  for (block_facts &each : search->facts)
    each.is_visited = false;
  return !rule_leads_to_p (search, other, number);
}

/* Find a rule for block NUMBER that names the blocks at the other ends of
   EDGES.  Omit predecessors that are reached only through the block itself: it
   is not first reached from one of them.  */
static bool
find_rule (block_search *search, unsigned number, vec<edge, va_gc> *edges,
	   bool forward)
{
  mip_function *function = search->function;
  unsigned position = function->rules.length ();
  edge e;
  edge_iterator i;

  function->rules.safe_push (0);
  FOR_EACH_EDGE (e, i, edges)
    {
      basic_block other = forward ? e->dest : e->src;
      if (numbered_p (other) && !forward
	  && !search->facts[number_of (other)].from_entry)
	continue;
      if (!numbered_p (other) || !usable_p (search, number, number_of (other)))
	{
	  function->rules.truncate (position);
	  return false;
	}
      function->rules.safe_push (number_of (other));
      function->rules[position]++;
    }
  if (function->rules[position] == 0)
    {
      function->rules.truncate (position);
      return false;
    }
  function->blocks[number].rule = position;
  return true;
}

/* Give block NUMBER a rule if possible.  Return true if it has one.  */
static bool
infer (block_search *search, unsigned number)
{
  block_facts *facts = &search->facts[number];

  search_without (search, number, !arguments.mip.strict);
  if (find_rule (search, number, facts->bb->preds, false))
    return true;
  if (facts->is_end || facts->has_call)
    return false;
  search_without (search, number, false);
  return find_rule (search, number, facts->bb->succs, true);
}

void
mip_blocks_choose (mip_function *function, const vec<basic_block> &blocks)
{
  block_search search;

  search.function = function;
  for (unsigned i = 0; i < blocks.length (); i++)
    {
      block_facts facts = { blocks[i],
			    end_p (blocks[i]),
			    has_call_p (blocks[i]),
			    false,
			    false,
			    false,
			    false };
      blocks[i]->aux = (void *) (size_t) i;
      search.facts.safe_push (facts);
    }
  if (!arguments.mip.strict)
    find_cleanups (&search);
  for (unsigned i = 0; i < blocks.length (); i++)
    if (search.facts[i].is_cleanup)
      continue;
    else if (blocks.length () > max_searched_blocks || !infer (&search, i))
      function->blocks[i].slot = function->slot_bytes++;
  clear_aux_for_blocks ();
}
