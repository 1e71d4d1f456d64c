/* Trees for what instrumented code uses of the run-time library.
   SPDX-License-Identifier: GPL-3.0-or-later

   All are made at first use, when the front end has long finished: no front
   end sees them, and none of them is streamed into LTO objects but for
   initialiser and guards.  */

#ifndef HEAPPROF_RUNTIME_DECLS_H
#define HEAPPROF_RUNTIME_DECLS_H

/* uintptr_t __heapprof_shadow_base: where the counters begin.  */
tree shadow_base_decl (void);

/* uintptr_t: where the counters of histograms begin, and which bits of
   addresses they are found by.  */
tree histogram_base_decl (void);
tree histogram_mask_decl (void);

/* void __heapprof_access_range (const void *, size_t), or its form for
   histograms.  */
tree access_range_decl (void);

/* void __heapprof_access_stride (const void *, ptrdiff_t, size_t, size_t).  */
tree access_stride_decl (void);
tree access_grid_decl (void);

/* The type of a counter.  It is an unsigned integer whose alias set nothing
   else has, so that counters do not get in the way of the program's own loads
   and stores; SSA names that hold the value of a counter have the type
   sizetype instead.  */
tree counter_type (void);
tree counter_pointer_type (void);

/* void __heapprof_init_v1 (void), or that of histograms, weak.  */
tree init_function_decl (void);

/* volatile char NAME, which no other module can define.  */
tree guard_decl (const char *name);

/* Let the garbage collector know of the trees above.  */
void runtime_decls_register_roots (const char *plugin_name);

#endif /* HEAPPROF_RUNTIME_DECLS_H */
