/* Programs and the address space of s390x.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_ADDRESS_SPACE_H
#define HEAPPROF_ADDRESS_SPACE_H

#include <elf.h>

/* Programs of this machine have this number.  */
#define MACHINE_ELF EM_S390

/* Addresses of programs have at most this many bits.  The kernel gives out
   those above 42 bits only to programs that ask for them, or that have used up
   the others, but emulators use all of their own address space.  */
#define MACHINE_ADDRESS_BITS 47

/* They have fewer bits on real machines.  */
#define MACHINE_HAS_FIXED_ADDRESS_BITS 0

/* A page has at least and at most this many bytes.  */
#define MACHINE_LEAST_PAGE_BYTES 4096u
#define MACHINE_MOST_PAGE_BYTES 4096u

#endif /* HEAPPROF_ADDRESS_SPACE_H */
