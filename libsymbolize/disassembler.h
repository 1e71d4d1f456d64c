/* How long x86-64 instructions are, and where they go on.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_DISASSEMBLER_H
#define HEAPPROF_DISASSEMBLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct disassembler;

/* Was this program built with binutils' library?  */
bool disassembler_is_supported (void);

/* Begin with the BYTES at CODE, which are loaded at ADDRESS and must outlive
   the disassembler.  NULL if memory is exhausted, or this is not supported.  */
struct disassembler *disassembler_open (const uint8_t *code, size_t bytes,
					uint64_t address);
void disassembler_close (struct disassembler *disassembler);

/* The size in bytes of the instruction at OFFSET, at least 1, at most what is
   left; what is none has 1.  *LEAVES says whether it is a jump without
   condition, a call or a return.  */
unsigned int disassembler_take (struct disassembler *disassembler,
				size_t offset, bool *leaves);

#endif /* HEAPPROF_DISASSEMBLER_H */
