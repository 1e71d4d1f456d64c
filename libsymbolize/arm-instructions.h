/* Control flow and references of AArch64 instructions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_ARM_INSTRUCTIONS_H
#define HEAPPROF_ARM_INSTRUCTIONS_H

#include "disassembler.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARM_INSTRUCTION_BYTES 4

/* Most bytes of instructions in a veneer.  */
#define ARM_VENEER_BYTES 16

/* Return where the instruction at CODE leads.  */
struct instruction_flow arm_instruction_flow (const uint8_t *code);

/* As disassembler_find_target, for the instruction at CODE.  */
bool arm_instruction_target (const uint8_t *code, uint64_t address,
			     uint64_t *target);

/* Addresses in registers, of pages or of what is on them.  */
struct arm_pages
{
  uint64_t address[32];
  uint32_t known; /* registers whose addresses are known: a bit for each */
};

/* Return true if the instruction at CODE, loaded at ADDRESS, makes or uses the
   address of data: set *TARGET to it.  PAGES has what earlier instructions put
   in registers, and is updated.  */
bool arm_instruction_data (const uint8_t *code, uint64_t address,
			   struct arm_pages *pages, uint64_t *target);

/* Return true if the BYTES at CODE, loaded at ADDRESS, start with a veneer:
   code that linkers insert where a call cannot reach its target.  Set *TARGET
   to where it jumps.  IS_NAMED tells that its symbol is one of a veneer: some
   have only instructions that may be part of any function.  */
bool arm_veneer_target (const uint8_t *code, size_t bytes, uint64_t address,
			bool is_named, uint64_t *target);

/* Return true if the symbol NAME is one that linkers give to veneers.  */
bool arm_veneer_has_name (const char *name);

#endif /* HEAPPROF_ARM_INSTRUCTIONS_H */
