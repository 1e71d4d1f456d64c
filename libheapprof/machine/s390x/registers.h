/* The registers of stopped threads, on s390x.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_REGISTERS_H
#define HEAPPROF_REGISTERS_H

#include <stddef.h>
#include <stdint.h>

/* As the kernel stores them.  */
typedef struct
{
  uint64_t state[2];
  uintptr_t general[16];
  uint32_t access[16];
  uint64_t first_argument; /* of a system call */
} machine_registers;

/* Bytes below the stack pointer that functions may use which call no other.  */
#define MACHINE_RED_ZONE_BYTES 0u

/* Where the C library's control block of a thread points to itself: indexes of
   words.  */
#define MACHINE_CONTROL_SELF 0
#define MACHINE_CONTROL_SELF_TOO 2

static inline uintptr_t
machine_stack_pointer (const machine_registers *registers)
{
  return registers->general[15];
}

/* Return the pointer to a thread's control block, which is in two halves.  */

static inline uintptr_t
machine_thread_pointer (const machine_registers *registers)
{
  return (uintptr_t) registers->access[0] << 32 | registers->access[1];
}

/* Store the registers that may have a pointer in WORDS; return how many.  */

static inline unsigned
machine_pointers (const machine_registers *registers, uintptr_t *words)
{
  const unsigned count = 16;
  for (unsigned i = 0; i < count; i++)
    words[i] = registers->general[i];
  return count;
}

#endif /* HEAPPROF_REGISTERS_H */
