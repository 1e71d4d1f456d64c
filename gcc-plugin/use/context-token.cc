/* Context tokens: calls that tell ambiguous allocations where blocks belong.
   SPDX-License-Identifier: GPL-3.0-or-later

   The token is a thread-local word of the program (heapprof/abi.h).  A call

     p = keep (40)		becomes		outer = token;
						token = 223;
						p = keep (40);
						token = outer;

   and an allocation that the call leads to, in whichever unit,

     q = heapprof.hint.256.malloc (8)	becomes
     q = heapprof_malloc_hinted (8, token ^ 222)

   which is 222, ambiguous, without a token, or, if that is so only for
   temporary blocks

     q = heapprof_malloc_hinted (8, token ^ 222 | 32)

   which is 254, hot.  The other hints that tokens stand for stay in their
   class: 1 becomes 33, 128 becomes 160.

   A function that continues after an exception, or after longjmp, restores the
   value that the token had when it was called.  */

#include "gcc-compat.h"
#include "heapprof/abi.h"
#include "asm-section.h"
#include "context-token.h"
#include "hint-placeholder.h"
#include "runtime-decls.h"
#include "use-call.h"
#include "use-frame.h"

/* Whether this assembler file refers to the token.  */
static bool is_used;

/* Return the declaration of the token.  Each object that uses it defines it, so
   in an executable its place is known when it is linked.  Shared libraries use
   the initial-exec model, the fastest one for them: for libraries that are
   loaded later, the C library reserves room for a few words.  */
static tree
token_decl (void)
{
  tree name = get_identifier (HEAPPROF_SYMBOL_HINT_TOKEN);

  is_used = true;
  if (symtab_node *node = symtab_node::get_for_asmname (name))
    return node->decl;
  tree decl = runtime_external_decl (VAR_DECL, HEAPPROF_SYMBOL_HINT_TOKEN,
				     integer_type_node);
  varpool_node::get_create (decl);
  set_decl_tls_model (decl, flag_shlib ? TLS_MODEL_INITIAL_EXEC
				       : TLS_MODEL_LOCAL_EXEC);
  return decl;
}

/* Return a statement that loads the token.  */
static gassign *
build_load (void)
{
  return gimple_build_assign (make_ssa_name (integer_type_node), token_decl ());
}

/* Return the token that stands for HINT.  */
static int
token_of_hint (hint_class hint)
{
  return use_hint_value (hint) ^ HINT_VALUE_AMBIGUOUS;
}

/* Return the innermost token of PLACES from the one with index FIRST on.  */
static placement_class
token_among (const vec<use_place> &places, unsigned first)
{
  for (unsigned i = first; i < places.length (); i++)
    if (placement_class token
	= use_frame_token (places[i].function, places[i].location))
      return token;
  return PLACEMENT_UNKNOWN;
}

/* Compute before GSI the bitwise CODE of VALUE and NUMBER, and return it.  */
static tree
combine (gimple_stmt_iterator *gsi, tree_code code, tree value, int number)
{
  tree result = make_ssa_name (integer_type_node);

  gsi_insert_before (gsi,
		     gimple_build_assign (result, code, value,
					  build_int_cst (integer_type_node,
							 number)),
		     GSI_SAME_STMT);
  return result;
}

/* If the allocation was inlined through a call that has a token, no call sets
   the token any more, but its value is known.  */
tree
context_token_hint (gimple_stmt_iterator *gsi)
{
  auto_vec<use_place> places;

  use_call_places (as_a<gcall *> (gsi_stmt (*gsi)), current_function_decl,
		   &places);
  if (placement_class token = token_among (places, 1))
    return build_int_cst (integer_type_node,
			  use_hint_value (use_hint_of_placement (token)));
  const bool is_hot
    = use_call_hot_by_default_p (as_a<gcall *> (gsi_stmt (*gsi)),
				 current_function_decl);
  gassign *load = build_load ();

  gsi_insert_before (gsi, load, GSI_SAME_STMT);
  tree hint = combine (gsi, BIT_XOR_EXPR, gimple_assign_lhs (load),
		       HINT_VALUE_AMBIGUOUS);
  if (is_hot)
    hint = combine (gsi, BIT_IOR_EXPR, hint, token_of_hint (HINT_HOT));
  return hint;
}

/* Return the token of CALL: that of the innermost call in the source that it
   was inlined through and that has one.  Allocations themselves have none,
   unlike calls of an operator new that the program replaces, nor do built-in
   functions, which may be on the line of a call that has one.  */
static placement_class
token_of (const gcall *call)
{
  tree callee = gimple_call_fndecl (call);
  auto_vec<use_place> places;

  if (!use_call_known_p (call) || gimple_call_must_tail_p (call)
      || (gimple_call_flags (call) & ECF_RETURNS_TWICE)
      || (callee
	  && (fndecl_built_in_p (callee)
	      || (allocation_function_p (callee) && use_call_mibs (call)))))
    return PLACEMENT_UNKNOWN;
  use_call_places (call, current_function_decl, &places);
  return token_among (places, 0);
}

/* Insert STATEMENT where the program continues after CALL.  */
static void
insert_after_call (gcall *call, gimple *statement)
{
  if (!stmt_ends_bb_p (call))
    {
      gimple_stmt_iterator gsi = gsi_for_stmt (call);
      gsi_insert_after (&gsi, statement, GSI_NEW_STMT);
    }
  else if (edge next = find_fallthru_edge (gimple_bb (call)->succs))
    gsi_insert_on_edge (next, statement);
}

/* Return the token as what a statement stores to.  The store is volatile: from
   15 on, gcc assumes that an operator new reads no variables, even the
   program's own, and would remove the store.  */
static tree
build_destination (void)
{
  tree type = build_qualified_type (integer_type_node, TYPE_QUAL_VOLATILE);
  tree place = build2 (MEM_REF, type, build_fold_addr_expr (token_decl ()),
		       build_int_cst (build_pointer_type (type), 0));

  TREE_THIS_VOLATILE (place) = 1;
  TREE_SIDE_EFFECTS (place) = 1;
  return place;
}

/* Let CALL set TOKEN.  */
static void
set_token (gcall *call, placement_class token)
{
  const hint_class hint = use_hint_of_placement (token);
  gimple_stmt_iterator gsi = gsi_for_stmt (call);
  gassign *load = build_load ();

  gsi_insert_before (&gsi, load, GSI_SAME_STMT);
  gsi_insert_before (&gsi,
		     gimple_build_assign (build_destination (),
					  build_int_cst (integer_type_node,
							 token_of_hint (hint))),
		     GSI_SAME_STMT);
  insert_after_call (call, gimple_build_assign (token_decl (),
						gimple_assign_lhs (load)));
  if (dump_enabled_p ())
    dump_printf_loc (MSG_OPTIMIZED_LOCATIONS, call,
		     "heapprof: call sets the context token: %s\n",
		     use_hint_name (hint));
}

/* True if a function continues at CALL after an exception or longjmp, which
   may have ended calls that would have restored the token.  */
static bool
resumes_p (const gcall *call)
{
  tree callee = gimple_call_fndecl (call);

  return ((gimple_call_flags (call) & ECF_RETURNS_TWICE)
	  || (callee && TREE_PUBLIC (callee)
	      && id_equal (DECL_ASSEMBLER_NAME (callee), "__cxa_begin_catch")));
}

/* Let FUN restore the token after each of CALLS.  */
static void
restore_after (function *fun, const vec<gcall *> &calls)
{
  gassign *load = build_load ();

  gsi_insert_on_edge (single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (fun)), load);
  for (gcall *call : calls)
    insert_after_call (call, gimple_build_assign (token_decl (),
						  gimple_assign_lhs (load)));
}

unsigned
context_token_set (function *fun)
{
  basic_block block;
  auto_vec<gcall *> resuming;
  auto_vec<std::pair<gcall *, placement_class>> setting;

  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      if (gcall *call = dyn_cast<gcall *> (gsi_stmt (gsi)))
	{
	  if (placement_class token = token_of (call))
	    setting.safe_push ({ call, token });
	  if (resumes_p (call))
	    resuming.safe_push (call);
	}
  for (const auto &each : setting)
    set_token (each.first, each.second);
  if (!resuming.is_empty ())
    restore_after (fun, resuming);
  if (setting.is_empty () && resuming.is_empty ())
    return 0;
  gsi_commit_edge_inserts ();
  return TODO_update_ssa_only_virtuals;
}

/* Each object defines the word, so that it needs no library; the linker keeps
   one definition.  libheaphint's malloc follows tokens, too.  With --as-needed,
   calls of malloc are a reason to link it, but the linker does not see those in
   objects for LTO, so these refer to libheaphint otherwise.  */
void
context_token_finish (void)
{
  static const char name[] = HEAPPROF_SYMBOL_HINT_TOKEN;

  if (!is_used)
    return;
  fprintf (asm_out_file,
	   "\t.pushsection\t.tbss.%s,\"awTG\",@nobits,%s,comdat\n"
	   "\t.weak\t%s\n\t.type\t%s, @object\n\t.size\t%s, 4\n\t.balign\t4\n"
	   "%s:\n\t.zero\t4\n",
	   name, name, name, name, name, name);
  asm_pop_section ();
  if (in_lto_p)
    asm_initialiser (HEAPPROF_SYMBOL_HINT_START, false);
}
