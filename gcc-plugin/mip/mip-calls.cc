/* Machine-level profiles: counting calls at their sites.
   SPDX-License-Identifier: GPL-3.0-or-later

   For a direct call it is known which function is called, so an instruction
   that adds to a counter suffices.  A call through a pointer counts the calls
   of one function itself, and leaves the rest to a helper
   (libheapprof-mip/mip-pointer-call.c).  Functions also count their calls,
   except those that skip that (mip-entries.cc); what the call sites have not
   counted came from code without probes.

     .pushsection __hpm_cal,"aw",@nobits	counters of function 3
     .Lhpmc3: .zero 24				its calls, two direct calls
     .popsection
     .pushsection __hpm_ptr,"aw",@nobits	its first call through a pointer
     .Lhpmp3_0: .zero 24
     .popsection
     .pushsection .debug_hpcalls,"o",@progbits,foo	doc/mip-format.md
     ...
     .popsection

   The map of calls is in a section that the linker discards with the function,
   so that it cannot refer to functions that the program does not need.  */

#include "gcc-compat.h"
#include "arguments.h"
#include "asm-section.h"
#include "machine.h"
#include "mip-asm.h"

/* If functions count their calls for edges anyway, one that only tells whether
   it ran needs no other slot.  */
heapprof_mip_kind
mip_slot_kind (void)
{
  return (arguments.mip.kind == HEAPPROF_MIP_COVERAGE && arguments.mip.edges
	      && !arguments.mip.blocks
	    ? HEAPPROF_MIP_CALLS
	    : arguments.mip.kind);
}

/* Return the address that INSN calls; NULL if there is none.  */
static rtx
call_address (rtx_insn *insn)
{
  rtx call = get_call_rtx_from (insn);

  return call && MEM_P (XEXP (call, 0)) ? XEXP (XEXP (call, 0), 0) : NULL_RTX;
}

/* Make INSN call ADDRESS.  */
static void
set_call_address (rtx_insn *insn, rtx address)
{
  rtx call = get_call_rtx_from (insn);
  rtx memory = shallow_copy_rtx (XEXP (call, 0));

  XEXP (memory, 0) = address;
  XEXP (call, 0) = memory;
}

/* Return what INSN calls if it is a direct call to count, or NULL.  A symbol
   without a declaration is a part of the compiler's own library.  */
static rtx
counted_target (rtx_insn *insn)
{
  rtx target = call_address (insn);

  return (target && GET_CODE (target) == SYMBOL_REF && SYMBOL_REF_DECL (target)
	    ? target
	    : NULL_RTX);
}

bool
mip_counted_call_p (rtx_insn *insn)
{
  return counted_target (insn) != NULL_RTX;
}

/* Count the direct call of FLOW, if it needs that.  */
static void
count_direct (mip_function *function, const mip_flow *flow)
{
  rtx symbol = counted_target (flow->call);
  rtx here = mip_entry_for_call (symbol);
  rtx elsewhere = here ? NULL_RTX : mip_entry_elsewhere (symbol);
  rtx target = here ? here : elsewhere ? elsewhere : symbol;

  if (target != symbol)
    set_call_address (flow->call, target);
  mip_call call = { target, elsewhere ? symbol : NULL_RTX,
		    mip_label_after (flow->call), flow };

  function->calls.safe_push (call);
  if (flow->is_counted)
    emit_insn_before (machine_count (function, ++function->counters,
				     as_a<rtx_call_insn *> (flow->call)),
		      flow->call);
}

static void
count_pointer (mip_function *function, rtx_insn *call, rtx target)
{
  rtx_code_label *site = gen_label_rtx ();
  rtx probe = machine_count_pointer (function, function->pointer_calls, target,
				     site, as_a<rtx_call_insn *> (call));

  if (!probe)
    return;
  LABEL_NUSES (site) = 1;
  emit_label_after (site, call);
  emit_insn_before (probe, call);
  function->pointer_calls++;
}

void
mip_calls_count (mip_function *function)
{
  auto_vec<rtx_insn *> calls;

  for (rtx_insn *insn = get_insns (); insn; insn = NEXT_INSN (insn))
    if (CALL_P (insn))
      calls.safe_push (insn);
  for (const mip_flow &flow : function->flows)
    count_direct (function, &flow);
  for (rtx_insn *call : calls)
    {
      rtx target = call_address (call);
      if (target && GET_CODE (target) != SYMBOL_REF)
	count_pointer (function, call, target);
    }
}

static void
output_counters (const mip_function *function)
{
  unsigned n = function->number;

  asm_push_section (HEAPPROF_MIP_SECTION_CALLS, "aw", "nobits", function->decl);
  fprintf (asm_out_file, "\t.balign\t8\n.Lhpmc%u:\n", n);
  if (function->kind == HEAPPROF_MIP_CALLS)
    fprintf (asm_out_file, ".Lhpm%u:\n", n);
  fprintf (asm_out_file, "\t.zero\t%u\n", 8 * (1 + function->counters));
  asm_pop_section ();
  if (function->pointer_calls == 0)
    return;
  asm_push_section (HEAPPROF_MIP_SECTION_POINTER_CALLS, "aw", "nobits",
		    function->decl);
  fprintf (asm_out_file, "\t.balign\t8\n");
  for (unsigned i = 0; i < function->pointer_calls; i++)
    fprintf (asm_out_file, ".Lhpmp%u_%u:\n\t.zero\t%u\n", n, i,
	     (unsigned) sizeof (heapprof_mip_pointer_site));
  asm_pop_section ();
}

/* Write the head of a record of TYPE, of VERSION, with BYTES bytes behind the
   address of the slot of FUNCTION.  */
static void
output_head (const mip_function *function, unsigned type, unsigned version,
	     unsigned bytes)
{
  fprintf (asm_out_file,
	   "\t.balign\t8\n\t.long\t%u\n\t.2byte\t%u,%u\n\t.quad\t.Lhpm%u\n",
	   16 + bytes, version, type, function->number);
}

/* Write a record for each thunk of NODE, FUNCTION or an alias of it: code made
   by the compiler that adjusts an argument and jumps to FUNCTION.  */
static void
output_thunks (const mip_function *function, cgraph_node *node)
{
  ipa_ref *ref;

  for (cgraph_edge *e = node->callers; e; e = e->next_caller)
    if (e->caller->thunk && !e->caller->inlined_to)
      {
	output_head (function, HEAPPROF_MIP_RECORD_THUNK, HEAPPROF_MIP_VERSION,
		     8);
	fprintf (asm_out_file, "\t.quad\t");
	assemble_name (asm_out_file,
		       XSTR (XEXP (DECL_RTL (e->caller->decl), 0), 0));
	putc ('\n', asm_out_file);
      }
  for (unsigned i = 0; node->iterate_direct_aliases (i, ref); i++)
    output_thunks (function, dyn_cast<cgraph_node *> (ref->referring));
}

/* Write a record for each entry of a function of another file that FUNCTION
   calls.  */
static void
output_entries (const mip_function *function)
{
  hash_set<nofree_string_hash> known;

  for (const mip_call &call : function->calls)
    if (call.function && !known.add (XSTR (call.target, 0)))
      {
	output_head (function, HEAPPROF_MIP_RECORD_ENTRY, HEAPPROF_MIP_VERSION,
		     16);
	for (rtx symbol : { call.target, call.function })
	  {
	    fprintf (asm_out_file, "\t.quad\t");
	    assemble_name (asm_out_file, XSTR (symbol, 0));
	    putc ('\n', asm_out_file);
	  }
      }
}

/* Write the points of FLOW.  */
static void
output_points (const mip_flow *flow)
{
  fprintf (asm_out_file, "\t.long\t%#x,%#x\n",
	   flow->from | (flow->is_counted ? 0 : HEAPPROF_MIP_NO_COUNTER),
	   flow->to);
}

void
mip_calls_output (const mip_function *function)
{
  bool has_flows = function->counters < function->calls.length ();
  unsigned call_bytes = has_flows ? 24 : 16;

  output_counters (function);
  asm_push_section_of (HEAPPROF_MIP_SECTION_CALL_MAP, function->decl);
  output_head (function, HEAPPROF_MIP_RECORD_CALLS,
	       has_flows ? HEAPPROF_MIP_FLOWS_VERSION : HEAPPROF_MIP_VERSION,
	       16 + call_bytes * function->calls.length ());
  fprintf (asm_out_file, "\t.quad\t.Lhpmc%u,%u\n", function->number,
	   function->calls.length ());
  for (const mip_call &call : function->calls)
    {
      char *site = asm_label_name (call.site);
      fprintf (asm_out_file, "\t.quad\t%s,", site);
      assemble_name (asm_out_file, XSTR (call.target, 0));
      putc ('\n', asm_out_file);
      if (has_flows)
	output_points (call.flow);
      free (site);
    }
  if (cgraph_node *node = cgraph_node::get (function->decl))
    output_thunks (function, node);
  output_entries (function);
  asm_pop_section ();
}
