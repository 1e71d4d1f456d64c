/* Declarations of the symbols that instrumented code refers to (abi.h), and of
   those that mark and configure the library.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_ABI_SYMBOLS_H
#define HEAPPROF_ABI_SYMBOLS_H

#include "heapprof/abi.h"
#include <stddef.h>
#include <stdint.h>

#define RT_PUBLIC __attribute__ ((visibility ("default")))

/* A function that replaces one of the same name.  In an executable the
   program's own definition takes precedence.  Among shared objects the first
   definition is used, weak or not; valgrind intercepts malloc and related
   functions only if they are not weak.  */
#ifdef PIC
#define RT_ENTRY RT_PUBLIC
#else
#define RT_ENTRY RT_PUBLIC __attribute__ ((weak))
#endif

/* Variables rather than aliases: a program may have a copy relocation for
   each, and copies of an alias would diverge.  */
extern uintptr_t __heapprof_shadow_base RT_PUBLIC;
extern uintptr_t __heapprof_window_base RT_PUBLIC;
extern uintptr_t __memprof_shadow_memory_dynamic_address RT_PUBLIC;

extern uintptr_t __heapprof_histogram_base RT_PUBLIC;
extern uintptr_t __heapprof_histogram_mask RT_PUBLIC;

extern const char __heapprof_directory[] RT_PUBLIC;

/* The output folder or name compiled into objects by clang
   -fmemory-profile.  */
extern const char __memprof_profile_filename[]
  __attribute__ ((weak, visibility ("default")));

/* Nonzero if such objects were compiled for histograms, whose counters
   differ.  */
extern const char __memprof_histogram
  __attribute__ ((weak, visibility ("default")));

RT_PUBLIC void __heapprof_init_v1 (void);
RT_PUBLIC void __heapprof_link_with_heapprof_gcc_v1 (void);
RT_PUBLIC void __heapprof_link_with_heapprof_gcc_alloc_v1 (void);
RT_PUBLIC void __heapprof_init_histogram_v1 (void);
RT_PUBLIC void __heapprof_init_totals_v1 (void);
RT_PUBLIC void __heapprof_access_range_histogram (const void *data,
						  size_t size);
RT_PUBLIC void __heapprof_access_range (const void *data, size_t size);
RT_PUBLIC void __heapprof_access_text (const void *a, const void *b,
				       size_t limit, int stop,
				       unsigned operation);
RT_PUBLIC void __heapprof_access_stride (const void *first, ptrdiff_t step,
					 size_t count, size_t weight);
RT_PUBLIC void __heapprof_access_grid (const void *first, ptrdiff_t step,
				       size_t count, size_t weight,
				       ptrdiff_t row_step, size_t rows);

#endif /* HEAPPROF_ABI_SYMBOLS_H */
