/* Probes made of assembler text, and labels for it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat-rtl.h"
#include "mip-asm.h"

static rtx
make_clobber (unsigned number)
{
  machine_mode mode = number == targetm.flags_regnum ? CCmode : DImode;

  return gen_rtx_CLOBBER (VOIDmode, gen_rtx_REG (mode, number));
}

rtx
mip_asm (char *text, const vec<unsigned> &registers, rtx input)
{
  rtvec inputs = rtvec_alloc (input ? 1 : 0);
  rtvec constraints = rtvec_alloc (input ? 1 : 0);
  rtvec all = rtvec_alloc (1 + registers.length ());
  int n = 0;

  if (input)
    {
      RTVEC_ELT (inputs, 0) = copy_rtx (input);
      RTVEC_ELT (constraints, 0)
	= gen_rtx_ASM_INPUT_loc (DImode, REG_P (input) ? "r" : "m",
				 BUILTINS_LOCATION);
    }
  rtx body
    = gen_rtx_ASM_OPERANDS (VOIDmode, ggc_strdup (text), "", 0, inputs,
			    constraints, rtvec_alloc (0), BUILTINS_LOCATION);
  free (text);
  MEM_VOLATILE_P (body) = 1;
  RTVEC_ELT (all, n++) = body;
  for (unsigned number : registers)
    RTVEC_ELT (all, n++) = make_clobber (number);
  return gen_rtx_PARALLEL (VOIDmode, all);
}

rtx
mip_asm (char *text, std::initializer_list<unsigned> registers)
{
  auto_vec<unsigned> all;

  for (unsigned number : registers)
    all.safe_push (number);
  return mip_asm (text, all);
}

/* At this stage labels in use are not removed; a label marked as preserved
   would get a landing instruction, as if its address were taken.  */
rtx_code_label *
mip_label_after (rtx_insn *insn)
{
  rtx_code_label *label = gen_label_rtx ();

  LABEL_NUSES (label) = 1;
  emit_label_after (label, insn);
  return label;
}

int
mip_free_register (basic_block block, int first, int last)
{
  auto_bitmap live;

  bitmap_copy (live, df_get_live_in (block));
  /* Add the registers that hold an exception, which the set lacks.  */
  df_simulate_initialize_forwards (block, live);
  for (int number = first; number >= last; number--)
    if (!fixed_regs[number] && crtl->abi->clobbers_full_reg_p (number)
	&& !bitmap_bit_p (live, number))
      return number;
  return -1;
}

bool
mip_free_before_call_p (unsigned number, const rtx_call_insn *call, rtx target)
{
  return (!fixed_regs[number]
	  && insn_callee_abi (call).clobbers_full_reg_p (number)
	  && !find_regno_fusage (call, USE, number)
	  && !(target && refers_to_regno_p (number, target)));
}

bool
mip_find_scratch (std::initializer_list<unsigned> registers,
		  const rtx_call_insn *call, rtx target, unsigned count,
		  vec<unsigned> *free)
{
  for (unsigned number : registers)
    if (free->length () < count
	&& mip_free_before_call_p (number, call, target))
      free->safe_push (number);
  return free->length () == count;
}
