/* Redirection of calls that the compiler generates.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Included before everything else in each file of the run-time libraries.
   Compilers turn assignments and loops into calls of these functions, whatever
   options they are given.  A program may define them, and its definitions may
   be instrumented or not do what the names say; so the assembler resolves these
   names to ours (bytes.h).  */

#ifndef HEAPPROF_EMITTED_H
#define HEAPPROF_EMITTED_H

#define OWN_EMITTED(name) __asm__(".set " #name ", __hpr_" #name)

OWN_EMITTED (memcmp);
OWN_EMITTED (memcpy);
OWN_EMITTED (memmove);
OWN_EMITTED (memset);
OWN_EMITTED (strlen);

#endif /* HEAPPROF_EMITTED_H */
