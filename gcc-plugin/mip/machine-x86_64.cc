/* Machine-dependent parts for x86-64: the probes of machine-level profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

     function, block	movb $1, .Lhpm3(%rip)		7 bytes

     block		sarb .Lhpm3+2(%rip)		6 bytes

     order		cmpl $0, .Lhpm3(%rip)		14 bytes
			jne  1f
			call __heapprof_mip_first
		      1:

     count		the same with subl $1 and jnc

     edges		movq (%rsp), %r11		52 bytes
			xorq $tag, %r11
			movl %r11d, %eax
			andl $4095, %eax
			leaq __heapprof_mip_edges(%rip), %r10
			cmpq %r11, (%r10,%rax,8)
			je   1f
			call __heapprof_mip_edge
			nopl .Lhpm3(%rip)
		      1: incq 32768(%r10,%rax,8)

   The store changes no register and no flag.  The shift changes the byte's
   initial value of 128 to another one whether it executes once or often.  It
   clobbers flags, and is slower, because each shift waits for the previous one.
   So it is used for blocks that run at most four times as often as their
   function, which includes those in every other iteration of a loop about which
   the compiler knows nothing, and for blocks that contain a call, which takes
   longer anyway.  At a function's entry, flags hold no values.  The helper
   preserves all registers and finds the slot by its return address.

   At a function's entry r10, r11 and rax hold no values either, unless it is
   nested, has variable arguments, or must preserve all registers.  The probe
   for edges saves them then.  Its helper finds tag and slot by its return
   address, so each instruction has a fixed length.  */

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

/* Likewise, for an instruction that changes the flags and, if CLOBBERS, the
   scratch registers r10, r11 and rax.  */
static rtx
make_clobbering_asm (char *text, bool clobbers)
{
  rtx body = gen_rtx_ASM_OPERANDS (VOIDmode, ggc_strdup (text), "", 0,
				   rtvec_alloc (0), rtvec_alloc (0),
				   rtvec_alloc (0), BUILTINS_LOCATION);
  rtx flags = gen_rtx_CLOBBER (VOIDmode, gen_rtx_REG (CCmode, FLAGS_REG));

  free (text);
  MEM_VOLATILE_P (body) = 1;
  if (!clobbers)
    return gen_rtx_PARALLEL (VOIDmode, gen_rtvec (2, body, flags));
  rtx registers[3];
  unsigned numbers[] = { AX_REG, R10_REG, R11_REG };
  for (int i = 0; i < 3; i++)
    registers[i] = gen_rtx_CLOBBER (VOIDmode, gen_rtx_REG (DImode, numbers[i]));
  return gen_rtx_PARALLEL (VOIDmode, gen_rtvec (5, body, flags, registers[0],
						registers[1], registers[2]));
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

/* True if r10, r11 and rax may hold values at the entry of the function
   DECL.  */
static bool
uses_scratch_p (tree decl)
{
  tree type = TREE_TYPE (decl);

  return (DECL_STATIC_CHAIN (decl) || stdarg_p (type)
	  || lookup_attribute ("no_caller_saved_registers",
			       TYPE_ATTRIBUTES (type)));
}

/* Return the text of the probe for edges of function number N, with TAG, which
   finds the return address DEPTH bytes above the stack pointer; malloced.  It
   is a template, in which a percent sign is doubled.  */
static char *
edge_text (unsigned n, unsigned tag, int depth)
{
  if (ASSEMBLER_DIALECT == ASM_INTEL)
    return xasprintf ("mov\tr11, QWORD PTR %d[rsp]\n\txor\tr11, %d\n"
		      "\tmov\teax, r11d\n\tand\teax, %d\n"
		      "\tlea\tr10, " HEAPPROF_MIP_SYMBOL_EDGES "[rip]\n"
		      "\tcmp\tQWORD PTR [r10+rax*8], r11\n\tje\t.Lhpmg%u\n"
		      "\tcall\t" HEAPPROF_MIP_SYMBOL_EDGE
		      "\n\tnop\tDWORD PTR .Lhpm%u[rip]\n"
		      ".Lhpmg%u:\tinc\tQWORD PTR %d[r10+rax*8]",
		      depth, (int) tag, HEAPPROF_MIP_EDGE_PLACES - 1, n, n, n,
		      8 * HEAPPROF_MIP_EDGE_PLACES);
  return xasprintf ("movq\t%d(%%%%rsp), %%%%r11\n\txorq\t$%d, %%%%r11\n"
		    "\tmovl\t%%%%r11d, %%%%eax\n\tandl\t$%d, %%%%eax\n"
		    "\tleaq\t" HEAPPROF_MIP_SYMBOL_EDGES "(%%%%rip), %%%%r10\n"
		    "\tcmpq\t%%%%r11, (%%%%r10,%%%%rax,8)\n\tje\t.Lhpmg%u\n"
		    "\tcall\t" HEAPPROF_MIP_SYMBOL_EDGE
		    "\n\tnopl\t.Lhpm%u(%%%%rip)\n"
		    ".Lhpmg%u:\tincq\t%d(%%%%r10,%%%%rax,8)",
		    depth, (int) tag, HEAPPROF_MIP_EDGE_PLACES - 1, n, n, n,
		    8 * HEAPPROF_MIP_EDGE_PLACES);
}

/* Return the tag of FUNCTION: any number that differs from that of other
   functions, and does not fit in a byte.  */
static unsigned
edge_tag (const mip_function *function)
{
  const char *name = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (function->decl));
  const char *file = main_input_filename ? main_input_filename : "";

  return ((htab_hash_string (name) * 31 + htab_hash_string (file)) * 0x9e3779b1u
	  | 0x40000000u)
	 & 0x7fffffffu;
}

rtx
machine_edge_call (const mip_function *function)
{
  bool saves = uses_scratch_p (function->decl);
  char *text
    = edge_text (function->number, edge_tag (function), saves ? 24 : 0);

  if (saves)
    {
      bool is_intel = ASSEMBLER_DIALECT == ASM_INTEL;
      char *probe = text;
      text = xasprintf (is_intel ? "push\trax\n\tpush\tr10\n\tpush\tr11\n\t%s\n"
				   "\tpop\tr11\n\tpop\tr10\n\tpop\trax"
				 : "pushq\t%%%%rax\n\tpushq\t%%%%r10\n"
				   "\tpushq\t%%%%r11\n\t%s\n\tpopq\t%%%%r11\n"
				   "\tpopq\t%%%%r10\n\tpopq\t%%%%rax",
			probe);
      free (probe);
    }
  return make_clobbering_asm (text, !saves);
}
