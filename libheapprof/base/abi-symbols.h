/* Declarations of the symbols that instrumented code refers to (abi.h), and of
   those that mark and configure the library.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_ABI_SYMBOLS_H
#define HEAPPROF_ABI_SYMBOLS_H

#include "heapprof/abi.h"
#include <stddef.h>
#include <stdint.h>

#define RT_PUBLIC __attribute__ ((visibility ("default")))

/* A function in place of one that the program knows.  In an executable the
   program's own comes first.  Among shared objects the first one is taken, weak
   or not; valgrind puts its malloc and the like in place of those that are
   not.  */
#ifdef PIC
#define RT_ENTRY RT_PUBLIC
#else
#define RT_ENTRY RT_PUBLIC __attribute__ ((weak))
#endif

/* Two variables, not one with two names: a program may take a copy of each
   (copy relocations), and copies of an alias would part.  */
extern uintptr_t __heapprof_shadow_base RT_PUBLIC;
extern uintptr_t __memprof_shadow_memory_dynamic_address RT_PUBLIC;

extern uintptr_t __heapprof_histogram_base RT_PUBLIC;
extern uintptr_t __heapprof_histogram_mask RT_PUBLIC;

extern const char __heapprof_directory[] RT_PUBLIC;

/* Output name in objects made by clang -fmemory-profile.  */
extern const char __memprof_profile_filename[]
  __attribute__ ((weak, visibility ("default")));

/* Not 0 if such objects were made for histograms: their counters are others. */
extern const char __memprof_histogram
  __attribute__ ((weak, visibility ("default")));

RT_PUBLIC void __heapprof_init_v1 (void);
RT_PUBLIC void __heapprof_link_with_heapprof_gcc_v1 (void);
RT_PUBLIC void __heapprof_init_histogram_v1 (void);
RT_PUBLIC void __heapprof_access_range_histogram (const void *data,
						  size_t size);
RT_PUBLIC void __heapprof_access_range (const void *data, size_t size);
RT_PUBLIC void __heapprof_access_stride (const void *first, ptrdiff_t step,
					 size_t count, size_t weight);
RT_PUBLIC void __heapprof_access_grid (const void *first, ptrdiff_t step,
				       size_t count, size_t weight,
				       ptrdiff_t row_step, size_t rows);

#endif /* HEAPPROF_ABI_SYMBOLS_H */
