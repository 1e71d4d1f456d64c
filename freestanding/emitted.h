/* Functions that a compiler calls on its own account.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Included before everything else in each file of the run-time libraries.  A
   compiler makes calls of these out of assignments and loops, whatever it is
   told not to.  A program may define them, and what it defines may be
   instrumented, or not do what the name says; so the assembler takes these
   names for ours (bytes.h).  */

#ifndef HEAPPROF_EMITTED_H
#define HEAPPROF_EMITTED_H

#define OWN_EMITTED(name) __asm__(".set " #name ", __hpr_" #name)

OWN_EMITTED (memcmp);
OWN_EMITTED (memcpy);
OWN_EMITTED (memmove);
OWN_EMITTED (memset);
OWN_EMITTED (strlen);

#endif /* HEAPPROF_EMITTED_H */
