/* Machine-level profiles: functions that were inlined into others.
   SPDX-License-Identifier: GPL-3.0-or-later

   The scopes of the current function include the body of each copy, and each
   instruction has a scope.  The body of a function inside itself is no copy:
   usually GCC has split the function and inlined one of the parts again.  A
   copy ran if one of the blocks ran that contain code of it.  The compiler may
   move a computation to a place where it runs in vain, but not a call, a jump,
   or a store to memory: if a copy has any of these, only they count.  Of blocks
   that are reached only through others with code of the same copy, nothing more
   is learnt.

   Without probes in blocks it is known only for some copies whether they ran:
   all paths through the function pass their code.  As for
   blocks (mip-block-probes.cc), this assumes that calls return, and also that
   loops end; with mip-infer=strict nothing is assumed.  */

#include "gcc-compat-rtl.h"
#include "arguments.h"
#include "mip-parts.h"

/* Blocks with code of a copy, by number.  */
struct copy_code
{
  auto_vec<unsigned> firm;  /* that the compiler does not move */
  auto_vec<unsigned> loose; /* all */
};

struct copy_search
{
  mip_function *function;
  const vec<basic_block> *blocks;
  /* The copy that each scope belongs to, from 1.  */
  hash_map<tree, int> copies;
  auto_vec<copy_code *> code;
};

/* Return the function that SCOPE is from, if it is not the current one, or
   NULL.  */
static tree
origin_of (tree scope)
{
  tree origin = BLOCK_ABSTRACT_ORIGIN (scope);

  while (origin && TREE_CODE (origin) == BLOCK)
    {
      tree next = BLOCK_ABSTRACT_ORIGIN (origin);
      origin = next && next != origin ? next : BLOCK_SUPERCONTEXT (origin);
    }
  if (!origin || TREE_CODE (origin) != FUNCTION_DECL)
    return NULL_TREE;
  return DECL_ORIGIN (origin);
}

/* Add the copies in the scopes inside SCOPE, which belongs to copy PARENT, -1
   if it is in none, of ORIGIN.  Some inlined bodies have lost their outermost
   scope, so each scope is asked where it is from.  */
static void
add_copies (copy_search *search, tree scope, int parent, tree origin)
{
  mip_function *function = search->function;

  for (tree inner = BLOCK_SUBBLOCKS (scope); inner; inner = BLOCK_CHAIN (inner))
    {
      tree from = origin_of (inner);
      int copy = parent;
      /* Headers of the C library have copies of some of its functions.  */
      if (from && lookup_attribute ("gnu_inline", DECL_ATTRIBUTES (from)))
	from = NULL_TREE;
      if (from && from != origin)
	{
	  copy = function->copies.length ();
	  function->copies.safe_push ({ from, parent, -1, false });
	}
      search->copies.put (inner, copy + 1);
      add_copies (search, inner, copy, copy == parent ? origin : from);
    }
}

/* True if INSN has an effect, so that it runs only where the source says.  The
   place of a jump that tests nothing may be that of other code.  */
static bool
firm_p (rtx_insn *insn)
{
  if (CALL_P (insn) || any_condjump_p (insn)
      || (!JUMP_P (insn) && volatile_refs_p (PATTERN (insn))))
    return true;
  rtx set = single_set (insn);
  if (!set || !MEM_P (SET_DEST (set)))
    return false;
  /* Registers are saved in memory that has no name, or a common one.  */
  tree place = MEM_EXPR (SET_DEST (set));
  return ((place && place != get_spill_slot_decl (false))
	  || MEM_VOLATILE_P (SET_DEST (set)));
}

static void
add_block (vec<unsigned> *list, unsigned number)
{
  if (list->is_empty () || list->last () != number)
    list->safe_push (number);
}

/* Add block NUMBER to the code of the copy of INSN, and of those around it.  */
static void
add_code (copy_search *search, rtx_insn *insn, unsigned number)
{
  tree scope = LOCATION_BLOCK (INSN_LOCATION (insn));
  bool is_firm = firm_p (insn);
  int *copy = scope ? search->copies.get (scope) : NULL;

  for (int i = copy ? *copy - 1 : -1; i >= 0;
       i = search->function->copies[i].parent)
    {
      if (is_firm)
	add_block (&search->code[i]->firm, number);
      add_block (&search->code[i]->loose, number);
    }
}

/* Mark in REACHED the blocks after block FROM of LISTED, without following
   loops back.  */
static void
reach (const vec<basic_block> &listed, unsigned from, bitmap reached)
{
  auto_vec<basic_block> pending;
  edge e;
  edge_iterator i;

  pending.safe_push (listed[from]);
  while (!pending.is_empty ())
    FOR_EACH_EDGE (e, i, pending.pop ()->succs)
      if (!(e->flags & EDGE_DFS_BACK) && e->dest != EXIT_BLOCK_PTR_FOR_FN (cfun)
	  && bitmap_set_bit (reached, e->dest->index))
	pending.safe_push (e->dest);
}

/* Remove those of NUMBERS that come after others of them.  */
static void
keep_first (const vec<basic_block> &listed, vec<unsigned> *numbers)
{
  auto_bitmap reached;
  unsigned kept = 0;

  if (numbers->length () <= 1)
    return;
  for (unsigned number : *numbers)
    if (!bitmap_bit_p (reached, listed[number]->index))
      reach (listed, number, reached);
  for (unsigned number : *numbers)
    if (!bitmap_bit_p (reached, listed[number]->index))
      (*numbers)[kept++] = number;
  numbers->truncate (kept);
}

/* Add the rule of a copy with code in blocks NUMBERS: it ran if one of those
   did of which the function's slot tells, and which come first on their paths.
   Return its index, -1 if there are none.  */
static int
add_rule (copy_search *search, const vec<unsigned> &numbers)
{
  mip_function *function = search->function;
  auto_vec<unsigned> known;
  unsigned position = function->rules.length ();

  for (unsigned number : numbers)
    if (function->blocks[number].slot >= 0
	|| function->blocks[number].rule >= 0)
      known.safe_push (number);
  if (known.is_empty ())
    return -1;
  keep_first (*search->blocks, &known);
  function->rules.safe_push (known.length ());
  for (unsigned number : known)
    function->rules.safe_push (number);
  return position;
}

/* Follow edges from BB, which no block in SEEN was passed to reach.  Add the
   blocks after it to SEEN and PENDING.  Return true if it ends the
   function.  */
static bool
pass (basic_block bb, bitmap seen, vec<basic_block> *pending)
{
  edge e;
  edge_iterator i;

  FOR_EACH_EDGE (e, i, bb->succs)
    {
      if (e->dest == EXIT_BLOCK_PTR_FOR_FN (cfun))
	return true;
      /* Calls return.  */
      if (!(e->flags & (EDGE_EH | EDGE_ABNORMAL_CALL))
	  && bitmap_set_bit (seen, e->dest->index))
	pending->safe_push (e->dest);
    }
  return EDGE_COUNT (bb->succs) == 0;
}

/* Add to LEADING the blocks that lead to those in it.  */
static void
lead (const vec<unsigned> &numbers, const vec<basic_block> &listed,
      bitmap leading)
{
  auto_vec<basic_block> pending;
  edge e;
  edge_iterator i;

  for (unsigned number : numbers)
    {
      bitmap_set_bit (leading, listed[number]->index);
      pending.safe_push (listed[number]);
    }
  while (!pending.is_empty ())
    FOR_EACH_EDGE (e, i, pending.pop ()->preds)
      if (bitmap_set_bit (leading, e->src->index))
	pending.safe_push (e->src);
}

/* True if each path through the function passes one of the blocks NUMBERS of
   LISTED that come first on their paths.  */
static bool
always_p (const vec<unsigned> &numbers, const vec<basic_block> &listed)
{
  basic_block first = single_succ (ENTRY_BLOCK_PTR_FOR_FN (cfun));
  auto_vec<unsigned> kept;
  auto_vec<basic_block> pending;
  auto_bitmap seen, leading;

  kept.safe_splice (numbers);
  keep_first (listed, &kept);
  for (unsigned number : kept)
    bitmap_set_bit (seen, listed[number]->index);
  if (bitmap_set_bit (seen, first->index))
    pending.safe_push (first);
  while (!pending.is_empty ())
    if (pass (pending.pop (), seen, &pending))
      return false;
  /* A loop without end is no path through the function.  */
  lead (kept, listed, leading);
  return !bitmap_intersect_compl_p (seen, leading);
}

/* Find out when the copies run, whose code is known.  */
static void
find_rules (copy_search *search)
{
  mip_function *function = search->function;
  bool has_blocks = !function->blocks.is_empty ();

  if (!has_blocks && arguments.mip.strict)
    return;
  mark_dfs_back_edges ();
  for (unsigned i = 0; i < function->copies.length (); i++)
    {
      const copy_code *code = search->code[i];
      const vec<unsigned> &numbers
	= code->firm.is_empty () ? code->loose : code->firm;
      if (has_blocks)
	function->copies[i].rule = add_rule (search, numbers);
      else
	function->copies[i].is_always = always_p (numbers, *search->blocks);
    }
}

void
mip_copies_find (mip_function *function, const vec<basic_block> &blocks)
{
  copy_search search;
  auto_vec<basic_block> all;
  basic_block bb;

  search.function = function;
  if (DECL_INITIAL (function->decl)
      && TREE_CODE (DECL_INITIAL (function->decl)) == BLOCK)
    add_copies (&search, DECL_INITIAL (function->decl), -1,
		DECL_ORIGIN (function->decl));
  if (function->copies.is_empty ())
    return;
  for (unsigned i = 0; i < function->copies.length (); i++)
    search.code.safe_push (new copy_code);
  if (blocks.is_empty ())
    FOR_EACH_BB_FN (bb, cfun)
      all.safe_push (bb);
  const vec<basic_block> &listed
    = blocks.is_empty () ? static_cast<const vec<basic_block> &> (all) : blocks;
  search.blocks = &listed;
  for (unsigned i = 0; i < listed.length (); i++)
    {
      rtx_insn *insn;
      FOR_BB_INSNS (listed[i], insn)
	if (NONDEBUG_INSN_P (insn) && INSN_HAS_LOCATION (insn))
	  add_code (&search, insn, i);
    }
  find_rules (&search);
  for (copy_code *code : search.code)
    delete code;
}
