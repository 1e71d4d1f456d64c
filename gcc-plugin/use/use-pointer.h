/* Direct calls of allocation functions beside calls through pointers.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_USE_POINTER_H
#define HEAPPROF_USE_POINTER_H

/* Return the allocation function that CALL, through a pointer, may call by its
   type; NULL if there is none that can get a hint.  */
tree use_pointer_allocator (const gcall *call);

/* Add a direct call of ALLOCATOR, guarded by a comparison, before CALL and
   return it.  Return NULL if CALL may continue in several places, or if its
   result is not used.  */
gcall *use_pointer_promote (gcall *call, tree allocator);

#endif /* HEAPPROF_USE_POINTER_H */
