/* The code of rt_call_catching (catch.c), on AArch64.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   hint 34 is `bti c', hint 36 is `bti j'.  */

#ifndef HEAPPROF_CATCH_CODE_H
#define HEAPPROF_CATCH_CODE_H

/* DWARF's number of the register in which unwinders pass an exception: x0.  */
#define MACHINE_EXCEPTION_REGISTER 0

#define MACHINE_CALL_CATCHING                                                  \
  "	hint #34\n"                                                                \
  "	stp x29, x30, [sp, #-16]!\n"                                               \
  "	.cfi_def_cfa_offset 16\n"                                                  \
  "	.cfi_offset x29, -16\n"                                                    \
  "	.cfi_offset x30, -8\n"                                                     \
  "	mov x29, sp\n"                                                             \
  "	mov x16, x0\n"                                                             \
  "	mov x0, x1\n"                                                              \
  "	mov x1, x2\n"                                                              \
  "	mov x2, x3\n"                                                              \
  "	blr x16\n"                                                                 \
  "	b 1f\n"                                                                    \
  "rt_caught:\n"                                                               \
  "	hint #36\n"                                                                \
  "	bl rt_destroy_exception\n"                                                 \
  "	mov x0, #0\n"                                                              \
  "1:	ldp x29, x30, [sp], #16\n"                                               \
  "	.cfi_restore x29\n"                                                        \
  "	.cfi_restore x30\n"                                                        \
  "	.cfi_def_cfa_offset 0\n"                                                   \
  "	ret\n"

#endif /* HEAPPROF_CATCH_CODE_H */
