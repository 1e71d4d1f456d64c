/* Pointers that are stored in object files, or put there by relocations.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_POINTER_RELOCATIONS_H
#define HEAPPROF_POINTER_RELOCATIONS_H

#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>

/* The types of relocations that fill in a pointer of 64 bits: with an address
   in the same file, and with that of a symbol, anywhere or in the linker's
   table of addresses; and of those that copy an object of another file.  */
struct pointer_relocations
{
  unsigned int relative;
  unsigned int absolute;
  unsigned int symbol;
  unsigned int copy;
};

/* Set TYPES to those of ELF's machine.  Return false, and set them to types
   that no relocation has, if that is not known.  */
bool pointer_relocations_of (Elf *elf, struct pointer_relocations *types);

/* Return the pointer of 64 bits at BYTES, in ELF's byte order.  */
uint64_t pointer_stored_at (Elf *elf, const void *bytes);

#endif /* HEAPPROF_POINTER_RELOCATIONS_H */
