/* Frames on the stack, on AArch64.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A frame record is a frame pointer and the return address above it.  It is at
   the frame pointer, but anywhere in the function's frame, so the caller's
   stack pointer does not follow from it.  */

#ifndef HEAPPROF_FRAME_H
#define HEAPPROF_FRAME_H

#include <stdbool.h>
#include <stdint.h>

/* What a function that the program called passes on as its frame: the address
   of a copy of its frame record, followed by its CFA.  */
#define MACHINE_FRAME                                                          \
  ((const uintptr_t[]){ *(const uintptr_t *) __builtin_frame_address (0),      \
			(uintptr_t) __builtin_return_address (0),              \
			(uintptr_t) __builtin_dwarf_cfa () })

/* The distance of a function's frame record from its frame pointer; and of the
   CFA from that record.  It is at
   least this, and exactly this if the frame has nothing else.  */
#define MACHINE_RECORD_AT 0
#define MACHINE_CFA_AT 16

/* True if functions have frame records.  */
#define MACHINE_HAS_FRAME_RECORDS 1

/* The distance of the caller's stack pointer from the CFA.  */
#define MACHINE_SP_AT 0

/* DWARF's numbers of the frame pointer, the stack pointer and the return
   address.  */
#define MACHINE_FP 29
#define MACHINE_SP 31
#define MACHINE_RA 30

/* True if the CFA is at the end of the frame record in functions that have
   one; and if the return address always is in the word below the CFA.  */
#define MACHINE_HAS_STANDARD_FRAMES 0
#define MACHINE_HAS_FIXED_RA 0

/* Return the CFA of the function that passed on FRAME.  */

static inline uintptr_t
machine_cfa (uintptr_t frame)
{
  return ((const uintptr_t *) frame)[2];
}

/* Return the address that the word SAVED returns to: without the signature that
   functions compiled with -mbranch-protection=pac-ret add in the upper bits.
   Processors without signatures take the instruction, xpaclri, for a nop.  */

static inline uintptr_t
machine_return_address (uintptr_t saved)
{
  register uintptr_t link __asm__("x30") = saved;
  __asm__("hint	#7" : "+r"(link));
  return link;
}

/* In the calling function, where registers that calls preserve are stored from
   this distance to its frame pointer on: above the frame record.  */
#define MACHINE_SAVED_REGISTERS 0

/* True if CODE is an instruction of call frame information that only this
   machine has, and that changes no place: return addresses are signed from here
   on, or no longer.  */
#define MACHINE_IS_CFA_NOP(code) ((code) == 0x2d)

#endif /* HEAPPROF_FRAME_H */
