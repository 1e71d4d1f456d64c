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

     edges		adrp x16, .Lhpm3		16 bytes
			add  x16, x16, #:lo12:.Lhpm3
			mov  x17, x30
			bl   __heapprof_mip_edge

   Storing 1 needs a register that holds it, storing 0 does not: bytes of
   coverage start at 255.

   At a function's entry x16, x17 and the flags hold no values, because calls
   through linker veneers may change them.  x30, the return address, is not
   signed yet, and the helpers restore it.  They find the slot in x16, not by
   reading code, which linkers change to work around errata of processors.
   Counts are not atomic, as on x86-64: calls may be lost between threads, but
   at least one thread notices the first one.

   The free registers of a block are those that are not live at its start.  Each
   probe declares what it clobbers, because a caller may rely on all other
   registers (-fipa-ra).  */

#include "gcc-compat-rtl.h"
#include "machine.h"
#include "mip-asm.h"

const bool machine_has_probes = true;
const machine_call_sites *const machine_sites = NULL;
const unsigned char machine_unmarked = 255;

bool
machine_takes_probes_p (void)
{
  return (aarch64_cmodel != AARCH64_CMODEL_LARGE && !fixed_regs[R16_REGNUM]
	  && !fixed_regs[R17_REGNUM]);
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
machine_edge_call (const mip_function *function)
{
  unsigned n = function->number;
  char *text = xasprintf ("adrp\tx16, .Lhpm%u\n"
			  "\tadd\tx16, x16, #:lo12:.Lhpm%u\n"
			  "\tmov\tx17, x30\n"
			  "\tbl\t" HEAPPROF_MIP_SYMBOL_EDGE,
			  n, n);

  return mip_asm (text, { R16_REGNUM, R17_REGNUM, CC_REGNUM });
}
