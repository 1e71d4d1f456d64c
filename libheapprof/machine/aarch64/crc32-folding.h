/* Remainders for crc32.c by the processor's instructions, on AArch64.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   All processors since version 8.1 of the architecture have these instructions,
   and most older ones.  The polynomial is the same.  */

#ifndef HEAPPROF_CRC32_FOLDING_H
#define HEAPPROF_CRC32_FOLDING_H

#include <sys/auxv.h>

#define FOLD_BYTES_MIN 8u

static bool can_fold;

/* The C library's getauxval, under a name that no program may define.  */
unsigned long __getauxval (unsigned long type);

static void
start_folding (void)
{
  can_fold = (__getauxval (AT_HWCAP) & HWCAP_CRC32) != 0;
}

/* Return the remainder of BYTES bytes at DATA, a multiple of 8, where REST is
   that of the preceding data.  */

static uint32_t
divide_by_folding (uint32_t rest, const uint8_t *data, size_t bytes)
{
  for (; bytes > 0; bytes -= 8, data += 8)
    __asm__(".arch_extension crc\n\tcrc32x	%w0, %w0, %1"
	    : "+r"(rest)
	    : "r"(load (data)));
  return rest;
}

#endif /* HEAPPROF_CRC32_FOLDING_H */
