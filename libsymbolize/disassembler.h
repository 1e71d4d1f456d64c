/* Sizes, control flow and references of machine instructions.
   SPDX-License-Identifier: GPL-3.0-or-later

   Machines have their numbers of elf.h: EM_X86_64, EM_AARCH64.  */

#ifndef HEAPPROF_DISASSEMBLER_H
#define HEAPPROF_DISASSEMBLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct disassembler;

/* Where an instruction leads.  */
struct instruction_flow
{
  bool leaves; /* an unconditional jump, a call or a return */
  bool returns;
  bool calls;
};

/* Return why instructions of MACHINE cannot be disassembled; NULL if they
   can.  */
const char *disassembler_problem (unsigned int machine);

/* Create a disassembler for the BYTES at CODE, of MACHINE, which are loaded at
   ADDRESS and must outlive it.  NULL if memory is exhausted, or the machine has
   a problem.  */
struct disassembler *disassembler_open (unsigned int machine,
					const uint8_t *code, size_t bytes,
					uint64_t address);
void disassembler_close (struct disassembler *disassembler);

/* Return the size in bytes of the instruction at OFFSET, at least 1, at most
   what is left; if it is invalid, the size of the shortest.  Set *FLOW.  */
unsigned int disassembler_take (struct disassembler *disassembler,
				size_t offset, struct instruction_flow *flow);

/* Return true if the instruction of SIZE bytes at CODE, of MACHINE, loaded at
   ADDRESS, is a call or unconditional jump to a fixed address: set *TARGET to
   it.  */
bool disassembler_find_target (unsigned int machine, const uint8_t *code,
			       unsigned int size, uint64_t address,
			       uint64_t *target);

/* Most addresses that one instruction refers to.  */
#define DISASSEMBLER_REFERENCES 8

/* Addresses in an instruction, or what may be some.  */
struct instruction_references
{
  uint64_t addresses[DISASSEMBLER_REFERENCES];
  unsigned int count;
};

/* As disassembler_take, but set *REFERENCES to the addresses of data, and of
   other places, that the instruction refers to.  If CODE_IS_FIXED, the code is
   not position-independent, and every number in an instruction may be an
   address.  On AArch64, where two instructions make an address, all
   instructions of a function must be taken in turn.  */
unsigned int
disassembler_take_references (struct disassembler *disassembler, size_t offset,
			      bool code_is_fixed,
			      struct instruction_references *references);

#endif /* HEAPPROF_DISASSEMBLER_H */
