/* What machines have in common whose probes pass the slot in a register to
   helpers, which call functions written in C, and mark code as reached by
   storing 0, for which a register is always at hand.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_MIP_CALLED_H
#define HEAPPROF_MIP_CALLED_H

/* The value of bytes of coverage before anything is reached, and the encoding
   of their chunks.  */
#define MIP_UNMARKED 255
#define MIP_COVERAGE_ENCODING HEAPPROF_MIP_REACHED_CLEARS

/* In assembler, what is before and behind the code of the helper NAME.  */
/* clang-format off */
#define MIP_HELPER_BEGIN(NAME) \
    "	.text\n" \
    "	.balign	4\n" \
    "	.globl	" NAME "\n" \
    "	.hidden	" NAME "\n" \
    "	.type	" NAME ", @function\n" \
    NAME ":\n" \
    "	.cfi_startproc\n"
#define MIP_HELPER_END(NAME) \
    "	.cfi_endproc\n" \
    "	.size	" NAME ", .-" NAME "\n"
/* clang-format on */

/* Mark a C function called by a helper.  */
#define MIP_CALLED_BY_HELPER __attribute__ ((used))

#endif /* HEAPPROF_MIP_CALLED_H */
