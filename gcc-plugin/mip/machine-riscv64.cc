/* Machine-dependent parts for RISC-V 64: the probes of machine-level profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

     function, block	auipc t6, %pcrel_hi(.Lhpm3)	8 bytes
			sb   zero, %pcrel_lo(1b)(t6)

     order		lla  t6, .Lhpm3			24 bytes
			lw   t5, 0(t6)
			bnez t5, 1f
			call t0, __heapprof_mip_first
		      1:

     count		lla  t6, .Lhpm3			32 bytes
			lw   t5, 0(t6)
			addiw t0, t5, -1
			sw   t0, 0(t6)
			bnez t5, 1f
			call t0, __heapprof_mip_first_count
		      1:

     edges: at the entry, and before a direct call
		      1: auipc t6, %pcrel_hi(.Lhpmc3+16)	14 bytes
			ld   t5, %pcrel_lo(1b)(t6)
			addi t5, t5, 1
			sd   t5, %pcrel_lo(1b)(t6)

     before a call through a pointer, here in a5
			lla  t3, .Lhpmp3_1		54 bytes
			ld   t2, 0(t3)
			beq  t2, a5, 1f
			mv   t2, a5
			mv   t6, t3
			mv   t5, t2
			lla  t4, .L17
		      2: auipc t0, %pcrel_hi(__heapprof_mip_pointer_call)
			jalr t0, %pcrel_lo(2b)(t0)
			mv   a5, t2
		      1: ld  t2, 8(t3)
			addi t2, t2, 1
			sd   t2, 8(t3)

   These are the sizes in object files; the linker may make each lla, call and
   auipc 4 bytes shorter.

   Storing 1 needs a register that holds it, storing 0 does not: bytes of
   coverage start at 255.

   At a function's entry t0, t1, t5 and t6 hold no values.  t0 is the link
   register of code that prologues call, so ra keeps the return address.  Such
   a call, unless the linker makes it shorter, changes t1.  The helpers find the
   slot in t6.  Counts are not atomic, as on x86-64: calls may be lost
   between threads, but at least one thread notices the first one.

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

/* Registers, by number.  */
#define T0 (GP_REG_FIRST + 5u)
#define T1 (GP_REG_FIRST + 6u)
#define T2 (GP_REG_FIRST + 7u)
#define A(N) (GP_REG_FIRST + 10u + (N))
#define T3 (GP_REG_FIRST + 28u)
#define T4 (GP_REG_FIRST + 29u)
#define T5 (GP_REG_FIRST + 30u)
#define T6 (GP_REG_FIRST + 31u)

bool
machine_takes_probes_p (void)
{
  return (TARGET_64BIT
	  && (riscv_cmodel == CM_MEDLOW || riscv_cmodel == CM_MEDANY
	      || riscv_cmodel == CM_PIC)
	  && !fixed_regs[T0] && !fixed_regs[T1] && !fixed_regs[T5]
	  && !fixed_regs[T6] && !(arguments.mip.edges && fixed_regs[T4]));
}

void
machine_prepare_blocks (void)
{
  df_analyze ();
}

/* Return the text of a store that marks byte OFFSET of the slot of FUNCTION, by
   way of REGISTER, malloced.  */
static char *
store_text (const mip_function *function, int offset, int number)
{
  return xasprintf ("1:\tauipc\tx%d, %%%%pcrel_hi(.Lhpm%u+%d)\n"
		    "\tsb\tzero, %%%%pcrel_lo(1b)(x%d)",
		    number - GP_REG_FIRST, function->number, offset,
		    number - GP_REG_FIRST);
}

/* If all registers are in use, save t6 on the stack.  An unwinder that
   interrupts these instructions does not know that the stack pointer has
   changed.  */
static rtx
make_saving_store (const mip_function *function, int offset)
{
  char *store = store_text (function, offset, T6);
  char *text = xasprintf ("addi\tsp, sp, -16\n"
			  "\tsd\tt6, 0(sp)\n"
			  "%s\n"
			  "\tld\tt6, 0(sp)\n"
			  "\taddi\tsp, sp, 16",
			  store);

  free (store);
  return mip_asm (text, {});
}

rtx
machine_store (const mip_function *function, int offset, basic_block block)
{
  int number
    = block ? mip_free_register (block, GP_REG_LAST, GP_REG_FIRST) : T6;

  if (number < 0)
    return make_saving_store (function, offset);
  return mip_asm (store_text (function, offset, number), { (unsigned) number });
}

/* Return the text of a call of HELPER if the word at FUNCTION's slot is 0; with
   IS_COUNT, after subtracting 1 from it; malloced.  */
static char *
test_text (const mip_function *function, bool is_count, const char *helper)
{
  unsigned n = function->number;

  return xasprintf ("lla\tt6, .Lhpm%u\n"
		    "\tlw\tt5, 0(t6)\n"
		    "%s"
		    "\tbnez\tt5, .Lhpms%u\n"
		    "\tcall\tt0, %s\n"
		    ".Lhpms%u:",
		    n,
		    is_count ? "\taddiw\tt0, t5, -1\n"
			       "\tsw\tt0, 0(t6)\n"
			     : "",
		    n, helper, n);
}

rtx
machine_test (const mip_function *function)
{
  char *text = function->kind == HEAPPROF_MIP_COUNT
		 ? test_text (function, true, HEAPPROF_MIP_SYMBOL_FIRST_COUNT)
		 : test_text (function, false, HEAPPROF_MIP_SYMBOL_FIRST);

  return mip_asm (text, { T0, T1, T5, T6 });
}

/* Return the text that adds 1 to counter NUMBER of FUNCTION, with PLACE and
   CALLS as scratch registers, malloced.  */
static char *
count_text (const mip_function *function, unsigned number, int place, int calls)
{
  place -= GP_REG_FIRST;
  calls -= GP_REG_FIRST;
  return xasprintf ("1:\tauipc\tx%d, %%%%pcrel_hi(.Lhpmc%u+%u)\n"
		    "\tld\tx%d, %%%%pcrel_lo(1b)(x%d)\n"
		    "\taddi\tx%d, x%d, 1\n"
		    "\tsd\tx%d, %%%%pcrel_lo(1b)(x%d)",
		    place, function->number, 8 * number, calls, place, calls,
		    calls, calls, place);
}

/* A call of a function that is known to leave most registers alone may have no
   other free ones.  */
static rtx
make_saving_count (const mip_function *function, unsigned number)
{
  char *count = count_text (function, number, T6, T5);
  char *text = xasprintf ("addi\tsp, sp, -16\n"
			  "\tsd\tt6, 0(sp)\n"
			  "\tsd\tt5, 8(sp)\n"
			  "%s\n"
			  "\tld\tt6, 0(sp)\n"
			  "\tld\tt5, 8(sp)\n"
			  "\taddi\tsp, sp, 16",
			  count);

  free (count);
  return mip_asm (text, {});
}

rtx
machine_count (const mip_function *function, unsigned number,
	       const rtx_call_insn *call)
{
  auto_vec<unsigned> scratch;

  if (call
      && !mip_find_scratch ({ T6, T5, T4, T3, T1, T0, T2, A (7), A (6), A (5),
			      A (4), A (3), A (2), A (1), A (0) },
			    call, NULL_RTX, 2, &scratch))
    return make_saving_count (function, number);
  if (!call)
    {
      scratch.safe_push (T6);
      scratch.safe_push (T5);
    }
  return mip_asm (count_text (function, number, scratch[0], scratch[1]),
		  scratch);
}

rtx
machine_count_pointer (const mip_function *function, unsigned number,
		       rtx target, const rtx_code_label *site,
		       const rtx_call_insn *call)
{
  auto_vec<unsigned> scratch;

  if (!REG_P (target) || GET_MODE (target) != DImode
      || !mip_find_scratch ({ T3, T2, T1, A (7), A (6), A (5), A (4), A (3),
			      A (2), A (1), A (0) },
			    call, target, 2, &scratch))
    return NULL_RTX;
  char *label = asm_label_name (const_cast<rtx_code_label *> (site));
  unsigned place = scratch[0] - GP_REG_FIRST, other = scratch[1] - GP_REG_FIRST;
  unsigned n = function->number;
  char *text
    = xasprintf ("lla\tx%u, .Lhpmp%u_%u\n"
		 "\tld\tx%u, 0(x%u)\n"
		 "\tbeq\tx%u, %%0, .Lhpmq%u_%u\n"
		 "\tmv\tx%u, %%0\n"
		 "\tmv\tt6, x%u\n"
		 "\tmv\tt5, x%u\n"
		 "\tlla\tt4, %s\n"
		 "1:\tauipc\tt0, %%%%pcrel_hi(" HEAPPROF_MIP_SYMBOL_POINTER_CALL
		 ")\n"
		 "\tjalr\tt0, %%%%pcrel_lo(1b)(t0)\n"
		 "\tmv\t%%0, x%u\n"
		 ".Lhpmq%u_%u:\tld\tx%u, 8(x%u)\n"
		 "\taddi\tx%u, x%u, 1\n"
		 "\tsd\tx%u, 8(x%u)",
		 place, n, number, other, place, other, n, number, other, place,
		 other, label, other, n, number, other, place, other, other,
		 other, place);

  free (label);
  for (unsigned r : { T0, T4, T5, T6 })
    if (r != REGNO (target))
      scratch.safe_push (r);
  return mip_asm (text, scratch, target);
}

const char *
machine_landing (void)
{
  return "";
}

void
machine_output_jump (const char *name)
{
  fprintf (asm_out_file, "\ttail\t%s@plt\n", name);
}
