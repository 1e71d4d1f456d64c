/* Machine-dependent parts for x86-64: the probes of machine-level profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

     function, block	movb $1, .Lhpm3(%rip)		7 bytes

     block		sarb .Lhpm3+2(%rip)		6 bytes

     order		cmpl $0, .Lhpm3(%rip)		14 bytes
			jne  1f
			call __heapprof_mip_first
		      1:

     count		the same with subl $1 and jnc

     edges		call __heapprof_mip_edge	12 bytes
			nopl .Lhpm3(%rip)

   The store changes no register and no flag.  The shift changes the byte's
   initial value of 128 to another one whether it executes once or often.  It
   clobbers flags, and is slower, because each shift waits for the previous one.
   So it is used for blocks that run at most four times as often as their
   function, which includes those in every other iteration of a loop about which
   the compiler knows nothing, and for blocks that contain a call, which takes
   longer anyway.  At a function's entry, flags hold no values.  The helper
   preserves all registers and finds the slot by its return address.  */

#include "gcc-compat-rtl.h"
#include "machine.h"

const bool machine_has_probes = true;
const unsigned char machine_unmarked = 128;

bool
machine_takes_probes_p (void)
{
  return ix86_cmodel != CM_LARGE && ix86_cmodel != CM_LARGE_PIC;
}

void
machine_prepare_blocks (void)
{
  df_analyze ();
}

static bool
calls_p (basic_block block)
{
  rtx_insn *insn;

  FOR_BB_INSNS (block, insn)
    if (CALL_P (insn))
      return true;
  return false;
}

/* True if BLOCK of FUNCTION should be marked by a shift: flags are free at its
   start, and its speed does not matter.  The function's entry counts as a block
   if blocks have probes.  */
static bool
shift_p (const mip_function *function, basic_block block)
{
  profile_count entry = ENTRY_BLOCK_PTR_FOR_FN (cfun)->count;

  if (!block)
    return !function->blocks.is_empty ();
  return (!bitmap_bit_p (df_get_live_in (block), FLAGS_REG)
	  && (optimize_bb_for_size_p (block) || calls_p (block)
	      || block->count <= entry.apply_scale (4, 1)));
}

rtx
machine_store (const mip_function *function, int offset, basic_block block)
{
  char *name = mip_slot_label (function);
  char *starred = xasprintf ("*%s", name);
  rtx symbol = gen_rtx_SYMBOL_REF (Pmode, ggc_strdup (starred));

  free (starred);
  free (name);
  SYMBOL_REF_FLAGS (symbol) |= SYMBOL_FLAG_LOCAL;
  rtx slot = gen_rtx_MEM (QImode, plus_constant (Pmode, symbol, offset));
  MEM_VOLATILE_P (slot) = 1;
  if (!shift_p (function, block))
    return gen_rtx_SET (slot, const1_rtx);
  rtx shift = gen_rtx_ASHIFTRT (QImode, copy_rtx (slot), const1_rtx);
  rtx flags = gen_rtx_CLOBBER (VOIDmode, gen_rtx_REG (CCmode, FLAGS_REG));
  return gen_rtx_PARALLEL (VOIDmode,
			   gen_rtvec (2, gen_rtx_SET (slot, shift), flags));
}

/* Make an instruction from the assembler text TEXT, which is freed.  */
static rtx
make_asm (char *text)
{
  rtx pattern
    = gen_rtx_ASM_INPUT_loc (VOIDmode, ggc_strdup (text), BUILTINS_LOCATION);

  MEM_VOLATILE_P (pattern) = 1;
  free (text);
  return pattern;
}

rtx
machine_test (const mip_function *function)
{
  bool is_count = function->kind == HEAPPROF_MIP_COUNT;
  const char *operation = is_count ? "sub" : "cmp";
  unsigned n = function->number;
  char *test
    = (ASSEMBLER_DIALECT == ASM_INTEL
	 ? xasprintf ("%s\tDWORD PTR .Lhpm%u[rip], %d", operation, n, is_count)
	 : xasprintf ("%sl\t$%d, .Lhpm%u(%%rip)", operation, is_count, n));
  char *text
    = xasprintf ("%s\n\t%s\t.Lhpms%u\n\tcall\t" HEAPPROF_MIP_SYMBOL_FIRST
		 "\n.Lhpms%u:",
		 test, is_count ? "jnc" : "jne", n, n);

  free (test);
  return make_asm (text);
}

rtx
machine_edge_call (const mip_function *function)
{
  unsigned n = function->number;
  char *text = xasprintf (ASSEMBLER_DIALECT == ASM_INTEL
			    ? "call\t" HEAPPROF_MIP_SYMBOL_EDGE
			      "\n\tnop\tDWORD PTR .Lhpm%u[rip]"
			    : "call\t" HEAPPROF_MIP_SYMBOL_EDGE
			      "\n\tnopl\t.Lhpm%u(%%rip)",
			  n);

  return make_asm (text);
}
