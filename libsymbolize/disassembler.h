/* Sizes and control flow of x86-64 instructions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_DISASSEMBLER_H
#define HEAPPROF_DISASSEMBLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct disassembler;

/* Return true if this program was built with binutils' library.  */
bool disassembler_is_supported (void);

/* Create a disassembler for the BYTES at CODE, which are loaded at ADDRESS and
   must outlive it.  NULL if memory is exhausted, or disassembling is not
   supported.  */
struct disassembler *disassembler_open (const uint8_t *code, size_t bytes,
					uint64_t address);
void disassembler_close (struct disassembler *disassembler);

/* Return the size in bytes of the instruction at OFFSET, at least 1, at most
   what is left; 1 if it is invalid.  Set *LEAVES if it is an unconditional
   jump, a call or a return.  */
unsigned int disassembler_take (struct disassembler *disassembler,
				size_t offset, bool *leaves);

/* Return true if the instruction of SIZE bytes at CODE, loaded at ADDRESS, is a
   call or unconditional jump to a fixed address: set *TARGET to it.  */
bool disassembler_find_target (const uint8_t *code, unsigned int size,
			       uint64_t address, uint64_t *target);

#endif /* HEAPPROF_DISASSEMBLER_H */
