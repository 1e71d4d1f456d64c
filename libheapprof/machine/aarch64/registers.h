/* The registers of stopped threads, on AArch64.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_REGISTERS_H
#define HEAPPROF_REGISTERS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/user.h>

typedef struct user_regs_struct machine_registers;

/* Bytes below the stack pointer that functions may use which call no other.  */
#define MACHINE_RED_ZONE_BYTES 0u

/* The C library's control block of a thread does not point to itself, so
   MACHINE_CONTROL_SELF is not defined: a stack kept after its thread has ended
   counts as memory of the program.  */

/* The set of registers that has the pointer to a thread's control block:
   NT_ARM_TLS.  */
#define MACHINE_THREAD_POINTER_SET 0x401

static inline uintptr_t
machine_stack_pointer (const machine_registers *registers)
{
  return registers->sp;
}

/* Store the registers that may have a pointer in WORDS; return how many.  */

static inline unsigned
machine_pointers (const machine_registers *registers, uintptr_t *words)
{
  const unsigned count = sizeof registers->regs / sizeof registers->regs[0];
  for (unsigned i = 0; i < count; i++)
    words[i] = registers->regs[i];
  return count;
}

#endif /* HEAPPROF_REGISTERS_H */
