/* Frames on the stack, on RISC-V.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A frame record is a frame pointer and the return address above it.  It is
   below the frame pointer, which is where the caller's frame starts.  */

#ifndef HEAPPROF_FRAME_H
#define HEAPPROF_FRAME_H

#include <stdbool.h>
#include <stdint.h>

/* What a function that the program called passes on as its frame: the address
   of its frame record.  */
#define MACHINE_FRAME                                                          \
  ((const void *) ((const char *) __builtin_frame_address (0)                  \
		   + MACHINE_RECORD_AT))

/* The distance of a function's frame record from its frame pointer; and of the
   CFA from that record.  */
#define MACHINE_RECORD_AT (-16)
#define MACHINE_CFA_AT 16

/* True if functions have frame records.  */
#define MACHINE_HAS_FRAME_RECORDS 1

/* The distance of the caller's stack pointer from the CFA.  */
#define MACHINE_SP_AT 0

/* DWARF's numbers of the frame pointer, the stack pointer and the return
   address.  */
#define MACHINE_FP 8
#define MACHINE_SP 2
#define MACHINE_RA 1

/* True if the CFA is at the end of the frame record in functions that have
   one; and if the return address always is in the word below the CFA.  It is
   not in functions with a variable number of arguments.  */
#define MACHINE_HAS_STANDARD_FRAMES 1
#define MACHINE_HAS_FIXED_RA 0

/* Return the CFA of the function that passed on FRAME.  */

static inline uintptr_t
machine_cfa (uintptr_t frame)
{
  return frame + MACHINE_CFA_AT;
}

/* Return the address that the word SAVED returns to.  */

static inline uintptr_t
machine_return_address (uintptr_t saved)
{
  return saved;
}

/* In the calling function, where registers that calls preserve are stored from
   this distance to its frame pointer on: the return address, and twelve s and
   twelve fs registers.  */
#define MACHINE_SAVED_REGISTERS (-25 * (intptr_t) sizeof (uintptr_t))

/* True if CODE is an instruction of call frame information that only this
   machine has, and that changes no place.  */
#define MACHINE_IS_CFA_NOP(code) false

#endif /* HEAPPROF_FRAME_H */
