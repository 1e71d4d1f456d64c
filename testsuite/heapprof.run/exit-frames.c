/* A program for several machines that exits with a pointer in a register, above
   pointers that a function has left on the stack.
   SPDX-License-Identifier: GPL-3.0-or-later

   Prints the address of the block, of the last of these pointers, and of a
   variable of the function that calls exit.  */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static __attribute__ ((noinline)) uintptr_t
stain (uintptr_t secret)
{
  volatile uintptr_t stains[1024];
  for (int i = 0; i < 1024; i++)
    stains[i] = ~secret;
  return (uintptr_t) &stains[1023];
}

int
main (void)
{
  volatile char local[16] = { 0 };
  const uintptr_t secret = ~(uintptr_t) malloc (100);
  setvbuf (stdout, NULL, _IONBF, 0);
  printf ("%lx ", (unsigned long) ~secret);
  printf ("%lx ", (unsigned long) stain (secret));
  printf ("%lx\n", (unsigned long) (uintptr_t) local);
  stain (secret);
#if defined __x86_64__
  __asm__ volatile("mov %0, %%r13\n\tnot %%r13\n\txor %%edi, %%edi\n\t"
		   "and $-16, %%rsp\n\tcall exit@PLT"
		   :
		   : "r"(secret)
		   : "r13", "rdi", "memory");
#elif defined __aarch64__
  __asm__ volatile("mvn x24, %0\n\tmov x0, #0\n\tbl exit"
		   :
		   : "r"(secret)
		   : "x24", "x0", "memory");
#elif defined __riscv
  __asm__ volatile("not s5, %0\n\tli a0, 0\n\tcall exit"
		   :
		   : "r"(secret)
		   : "s5", "a0", "memory");
#elif defined __s390x__
  __asm__ volatile("lgr %%r8, %0\n\txihf %%r8, 4294967295\n\t"
		   "xilf %%r8, 4294967295\n\tlghi %%r2, 0\n\t"
		   "brasl %%r14, exit@PLT"
		   :
		   : "r"(secret)
		   : "r8", "r2", "memory");
#endif
  return local[0];
}
