/* Trees for the symbols of the run-time library that instrumented code uses.
   SPDX-License-Identifier: GPL-3.0-or-later

   All are made at first use, after the front end has finished: no front end
   sees them, and none except initialisers and guards is streamed into LTO
   objects.  */

#ifndef HEAPPROF_RUNTIME_DECLS_H
#define HEAPPROF_RUNTIME_DECLS_H

/* Build an external, public declaration of the symbol NAME, which is defined
   elsewhere; CODE is FUNCTION_DECL or VAR_DECL.  */
tree runtime_external_decl (tree_code code, const char *name, tree type);

/* uintptr_t __heapprof_shadow_base: the start of the counters.  */
tree shadow_base_decl (void);

/* uintptr_t: the start of the histogram counters, and the mask of the address
   bits that select one.  */
tree histogram_base_decl (void);
tree histogram_mask_decl (void);

/* void __heapprof_access_range (const void *, size_t), or its form for
   histograms.  */
tree access_range_decl (void);

/* void __heapprof_access_text (const void *, const void *, size_t, int,
   unsigned).  */
tree access_text_decl (void);

/* void __heapprof_access_stride (const void *, ptrdiff_t, size_t, size_t).  */
tree access_stride_decl (void);
tree access_grid_decl (void);

/* The type of a counter: an unsigned integer with an alias set of its own, so
   that counters do not block optimization of the program's loads and stores.
   SSA names that hold the value of a counter have the type sizetype
   instead.  */
tree counter_type (void);
tree counter_pointer_type (void);

/* void __heapprof_init_v1 (void), or the initialiser for histograms; weak.  */
tree init_function_decl (void);

/* volatile char NAME, which no other module can define.  */
tree guard_decl (const char *name);

/* Register the trees above with the garbage collector.  */
void runtime_decls_register_roots (const char *plugin_name);

#endif /* HEAPPROF_RUNTIME_DECLS_H */
