/* Map of promoted virtual calls (doc/vtmap-format.md).
   SPDX-License-Identifier: GPL-3.0-or-later

   A promoted call no longer loads from the virtual table, so the next profile
   would not see the table.  The map describes the jump after the comparison
   instead:

	leaq	16+_ZTV4tile(%rip), %r14	  often far away
	...
	cmpq	%r14, (%rdi)
     .L7:
	jne	.L5				  the others
     .L6:					  objects of class tile

     .pushsection .heapprof.vtmap,"o",@progbits,FUNCTION  not loaded
	.quad	.L7,.L6,.L5
	...
     .popsection

   A comparison with a function that several tables share is in the map, too: it
   affects how many objects reach the next comparison or pass none.

   At this late stage nothing is copied or moved any more.  Only promoted calls
   compare with the address of a virtual table or of a virtual function, so such
   jumps are recognized by the comparison, whatever optimizations the call went
   through, even if a link with LTO generated the code.  */

#include "gcc-compat-rtl.h"
#include "asm-section.h"
#include "function-id.h"
#include "heapprof/vtmap-format.h"
#include "vtable-map.h"

/* The maximum number of instructions to follow a value through.  */
static const unsigned most_steps = 4;

/* A comparison with a table, or with a function.  */
struct vtable_site
{
  basic_block block; /* that ends with the comparison */
  const char *name;  /* of the table or function */
  bool is_function;
  basic_block same_block;  /* for objects that have it */
  basic_block other_block; /* for the others */
  bool is_continued;
  rtx_insn *jump; /* labels */
  rtx_insn *same;
  rtx_insn *other;
};

static auto_vec<vtable_site> *sites;

/* ---- Finding.  */

/* True if VALUE is the symbol of a virtual table or function.  */
static bool
virtual_symbol_p (const_rtx value)
{
  tree decl = GET_CODE (value) == SYMBOL_REF ? SYMBOL_REF_DECL (value) : NULL;

  return decl && VAR_OR_FUNCTION_DECL_P (decl) && DECL_VIRTUAL_P (decl);
}

/* True if EXPRESSION contains such a symbol.  */
static bool
has_virtual_p (const_rtx expression)
{
  const char *format = GET_RTX_FORMAT (GET_CODE (expression));

  if (virtual_symbol_p (expression))
    return true;
  for (int i = 0; format[i]; i++)
    {
      if (format[i] == 'e' && XEXP (expression, i)
	  && has_virtual_p (XEXP (expression, i)))
	return true;
      if (format[i] == 'E')
	for (int j = 0; j < XVECLEN (expression, i); j++)
	  if (has_virtual_p (XVECEXP (expression, i, j)))
	    return true;
    }
  return false;
}

/* True if the current function uses the address of a virtual table or function
   other than for a call.  */
static bool
function_has_virtual_p (void)
{
  for (rtx_insn *insn = get_insns (); insn; insn = NEXT_INSN (insn))
    if (NONDEBUG_INSN_P (insn) && !CALL_P (insn)
	&& has_virtual_p (PATTERN (insn)))
      return true;
  return false;
}

static const_rtx symbol_of_value (rtx value, rtx_insn *insn, unsigned steps);

/* Return the table or function whose address REG has in INSN for all
   instructions that may have set REG; NULL if that cannot be determined.  */
static const_rtx
symbol_of_register (rtx reg, rtx_insn *insn, unsigned steps)
{
  const_rtx found = NULL;
  df_ref use;

  FOR_EACH_INSN_USE (use, insn)
    {
      if (!rtx_equal_p (DF_REF_REG (use), reg))
	continue;
      for (df_link *link = DF_REF_CHAIN (use); link; link = link->next)
	{
	  rtx_insn *def
	    = DF_REF_IS_ARTIFICIAL (link->ref) ? NULL : DF_REF_INSN (link->ref);
	  rtx set = def ? single_set (def) : NULL_RTX;
	  rtx note = set ? find_reg_equal_equiv_note (def) : NULL_RTX;
	  if (!set || !rtx_equal_p (SET_DEST (set), reg))
	    return NULL;
	  const_rtx symbol
	    = note ? symbol_of_value (XEXP (note, 0), def, steps) : NULL;
	  if (!symbol)
	    symbol = symbol_of_value (SET_SRC (set), def, steps);
	  if (!symbol || (found && strcmp (XSTR (symbol, 0), XSTR (found, 0))))
	    return NULL;
	  found = symbol;
	}
    }
  return found;
}

/* Return the symbol of the table or function that VALUE, used in INSN, points
   into, or NULL.  */
static const_rtx
symbol_of_value (rtx value, rtx_insn *insn, unsigned steps)
{
  value = targetm.delegitimize_address (value);
  if (GET_CODE (value) == CONST)
    value = XEXP (value, 0);
  if (GET_CODE (value) == PLUS && CONST_INT_P (XEXP (value, 1)))
    value = XEXP (value, 0);
  if (virtual_symbol_p (value))
    return value;
  return REG_P (value) && steps > 0
	   ? symbol_of_register (value, insn, steps - 1)
	   : NULL;
}

/* If the jump at the end of BLOCK is a site, add it to the sites.  */
static void
find_site (basic_block block)
{
  rtx_insn *jump = BB_END (block), *compare;

  if (!JUMP_P (jump) || !any_condjump_p (jump)
      || EDGE_COUNT (block->succs) != 2)
    return;
  rtx condition = get_condition (jump, &compare, false, false);
  if (!condition || (GET_CODE (condition) != EQ && GET_CODE (condition) != NE))
    return;
  const_rtx symbol = NULL;
  for (unsigned i = 0; i < 2 && !symbol; i++)
    symbol = symbol_of_value (XEXP (condition, i), compare, most_steps);
  if (!symbol)
    return;
  bool is_equal = GET_CODE (condition) == EQ;
  edge same = is_equal ? BRANCH_EDGE (block) : FALLTHRU_EDGE (block);
  edge other = is_equal ? FALLTHRU_EDGE (block) : BRANCH_EDGE (block);
  if (same->dest == EXIT_BLOCK_PTR_FOR_FN (cfun)
      || other->dest == EXIT_BLOCK_PTR_FOR_FN (cfun))
    return;
  sites->safe_push ({ block, targetm.strip_name_encoding (XSTR (symbol, 0)),
		      !VAR_P (SYMBOL_REF_DECL (symbol)), same->dest,
		      other->dest, false, NULL, NULL, NULL });
}

/* True if BLOCK does nothing but save registers and make room on the stack.
   Newer versions of GCC do so behind a first comparison, and so only for
   objects that fail it.  */
static bool
prologue_block_p (basic_block block)
{
  rtx_insn *insn;

  FOR_BB_INSNS (block, insn)
    if (NONDEBUG_INSN_P (insn) && !RTX_FRAME_RELATED_P (insn)
	&& !simplejump_p (insn))
      return false;
  return single_succ_p (block);
}

/* Determine for each site whether objects that fail its comparison reach
   another site.  */
static void
find_continued (void)
{
  for (vtable_site &site : *sites)
    {
      basic_block next = site.other_block;
      while ((forwarder_block_p (next) || prologue_block_p (next))
	     && next != single_succ (next))
	next = single_succ (next);
      for (const vtable_site &following : *sites)
	if (following.block == next)
	  site.is_continued = true;
    }
}

/* ---- Labels.  */

/* Insert a label before JUMP.  Within a block it must be a note, such as GCC
   leaves for deleted labels that are still referred to.  */
static rtx_insn *
label_jump (rtx_insn *jump)
{
  rtx_insn *label = emit_label_before (gen_label_rtx (), jump);
  const char *name = LABEL_NAME (label);

  set_block_for_insn (label, BLOCK_FOR_INSN (jump));
  PUT_CODE (label, NOTE);
  NOTE_KIND (label) = NOTE_INSN_DELETED_LABEL;
  NOTE_DELETED_LABEL_NAME (label) = name;
  return label;
}

/* Return the label of BLOCK.  Labels in use are not removed at this stage; a
   label marked as preserved would get a landing instruction, as if its address
   were taken.  */
static rtx_insn *
label_block (basic_block block)
{
  rtx_code_label *label = block_label (block);

  LABEL_NUSES (label)++;
  return label;
}

/* ---- Writing.  */

static void
output_site (const vtable_site &site)
{
  char *jump = asm_label_name (site.jump), *same = asm_label_name (site.same);
  char *other = asm_label_name (site.other);
  size_t bytes = strlen (site.name);
  char *name
    = xstrndup (site.name, function_canonical_bytes (site.name, bytes));
  unsigned flags = (site.is_continued ? HEAPPROF_VTMAP_CONTINUED : 0)
		   | (site.is_function ? HEAPPROF_VTMAP_FUNCTION : 0);

  bytes = ROUND_UP (HEAPPROF_VTMAP_HEAD_BYTES + strlen (name) + 1, 8);
  fprintf (asm_out_file,
	   "\t.balign\t8\n\t.long\t%u\n\t.2byte\t%u,%u\n"
	   "\t.quad\t%s,%s,%s\n",
	   (unsigned) bytes, HEAPPROF_VTMAP_VERSION, flags, jump, same, other);
  asm_text (name);
  fprintf (asm_out_file, "\t.byte\t0\n\t.balign\t8\n");
  free (name);
  free (other);
  free (same);
  free (jump);
}

static void
output_sites (void)
{
  asm_push_section_of (HEAPPROF_VTMAP_SECTION, current_function_decl);
  for (const vtable_site &site : *sites)
    output_site (site);
  asm_pop_section ();
}

/* ---- The passes.  */

static void
find_sites (function *fun)
{
  basic_block block;

  sites = new auto_vec<vtable_site>;
  df_chain_add_problem (DF_UD_CHAIN);
  df_analyze ();
  FOR_EACH_BB_FN (block, fun)
    find_site (block);
  df_remove_problem (df_chain);
  find_continued ();
  for (vtable_site &site : *sites)
    {
      site.jump = label_jump (BB_END (site.block));
      site.same = label_block (site.same_block);
      site.other = label_block (site.other_block);
    }
}

static const pass_data pass_data_vtable_sites
  = { RTL_PASS, "heapprof-vtables", OPTGROUP_NONE, TV_NONE, PROP_rtl, 0, 0,
      0,	TODO_df_finish };

class pass_vtable_sites : public rtl_opt_pass
{
public:
  pass_vtable_sites (gcc::context *context)
    : rtl_opt_pass (pass_data_vtable_sites, context)
  {}

  bool gate (function *) final override
  {
    return optimize && !seen_error () && function_has_virtual_p ();
  }
  unsigned int execute (function *fun) final override
  {
    find_sites (fun);
    return 0;
  }
};

static const pass_data pass_data_vtable_map = {
  RTL_PASS, "heapprof-vtmap", OPTGROUP_NONE, TV_NONE, PROP_rtl, 0, 0, 0, 0
};

/* Writes the map of a function after its code.  */
class pass_vtable_map : public rtl_opt_pass
{
public:
  pass_vtable_map (gcc::context *context)
    : rtl_opt_pass (pass_data_vtable_map, context)
  {}

  bool gate (function *) final override { return sites; }
  unsigned int execute (function *) final override
  {
    if (!sites->is_empty ())
      output_sites ();
    delete sites;
    sites = NULL;
    return 0;
  }
};

void
vtable_map_start (const char *plugin_name)
{
  if (POINTER_SIZE != 64)
    return;
  register_pass_info find
    = { new pass_vtable_sites (g), "alignments", 1, PASS_POS_INSERT_BEFORE };
  register_pass_info write
    = { new pass_vtable_map (g), "final", 1, PASS_POS_INSERT_AFTER };
  register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &find);
  register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &write);
}
