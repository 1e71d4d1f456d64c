/* Machine-level profiles: the pass that inserts probes into functions.
   SPDX-License-Identifier: GPL-3.0-or-later

   It runs after inlining, splitting, merging and placement of blocks, when only
   labels are still to be aligned.  So it instruments functions of the final
   program and prevents no optimization.  The probe of a function comes before
   its prologue (a landing instruction for indirect branches is put before it
   later); those of blocks are at their start.  machine-CPU.cc makes the
   instructions.  */

#include "gcc-compat.h"
#include "arguments.h"
#include "lto-guard.h"
#include "machine.h"
#include "mip-asm.h"
#include "mip-parts.h"

static unsigned last_number;

/* True if the function of NODE is the resolver of an indirect function, which
   runs while the program is being relocated.  */
static bool
resolver_p (cgraph_node *node)
{
  ipa_ref *ref;

  for (unsigned i = 0; node->iterate_direct_aliases (i, ref); i++)
    if (lookup_attribute ("ifunc", DECL_ATTRIBUTES (ref->referring->decl)))
      return true;
  return false;
}

/* True if the user wants no probe in DECL, or if its calling convention or its
   missing prologue leaves no place for one.  */
static bool
special_p (tree decl)
{
  static const char *const names[]
    = { "no_instrument_function", "naked", "interrupt", "ms_hook_prologue" };
  tree both[] = { DECL_ATTRIBUTES (decl), TYPE_ATTRIBUTES (TREE_TYPE (decl)) };

  for (const char *name : names)
    for (tree attributes : both)
      if (lookup_attribute (name, attributes))
	return true;
  return false;
}

static bool
long_enough_p (void)
{
  unsigned n = 0;

  if (arguments.mip.min_insns == 0)
    return true;
  for (rtx_insn *insn = get_insns (); insn; insn = NEXT_INSN (insn))
    if (NONDEBUG_INSN_P (insn) && active_insn_p (insn)
	&& ++n >= arguments.mip.min_insns)
      return true;
  return false;
}

/* True if DECL is in the selected group of functions.  */
static bool
in_group_p (tree decl)
{
  if (arguments.mip.groups == 0)
    return true;
  return (htab_hash_string (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (decl)))
	    % arguments.mip.groups
	  == arguments.mip.group - 1);
}

static bool
shall_probe_p (function *fun)
{
  tree decl = fun->decl;
  cgraph_node *node = cgraph_node::get (decl);

  return (asm_out_file && machine_takes_probes_p () && !special_p (decl)
	  && !(node && resolver_p (node)) && in_group_p (decl)
	  && !lto_guard_constructor_p (decl) && long_enough_p ());
}

/* Insert the probe of FUNCTION on the edge to its first block.  If blocks have
   probes, the entry may need none.  What counts calls that no call site counts
   comes first.  */
static void
insert_entry_probe (const mip_function *function)
{
  edge entry = single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (cfun));
  int byte = function->blocks.is_empty () ? 0 : function->blocks[0].slot;

  if (arguments.mip.edges)
    {
      insert_insn_on_edge (machine_count (function, 0, NULL), entry);
      insert_insn_on_edge (mip_entry_label (function->decl), entry);
    }
  if (function->kind == HEAPPROF_MIP_COUNT
      || function->kind == HEAPPROF_MIP_ORDER)
    insert_insn_on_edge (machine_test (function), entry);
  else if (function->kind == HEAPPROF_MIP_COVERAGE && byte >= 0)
    insert_insn_on_edge (machine_store (function, byte, NULL), entry);
  commit_edge_insertions ();
}

/* Return the source line of the block BB, or 0 if unknown.  */
static int
block_line (basic_block bb)
{
  rtx_insn *insn;

  FOR_BB_INSNS (bb, insn)
    if (NONDEBUG_INSN_P (insn) && INSN_HAS_LOCATION (insn)
	&& insn_line (insn) > 0)
      return insn_line (insn);
  return 0;
}

/* List the blocks of FUNCTION, the entry first, choose those that get probes,
   and insert these probes except the entry's.  */
static void
insert_block_probes (mip_function *function)
{
  auto_vec<basic_block> blocks;
  basic_block bb;
  bool is_cold = false;

  FOR_EACH_BB_FN (bb, cfun)
    {
      is_cold |= function->cold_begin && BB_PARTITION (bb) == BB_COLD_PARTITION;
      mip_block block = { NULL, block_line (bb), -1, -1, is_cold };
      function->blocks.safe_push (block);
      blocks.safe_push (bb);
    }
  gcc_assert (blocks[0] == single_succ (ENTRY_BLOCK_PTR_FOR_FN (cfun)));
  function->slot_bytes = 0;
  mip_blocks_choose (function, blocks);
  mip_copies_find (function, blocks);
  machine_prepare_blocks ();
  for (unsigned i = 0; i < blocks.length (); i++)
    {
      mip_block *block = &function->blocks[i];
      rtx_insn *begin = bb_note (blocks[i]);
      /* The probe of the first cold block must be in the cold range.  */
      if (function->cold_begin && NEXT_INSN (begin) == function->cold_begin)
	begin = function->cold_begin;
      if (i > 0 && block->slot >= 0)
	emit_insn_after (machine_store (function, block->slot, blocks[i]),
			 begin);
      block->label = mip_label_after (begin);
    }
}

/* Insert a label where the code of FUNCTION ends, and one where its cold part
   begins.  GCC already has a label after the hot part.  */
static void
insert_range_labels (mip_function *function)
{
  basic_block bb;

  function->end = mip_label_after (get_last_insn ());
  if (crtl->has_bb_partition)
    FOR_EACH_BB_FN (bb, cfun)
      if (BB_PARTITION (bb) == BB_COLD_PARTITION)
	{
	  function->cold_begin = mip_label_after (bb_note (bb));
	  return;
	}
}

/* The function being processed between the two passes; otherwise NULL.  */
static mip_function *probed;

static void
probe_function (function *fun)
{
  probed = new mip_function;
  probed->decl = fun->decl;
  probed->number = ++last_number;
  probed->kind = mip_slot_kind ();
  probed->slot_bytes
    = (probed->kind == HEAPPROF_MIP_COUNT   ? sizeof (heapprof_mip_count)
       : probed->kind == HEAPPROF_MIP_CALLS ? sizeof (uint64_t)
       : probed->kind == HEAPPROF_MIP_ORDER ? 4
					    : 1);
  probed->counters = probed->pointer_calls = 0;
  probed->shape_hash = mip_shape_hash ();
  probed->end = probed->cold_begin = NULL;
  if (arguments.mip.edges)
    mip_flows_find (probed);
  insert_range_labels (probed);
  if (arguments.mip.blocks)
    insert_block_probes (probed);
  else
    mip_copies_find (probed, auto_vec<basic_block> ());
  if (arguments.mip.edges)
    mip_calls_count (probed);
  insert_entry_probe (probed);
}

static void
output_function ()
{
  mip_map_output_function (probed);
  delete probed;
  probed = NULL;
}

namespace
{

const pass_data pass_data_mip
  = { RTL_PASS, "heapprof-mip", OPTGROUP_NONE, TV_NONE, PROP_rtl, 0, 0, 0, 0 };

class pass_mip : public rtl_opt_pass
{
public:
  pass_mip (gcc::context *context) : rtl_opt_pass (pass_data_mip, context) {}

  bool gate (function *fun) final override { return shall_probe_p (fun); }

  unsigned int execute (function *fun) final override
  {
    probe_function (fun);
    return 0;
  }
};

const pass_data pass_data_mip_map = {
  RTL_PASS, "heapprof-mip-map", OPTGROUP_NONE, TV_NONE, PROP_rtl, 0, 0, 0, 0
};

/* Writes the map of a function after its code.  */
class pass_mip_map : public rtl_opt_pass
{
public:
  pass_mip_map (gcc::context *context)
    : rtl_opt_pass (pass_data_mip_map, context)
  {}

  bool gate (function *) final override { return probed; }

  unsigned int execute (function *) final override
  {
    output_function ();
    return 0;
  }
};

}

static void
before_ipa_passes (void *, void *)
{
  if (seen_error () || in_lto_p)
    return;
  mip_hash_collect ();
  if (flag_generate_lto)
    lto_guard_build (HEAPPROF_MIP_SYMBOL_LTO_GUARD, NULL_TREE);
}

static void
finish_unit (void *, void *)
{
  /* There is no assembler text after errors, or in WPA, the stage of LTO that
     only makes decisions.  */
  if (!asm_out_file || seen_error () || flag_syntax_only || flag_wpa)
    return;
  mip_map_output_unit ();
  if (in_lto_p || (flag_generate_lto && flag_fat_lto_objects))
    lto_guard_output (asm_out_file, HEAPPROF_MIP_SYMBOL_LTO_GUARD);
}

void
mip_start (const char *plugin_name)
{
  register_pass_info info
    = { new pass_mip (g), "alignments", 1, PASS_POS_INSERT_BEFORE };
  register_pass_info map_info
    = { new pass_mip_map (g), "final", 1, PASS_POS_INSERT_AFTER };
  register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
  register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &map_info);
  register_callback (plugin_name, PLUGIN_ALL_IPA_PASSES_START,
		     before_ipa_passes, NULL);
  register_callback (plugin_name, PLUGIN_FINISH_UNIT, finish_unit, NULL);
}
