/* The registers of stopped threads, on RISC-V.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_REGISTERS_H
#define HEAPPROF_REGISTERS_H

#include <stddef.h>
#include <stdint.h>

/* As the kernel stores them: pc, then x1 to x31.  */
typedef struct
{
  uintptr_t x[32];
} machine_registers;

/* Bytes below the stack pointer that functions may use which call no other.  */
#define MACHINE_RED_ZONE_BYTES 0u

/* The C library's control block of a thread does not point to itself, so
   MACHINE_CONTROL_SELF is not defined: a stack kept after its thread has ended
   counts as memory of the program.  */

static inline uintptr_t
machine_stack_pointer (const machine_registers *registers)
{
  return registers->x[2];
}

/* Return the pointer to a thread's control block.  */

static inline uintptr_t
machine_thread_pointer (const machine_registers *registers)
{
  return registers->x[4];
}

/* Store the registers that may have a pointer in WORDS; return how many.  */

static inline unsigned
machine_pointers (const machine_registers *registers, uintptr_t *words)
{
  for (unsigned i = 0; i < 31; i++)
    words[i] = registers->x[i + 1];
  return 31;
}

#endif /* HEAPPROF_REGISTERS_H */
