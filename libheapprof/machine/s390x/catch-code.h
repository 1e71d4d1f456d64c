/* The code of rt_call_catching (catch.c), on s390x.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_CATCH_CODE_H
#define HEAPPROF_CATCH_CODE_H

/* DWARF's number of the register in which unwinders pass an exception: %r6.  */
#define MACHINE_EXCEPTION_REGISTER 6

#define MACHINE_CALL_CATCHING                                                  \
  "	stmg %r6, %r15, 48(%r15)\n"                                                \
  "	.cfi_offset %r6, -112\n"                                                   \
  "	.cfi_offset %r7, -104\n"                                                   \
  "	.cfi_offset %r14, -48\n"                                                   \
  "	.cfi_offset %r15, -40\n"                                                   \
  "	aghi %r15, -160\n"                                                         \
  "	.cfi_def_cfa_offset 320\n"                                                 \
  "	lgr %r1, %r2\n"                                                            \
  "	lgr %r2, %r3\n"                                                            \
  "	lgr %r3, %r4\n"                                                            \
  "	lgr %r4, %r5\n"                                                            \
  "	basr %r14, %r1\n"                                                          \
  "	j 1f\n"                                                                    \
  "rt_caught:\n"                                                               \
  "	lgr %r2, %r6\n"                                                            \
  "	brasl %r14, rt_destroy_exception\n"                                        \
  "	lghi %r2, 0\n"                                                             \
  "1:	lmg %r6, %r15, 208(%r15)\n"                                              \
  "	.cfi_restore %r6\n"                                                        \
  "	.cfi_restore %r7\n"                                                        \
  "	.cfi_restore %r14\n"                                                       \
  "	.cfi_restore %r15\n"                                                       \
  "	.cfi_def_cfa_offset 160\n"                                                 \
  "	br %r14\n"

#endif /* HEAPPROF_CATCH_CODE_H */
