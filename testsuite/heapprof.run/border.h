/* Declarations for the two halves of a program: one is compiled by gcc with the
   plugin, the other by clang with -fmemory-profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef BORDER_H
#define BORDER_H

#include <stddef.h>

#define NOINLINE __attribute__ ((noinline))

/* The prefix of each name shows which half defines it.  */
void *gcc_allocate (size_t bytes);
void *gcc_pass_on (size_t bytes);
void *clang_allocate (size_t bytes);
void *clang_pass_on (size_t bytes);

/* Write TIMES times to the start of a block.  */
void clang_touch (void *block, unsigned times);

/* Copy BYTES bytes once.  */
void clang_copy (void *to, const void *from, size_t bytes);

void clang_release (void *block);

#endif /* BORDER_H */
