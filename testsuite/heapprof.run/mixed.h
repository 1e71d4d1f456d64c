/* A program of which gcc compiles one half and clang the other.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef MIXED_H
#define MIXED_H

enum { GCC_BLOCKS = 6, GCC_BYTES = 100, CLANG_BLOCKS = 5, CLANG_BYTES = 40 };

/* Return a block after one write, of GCC_BYTES, and after two, of
   CLANG_BYTES.  */
volatile char *gcc_leaf (void);
volatile char *clang_leaf (void);

/* Take each block of the other half, write to it, three times and once, and
   release it.  Return what was read back: two reads a block.  */
int gcc_way (void);
int clang_way (void);

#endif /* MIXED_H */
