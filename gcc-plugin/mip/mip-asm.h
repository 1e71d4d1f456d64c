/* Probes made of assembler text, and labels for it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_ASM_H
#define HEAPPROF_MIP_ASM_H

/* Make an instruction from the assembler text TEXT, in which %% is a percent
   sign, and %0 INPUT, a register or memory, if that is not NULL; free TEXT.  It
   clobbers REGISTERS.  */
rtx mip_asm (char *text, const vec<unsigned> &registers, rtx input = NULL_RTX);

/* Likewise, for a list of registers.  */
rtx mip_asm (char *text, std::initializer_list<unsigned> registers);

/* Insert a label after INSN, to be referred to in assembler text.  */
rtx_code_label *mip_label_after (rtx_insn *insn);

/* Return a call-clobbered register from FIRST down to LAST that is free at the
   start of BLOCK, or -1.  Needs df_analyze.  */
int mip_free_register (basic_block block, int first, int last);

/* True if register NUMBER holds no value before CALL by way of TARGET, which is
   NULL if the call is direct.  */
bool mip_free_before_call_p (unsigned number, const rtx_call_insn *call,
			     rtx target);

/* Append to FREE, up to COUNT of them, those of REGISTERS that hold no value
   before CALL by way of TARGET.  Return true if there were enough.  */
bool mip_find_scratch (std::initializer_list<unsigned> registers,
		       const rtx_call_insn *call, rtx target, unsigned count,
		       vec<unsigned> *free);

#endif /* HEAPPROF_MIP_ASM_H */
