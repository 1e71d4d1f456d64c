/* How a program prints the access counts that its own profile must have.
   SPDX-License-Identifier: GPL-3.0-or-later

   A program marks each allocation's line with a comment `site: NAME', counts its
   own accesses to the blocks, and prints one line for each site:

     site NAME BLOCKS BYTES ACCESSES

   truth.exp compiles it at several levels and compares.  The counting rules are
   those of include/heapprof/abi.h.  If the optimizer legitimately removes or merges
   accesses, a comment `LEVELS NAME ACCESSES: why' states the new number, which
   must match exactly, too; `LEVELS until GCC MAJOR NAME ACCESSES: why' if later
   versions do not.  A program whose heap accesses all have one width has a comment
   `dhat WIDTH': then valgrind's count of the bytes read and written at each site,
   divided by WIDTH, must agree at -O0.  */

#ifndef TRUTH_H
#define TRUTH_H

#include <stdio.h>

/* For functions with work: not inlined, so that their frames exist at -O2.  */
#define NOINLINE __attribute__ ((noinline, noclone))

/* The optimizer must assume that memory was read and written here, so that an
   access on one side is not merged with one on the other.  */
#define BARRIER() __asm__ volatile ("" ::: "memory")

static inline void
truth_site (const char *name, unsigned long blocks, unsigned long bytes,
	    unsigned long accesses)
{
  printf ("site %s %lu %lu %lu\n", name, blocks, bytes, accesses);
}

#endif /* TRUTH_H */
