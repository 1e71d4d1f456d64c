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

     edges		lla  t6, .Lhpm3			16 bytes
			call t0, __heapprof_mip_edge

   These are the sizes in object files; the linker may make each lla, call and
   auipc 4 bytes shorter.

   Storing 1 needs a register that holds it, storing 0 does not: bytes of
   coverage start at 255.

   At a function's entry t0, t5 and t6 hold no values.  t0 is the link register
   of code that prologues call, so ra keeps the return address.  The helpers
   find the slot in t6.  Counts are not atomic, as on x86-64: calls may be lost
   between threads, but at least one thread notices the first one.

   The free registers of a block are those that are not live at its start.  Each
   probe declares what it clobbers, because a caller may rely on all other
   registers (-fipa-ra).  */

#include "gcc-compat-rtl.h"
#include "machine.h"
#include "mip-asm.h"

const bool machine_has_probes = true;
const machine_call_sites *const machine_sites = NULL;
const unsigned char machine_unmarked = 255;

/* Registers, by number.  */
#define T0 (GP_REG_FIRST + 5)
#define T5 (GP_REG_FIRST + 30)
#define T6 (GP_REG_FIRST + 31)

bool
machine_takes_probes_p (void)
{
  return (TARGET_64BIT
	  && (riscv_cmodel == CM_MEDLOW || riscv_cmodel == CM_MEDANY
	      || riscv_cmodel == CM_PIC)
	  && !fixed_regs[T0] && !fixed_regs[T5] && !fixed_regs[T6]);
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

  return mip_asm (text, { (unsigned) T0, (unsigned) T5, (unsigned) T6 });
}

rtx
machine_edge_call (const mip_function *function)
{
  char *text = xasprintf ("lla\tt6, .Lhpm%u\n"
			  "\tcall\tt0, " HEAPPROF_MIP_SYMBOL_EDGE,
			  function->number);

  return mip_asm (text, { (unsigned) T0, (unsigned) T5, (unsigned) T6 });
}
