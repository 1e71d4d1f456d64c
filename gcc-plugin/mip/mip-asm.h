/* Probes made of assembler text, and labels for it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_ASM_H
#define HEAPPROF_MIP_ASM_H

/* Make an instruction from the assembler text TEXT, in which %% is a percent
   sign, and free TEXT.  It clobbers REGISTERS.  */
rtx mip_asm (char *text, std::initializer_list<unsigned> registers);

/* Insert a label after INSN, to be referred to in assembler text.  */
rtx_code_label *mip_label_after (rtx_insn *insn);

/* Return a call-clobbered register from FIRST down to LAST that is free at the
   start of BLOCK, or -1.  Needs df_analyze.  */
int mip_free_register (basic_block block, int first, int last);

#endif /* HEAPPROF_MIP_ASM_H */
