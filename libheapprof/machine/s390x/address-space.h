/* Programs and the address space of s390x.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_ADDRESS_SPACE_H
#define HEAPPROF_ADDRESS_SPACE_H

#include <elf.h>

/* Programs of this machine have this number.  */
#define MACHINE_ELF EM_S390

/* Addresses of programs have at most this many bits.  The kernel gives out
   larger ones only to those who ask for them, or who have used up these.  */
#define MACHINE_ADDRESS_BITS 42

/* Emulators have fewer.  */
#define MACHINE_HAS_FIXED_ADDRESS_BITS 0

/* A page has at least and at most this many bytes.  */
#define MACHINE_LEAST_PAGE_BYTES 4096u
#define MACHINE_MOST_PAGE_BYTES 4096u

#endif /* HEAPPROF_ADDRESS_SPACE_H */
