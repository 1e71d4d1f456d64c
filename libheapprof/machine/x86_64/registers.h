/* The registers of stopped threads, on x86-64.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_REGISTERS_H
#define HEAPPROF_REGISTERS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/user.h>

typedef struct user_regs_struct machine_registers;

/* Bytes below the stack pointer that functions may use which call no other.  */
#define MACHINE_RED_ZONE_BYTES 128u

/* Where the C library's control block of a thread points to itself: indexes of
   words.  */
#define MACHINE_CONTROL_SELF 0
#define MACHINE_CONTROL_SELF_TOO 2

static inline uintptr_t
machine_stack_pointer (const machine_registers *registers)
{
  return registers->rsp;
}

/* Return the pointer to a thread's control block.  Machines where it is not in
   these registers define MACHINE_THREAD_POINTER_SET, the number of the set that
   has it.  */

static inline uintptr_t
machine_thread_pointer (const machine_registers *registers)
{
  return registers->fs_base;
}

/* Store the registers that may have a pointer in WORDS; return how many.  */

static inline unsigned
machine_pointers (const machine_registers *registers, uintptr_t *words)
{
  const uintptr_t values[]
    = { registers->rax, registers->rbx, registers->rcx, registers->rdx,
	registers->rsi, registers->rdi, registers->rbp, registers->r8,
	registers->r9,	registers->r10, registers->r11, registers->r12,
	registers->r13, registers->r14, registers->r15 };
  const unsigned count = sizeof values / sizeof values[0];
  for (unsigned i = 0; i < count; i++)
    words[i] = values[i];
  return count;
}

#endif /* HEAPPROF_REGISTERS_H */
