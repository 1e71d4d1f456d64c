/* Control flow of x86-64 instructions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_X86_INSTRUCTIONS_H
#define HEAPPROF_X86_INSTRUCTIONS_H

#include "disassembler.h"
#include <stdbool.h>
#include <stdint.h>

/* Return where the instruction of SIZE bytes at CODE leads.  */
struct instruction_flow x86_instruction_flow (const uint8_t *code,
					      unsigned int size);

/* As disassembler_find_target.  */
bool x86_instruction_target (const uint8_t *code, unsigned int size,
			     uint64_t address, uint64_t *target);

#endif /* HEAPPROF_X86_INSTRUCTIONS_H */
