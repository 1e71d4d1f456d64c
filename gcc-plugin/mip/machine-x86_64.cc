/* Machine-dependent parts for x86-64: the probes of machine-level profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

     function, block	movb $1, .Lhpm3(%rip)		7 bytes

     block		sarb .Lhpm3+2(%rip)		6 bytes

     order		cmpl $0, .Lhpm3(%rip)		14 bytes
			jne  1f
			call __heapprof_mip_first
		      1:

     count		the same with subl $1 and jnc

     edges: at the entry, and before a direct call
			incq .Lhpmc3+16(%rip)		7 bytes

     before a call through a pointer
			cmpq %rax, .Lhpmp3_1(%rip)	38 bytes
			je   1f
			movq %rax, %r11
			call __heapprof_mip_pointer_call
			nopl .Lhpmp3_1(%rip)
			nopl .L17(%rip)
		      1: incq .Lhpmp3_1+8(%rip)

   The store changes no register and no flag.  The shift changes the byte's
   initial value of 128 to another one whether it executes once or often.  It
   clobbers flags, and is slower, because each shift waits for the previous one.
   So it is used for blocks that run at most four times as often as their
   function, which includes those in every other iteration of a loop about which
   the compiler knows nothing, and for blocks that contain a call, which takes
   longer anyway.  At a function's entry, flags hold no values.  The helper
   preserves all registers and finds the slot by its return address.

   Before a call, flags hold no values, nor does r11 unless it is the pointer,
   or a part of its address.  If the pointer is in memory, it is loaded into r11
   first, or into another free register.  The helper finds the site's data and
   the return address by its own return address.  */

#include "gcc-compat-rtl.h"
#include "asm-section.h"
#include "machine.h"
#include "mip-asm.h"

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
machine_count (const mip_function *function, unsigned number,
	       const rtx_call_insn *)
{
  return mip_asm (xasprintf (ASSEMBLER_DIALECT == ASM_INTEL
			       ? "inc\tQWORD PTR .Lhpmc%u[rip+%u]"
			       : "incq\t.Lhpmc%u+%u(%%%%rip)",
			     function->number, 8 * number),
		  { FLAGS_REG });
}

/* A register that calls change.  */
struct scratch
{
  unsigned number;
  const char *name;
};

/* Return a register that holds no value before CALL by way of TARGET; r11 if
   possible, NULL if there is none.  */
static const scratch *
find_scratch (const rtx_call_insn *call, rtx target)
{
  static const scratch registers[]
    = { { R11_REG, "r11" }, { R10_REG, "r10" }, { AX_REG, "rax" },
	{ CX_REG, "rcx" },  { DX_REG, "rdx" },	{ SI_REG, "rsi" },
	{ DI_REG, "rdi" },  { R8_REG, "r8" },	{ R9_REG, "r9" } };

  for (const scratch &each : registers)
    if (mip_free_before_call_p (each.number, call, target))
      return &each;
  return NULL;
}

/* Return the text of the probe for call site NUMBER of FUNCTION, malloced: a
   template with the pointer as operand 0.  It is compared in the register
   called POINTER, loaded by LOAD.  On a mismatch, BEFORE puts it into r11 for
   the helper, and AFTER restores what it changed.  */
static char *
pointer_text (const mip_function *function, unsigned number,
	      const char *pointer, const char *load, const char *before,
	      const char *after, const char *site)
{
  bool is_intel = ASSEMBLER_DIALECT == ASM_INTEL;
  char *data = xasprintf (".Lhpmp%u_%u", function->number, number);
  char *skip = xasprintf (".Lhpmq%u_%u", function->number, number);
  char *text
    = (is_intel ? xasprintf ("%scmp\tQWORD PTR %s[rip], %s\n\tje\t%s\n\t%s"
			     "call\t" HEAPPROF_MIP_SYMBOL_POINTER_CALL
			     "\n\tnop\tDWORD PTR %s[rip]\n\tnop\tDWORD PTR "
			     "%s[rip]\n%s%s:\tinc\tQWORD PTR %s[rip+8]",
			     load, data, pointer, skip, before, data, site,
			     after, skip, data)
		: xasprintf ("%scmpq\t%s, %s(%%%%rip)\n\tje\t%s\n\t%s"
			     "call\t" HEAPPROF_MIP_SYMBOL_POINTER_CALL
			     "\n\tnopl\t%s(%%%%rip)\n\tnopl\t%s(%%%%rip)\n"
			     "%s%s:\tincq\t%s+8(%%%%rip)",
			     load, pointer, data, skip, before, data, site,
			     after, skip, data));

  free (data);
  free (skip);
  return text;
}

/* Likewise, for a pointer in a register.  */
static char *
register_text (const mip_function *function, unsigned number, const char *site)
{
  return pointer_text (function, number, "%0", "",
		       ASSEMBLER_DIALECT == ASM_INTEL ? "mov\tr11, %0\n\t"
						      : "movq\t%0, %%r11\n\t",
		       "", site);
}

/* Likewise, for a pointer in memory that is loaded into SCRATCH.  */
static char *
memory_text (const mip_function *function, unsigned number,
	     const scratch *scratch, const char *site)
{
  bool is_intel = ASSEMBLER_DIALECT == ASM_INTEL;
  bool is_r11 = scratch->number == R11_REG;
  char *name = xasprintf (is_intel ? "%s" : "%%%%%s", scratch->name);
  char *load
    = xasprintf (is_intel ? "mov\t%s, %%0\n\t" : "movq\t%%0, %s\n\t", name);
  char *exchange = is_r11 ? xstrdup ("")
			  : xasprintf (is_intel ? "xchg\t%s, r11\n\t"
						: "xchgq\t%s, %%%%r11\n\t",
				       name);
  char *text
    = pointer_text (function, number, name, load, exchange, exchange, site);

  free (exchange);
  free (load);
  free (name);
  return text;
}

rtx
machine_count_pointer (const mip_function *function, unsigned number,
		       rtx target, const rtx_code_label *site,
		       const rtx_call_insn *call)
{
  bool is_register = REG_P (target);

  if (GET_MODE (target) != DImode || !(is_register || MEM_P (target)))
    return NULL_RTX;
  const scratch *scratch = find_scratch (call, target);
  /* The pointer itself may be in r11; otherwise that is free.  */
  if (is_register && REGNO (target) != R11_REG
      && (!scratch || scratch->number != R11_REG))
    return NULL_RTX;
  if (!is_register && !scratch)
    return NULL_RTX;
  char *label = asm_label_name (const_cast<rtx_code_label *> (site));
  char *text = is_register ? register_text (function, number, label)
			   : memory_text (function, number, scratch, label);
  auto_vec<unsigned> clobbers;

  free (label);
  clobbers.safe_push (FLAGS_REG);
  if (!is_register || REGNO (target) != R11_REG)
    clobbers.safe_push (scratch->number);
  return mip_asm (text, clobbers, target);
}

const char *
machine_landing (void)
{
  return "";
}

void
machine_output_jump (const char *name)
{
  fprintf (asm_out_file, "\tjmp\t%s@PLT\n", name);
}
