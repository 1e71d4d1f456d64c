/* Machine-dependent parts for AArch64: the probes of machine-level profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

     function, block	adrp x16, .Lhpm3		8 bytes
			strb wzr, [x16, #:lo12:.Lhpm3]

     order		adrp x16, .Lhpm3		24 bytes
			ldr  w17, [x16, #:lo12:.Lhpm3]
			cbnz w17, 1f
			add  x16, x16, #:lo12:.Lhpm3
			mov  x17, x30
			bl   __heapprof_mip_first
		      1:

     count		adrp x16, .Lhpm3		32 bytes
			ldr  w17, [x16, #:lo12:.Lhpm3]
			subs w17, w17, #1
			str  w17, [x16, #:lo12:.Lhpm3]
			b.hs 1f
			add  x16, x16, #:lo12:.Lhpm3
			mov  x17, x30
			bl   __heapprof_mip_first_count
		      1:

     edges: at the entry, and before a direct call
			adrp x16, .Lhpmc3+16		16 bytes
			ldr  x17, [x16, #:lo12:.Lhpmc3+16]
			add  x17, x17, #1
			str  x17, [x16, #:lo12:.Lhpmc3+16]

     before a call through a pointer, here in x3
			adrp x13, .Lhpmp3_1		64 bytes
			add  x13, x13, #:lo12:.Lhpmp3_1
			ldp  x12, x11, [x13]
			cmp  x12, x3
			b.eq 1f
			mov  x12, x3
			mov  x14, x13
			adr  x15, .L17
			mov  x16, x12
			mov  x17, x30
			bl   __heapprof_mip_pointer_call
			mov  x3, x12
			ldr  x11, [x13, #8]
		      1: add x11, x11, #1
			str  x11, [x13, #8]

   Storing 1 needs a register that holds it, storing 0 does not: bytes of
   coverage start at 255.

   At a function's entry x16, x17 and the flags hold no values, because calls
   through linker veneers may change them.  x30, the return address, is not
   signed yet, and the helpers restore it.  They find the slot in x16, not by
   reading code, which linkers change to work around errata of processors.
   The same registers are free before a direct call.  A call through a pointer
   changes x9 to x17, and none of these but the pointer holds a value before it.
   Counts are not atomic, as on x86-64: calls may be lost between threads, but
   at least one thread notices the first one.

   The free registers of a block are those that are not live at its start.  Each
   probe declares what it clobbers, because a caller may rely on all other
   registers (-fipa-ra).  */

#include "gcc-compat-rtl.h"
#include "arguments.h"
#include "asm-section.h"
#include "machine.h"
#include "mip-asm.h"

const bool machine_has_probes = true;
const unsigned char machine_unmarked = 255;

bool
machine_takes_probes_p (void)
{
  return (aarch64_cmodel != AARCH64_CMODEL_LARGE && !fixed_regs[R16_REGNUM]
	  && !fixed_regs[R17_REGNUM]
	  && !(arguments.mip.edges
	       && (fixed_regs[R14_REGNUM] || fixed_regs[R15_REGNUM])));
}

void
machine_prepare_blocks (void)
{
  df_analyze ();
}

/* If all registers are in use, save x16 on the stack.  An unwinder that
   interrupts these instructions does not know that the stack pointer has
   changed.  */
static rtx
make_saving_store (unsigned function_number, int offset)
{
  return mip_asm (xasprintf ("str\tx16, [sp, #-16]!\n"
			     "\tadrp\tx16, .Lhpm%u+%d\n"
			     "\tstrb\twzr, [x16, #:lo12:.Lhpm%u+%d]\n"
			     "\tldr\tx16, [sp], #16",
			     function_number, offset, function_number, offset),
		  {});
}

rtx
machine_store (const mip_function *function, int offset, basic_block block)
{
  unsigned n = function->number;
  int r = block ? mip_free_register (block, R17_REGNUM, R0_REGNUM) : R16_REGNUM;

  if (r < 0)
    return make_saving_store (n, offset);
  return mip_asm (xasprintf ("adrp\tx%d, .Lhpm%u+%d\n"
			     "\tstrb\twzr, [x%d, #:lo12:.Lhpm%u+%d]",
			     r, n, offset, r, n, offset),
		  { (unsigned) r });
}

rtx
machine_test (const mip_function *function)
{
  unsigned n = function->number;
  char *text;

  if (function->kind == HEAPPROF_MIP_COUNT)
    text = xasprintf ("adrp\tx16, .Lhpm%u\n"
		      "\tldr\tw17, [x16, #:lo12:.Lhpm%u]\n"
		      "\tsubs\tw17, w17, #1\n"
		      "\tstr\tw17, [x16, #:lo12:.Lhpm%u]\n"
		      "\tb.hs\t.Lhpms%u\n"
		      "\tadd\tx16, x16, #:lo12:.Lhpm%u\n"
		      "\tmov\tx17, x30\n"
		      "\tbl\t" HEAPPROF_MIP_SYMBOL_FIRST_COUNT "\n"
		      ".Lhpms%u:",
		      n, n, n, n, n, n);
  else
    text = xasprintf ("adrp\tx16, .Lhpm%u\n"
		      "\tldr\tw17, [x16, #:lo12:.Lhpm%u]\n"
		      "\tcbnz\tw17, .Lhpms%u\n"
		      "\tadd\tx16, x16, #:lo12:.Lhpm%u\n"
		      "\tmov\tx17, x30\n"
		      "\tbl\t" HEAPPROF_MIP_SYMBOL_FIRST "\n"
		      ".Lhpms%u:",
		      n, n, n, n, n);
  return mip_asm (text, { R16_REGNUM, R17_REGNUM, CC_REGNUM });
}

rtx
machine_count (const mip_function *function, unsigned number,
	       const rtx_call_insn *)
{
  unsigned n = function->number;
  unsigned offset = 8 * number;

  return mip_asm (xasprintf ("adrp\tx16, .Lhpmc%u+%u\n"
			     "\tldr\tx17, [x16, #:lo12:.Lhpmc%u+%u]\n"
			     "\tadd\tx17, x17, #1\n"
			     "\tstr\tx17, [x16, #:lo12:.Lhpmc%u+%u]",
			     n, offset, n, offset, n, offset),
		  { R16_REGNUM, R17_REGNUM });
}

rtx
machine_count_pointer (const mip_function *function, unsigned number,
		       rtx target, const rtx_code_label *site,
		       const rtx_call_insn *call)
{
  auto_vec<unsigned> scratch;

  if (!REG_P (target) || GET_MODE (target) != DImode
      || !mip_find_scratch ({ R13_REGNUM, R12_REGNUM, R11_REGNUM, R10_REGNUM,
			      R9_REGNUM },
			    call, target, 3, &scratch))
    return NULL_RTX;
  char *label = asm_label_name (const_cast<rtx_code_label *> (site));
  char *data = xasprintf (".Lhpmp%u_%u", function->number, number);
  unsigned place = scratch[0], other = scratch[1], calls = scratch[2];
  char *text = xasprintf ("adrp\tx%u, %s\n"
			  "\tadd\tx%u, x%u, #:lo12:%s\n"
			  "\tldp\tx%u, x%u, [x%u]\n"
			  "\tcmp\tx%u, %%0\n"
			  "\tb.eq\t.Lhpmq%u_%u\n"
			  "\tmov\tx%u, %%0\n"
			  "\tmov\tx14, x%u\n"
			  "\tadr\tx15, %s\n"
			  "\tmov\tx16, x%u\n"
			  "\tmov\tx17, x30\n"
			  "\tbl\t" HEAPPROF_MIP_SYMBOL_POINTER_CALL "\n"
			  "\tmov\t%%0, x%u\n"
			  "\tldr\tx%u, [x%u, #8]\n"
			  ".Lhpmq%u_%u:\tadd\tx%u, x%u, #1\n"
			  "\tstr\tx%u, [x%u, #8]",
			  place, data, place, place, data, other, calls, place,
			  other, function->number, number, other, place, label,
			  other, other, calls, place, function->number, number,
			  calls, calls, calls, place);

  free (data);
  free (label);
  for (unsigned r : { R14_REGNUM, R15_REGNUM, R16_REGNUM, R17_REGNUM })
    if (r != REGNO (target))
      scratch.safe_push (r);
  scratch.safe_push (CC_REGNUM);
  return mip_asm (text, scratch, target);
}

const char *
machine_landing (void)
{
#ifdef aarch_enable_bti
  bool is_needed = aarch_enable_bti == 1;
#else
  bool is_needed = aarch64_enable_bti == 1;
#endif

  return is_needed ? "\n\thint\t34 /* bti c */" : "";
}

void
machine_output_jump (const char *name)
{
  fprintf (asm_out_file, "\tb\t%s\n", name);
}
