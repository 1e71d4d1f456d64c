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
mip_asm (char *text, std::initializer_list<unsigned> registers)
{
  rtx body = gen_rtx_ASM_OPERANDS (VOIDmode, ggc_strdup (text), "", 0,
				   rtvec_alloc (0), rtvec_alloc (0),
				   rtvec_alloc (0), BUILTINS_LOCATION);
  rtvec all = rtvec_alloc (1 + registers.size ());
  int n = 0;

  free (text);
  MEM_VOLATILE_P (body) = 1;
  RTVEC_ELT (all, n++) = body;
  for (unsigned number : registers)
    RTVEC_ELT (all, n++) = make_clobber (number);
  return gen_rtx_PARALLEL (VOIDmode, all);
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
