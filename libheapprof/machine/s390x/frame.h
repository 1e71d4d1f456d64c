/* Frames on the stack, on s390x.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   There are no frame records: a function that calls others saves its caller's
   registers in the 160 bytes that the caller has left for that at its stack
   pointer, each at a place of its own, and only tables tell where the caller's
   stack pointer was.  The CFA is the end of these 160 bytes.  */

#ifndef HEAPPROF_FRAME_H
#define HEAPPROF_FRAME_H

#include <stdbool.h>
#include <stdint.h>

/* What a function that the program called passes on as its frame: the address
   of its caller's frame pointer, %r11, which it has saved, its return address,
   and its CFA.  */
#define MACHINE_FRAME                                                          \
  ((const uintptr_t[]){ ((const uintptr_t *) __builtin_dwarf_cfa ())[-9],      \
			(uintptr_t) __builtin_return_address (0),              \
			(uintptr_t) __builtin_dwarf_cfa () })

/* The distance of a function's frame record from its frame pointer; and of the
   CFA from that record: not used.  */
#define MACHINE_RECORD_AT 0
#define MACHINE_CFA_AT 0

/* True if functions have frame records.  */
#define MACHINE_HAS_FRAME_RECORDS 0

/* The distance of the caller's stack pointer from the CFA.  */
#define MACHINE_SP_AT (-160)

/* DWARF's numbers of the frame pointer, the stack pointer and the return
   address.  */
#define MACHINE_FP 11
#define MACHINE_SP 15
#define MACHINE_RA 14

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

/* Return the address that the word SAVED returns to.  */

static inline uintptr_t
machine_return_address (uintptr_t saved)
{
  return saved;
}

/* In the calling function, where registers that calls preserve are stored from
   this distance to its frame address on: eight floating-point registers, which
   may hold pointers, and above them, in the caller's frame, the others.  */
#define MACHINE_SAVED_REGISTERS (-8 * (intptr_t) sizeof (uintptr_t))

/* True if CODE is an instruction of call frame information that only this
   machine has, and that changes no place.  */
#define MACHINE_IS_CFA_NOP(code) false

#endif /* HEAPPROF_FRAME_H */
