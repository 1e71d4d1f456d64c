/* The code of rt_call_catching (catch.c), on RISC-V.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_CATCH_CODE_H
#define HEAPPROF_CATCH_CODE_H

/* DWARF's number of the register in which unwinders pass an exception: a0.  */
#define MACHINE_EXCEPTION_REGISTER 10

#define MACHINE_CALL_CATCHING                                                  \
  "	addi sp, sp, -16\n"                                                        \
  "	.cfi_def_cfa_offset 16\n"                                                  \
  "	sd ra, 8(sp)\n"                                                            \
  "	sd s0, 0(sp)\n"                                                            \
  "	.cfi_offset ra, -8\n"                                                      \
  "	.cfi_offset s0, -16\n"                                                     \
  "	addi s0, sp, 16\n"                                                         \
  "	mv t1, a0\n"                                                               \
  "	mv a0, a1\n"                                                               \
  "	mv a1, a2\n"                                                               \
  "	mv a2, a3\n"                                                               \
  "	jalr t1\n"                                                                 \
  "	j 1f\n"                                                                    \
  "rt_caught:\n"                                                               \
  "	call rt_destroy_exception\n"                                               \
  "	li a0, 0\n"                                                                \
  "1:	ld ra, 8(sp)\n"                                                          \
  "	ld s0, 0(sp)\n"                                                            \
  "	.cfi_restore ra\n"                                                         \
  "	.cfi_restore s0\n"                                                         \
  "	addi sp, sp, 16\n"                                                         \
  "	.cfi_def_cfa_offset 0\n"                                                   \
  "	ret\n"

#endif /* HEAPPROF_CATCH_CODE_H */
