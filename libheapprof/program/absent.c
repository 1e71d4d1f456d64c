/* Placeholder for the run-time library: one undefined symbol that names the
   missing option.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The wrappers link with this if a profile is used and no code is meant to
   count.  An object that does count pulls it from its archive, and the link
   fails with a single error, since all other symbols that such an object needs
   are defined here.  None of this code ever runs.  */

#include "heapprof/abi.h"

#define RT_PUBLIC __attribute__ ((visibility ("default")))

extern const char missing __asm__(HEAPPROF_SYMBOL_GENERATE);
RT_PUBLIC extern const char *const __heapprof_absent;
const char *const __heapprof_absent = &missing;

/* A variable or function that objects of gcc or clang refer to.  */
#define PRESENT(name)                                                          \
  RT_PUBLIC extern const char name;                                            \
  const char name = 0;

PRESENT (__heapprof_link_with_heapprof_gcc_v1)
PRESENT (__heapprof_link_with_heapprof_gcc_alloc_v1)
PRESENT (__heapprof_init_v1)
PRESENT (__heapprof_init_histogram_v1)
PRESENT (__heapprof_init_totals_v1)
PRESENT (__heapprof_shadow_base)
PRESENT (__heapprof_window_base)
PRESENT (__heapprof_histogram_base)
PRESENT (__heapprof_histogram_mask)
PRESENT (__heapprof_access_range)
PRESENT (__heapprof_access_range_histogram)
PRESENT (__heapprof_access_text)
PRESENT (__heapprof_access_stride)
PRESENT (__heapprof_access_grid)
PRESENT (__memprof_init)
PRESENT (__memprof_version_mismatch_check_v1)
PRESENT (__memprof_shadow_memory_dynamic_address)
PRESENT (__memprof_load)
PRESENT (__memprof_store)
PRESENT (__memprof_hist_load)
PRESENT (__memprof_hist_store)
PRESENT (__memprof_memcpy)
PRESENT (__memprof_memmove)
PRESENT (__memprof_memset)
PRESENT (__memprof_record_access)
PRESENT (__memprof_record_access_range)
