/* Functions of the program that allocate for their callers.
   SPDX-License-Identifier: GPL-3.0-or-later

   A wrapper returns what an allocation function, or another wrapper, returned,
   perhaps after adding a header to the block: xmalloc, zmalloc, an operator new
   of the program.  Its callers know more about the blocks than the allocation
   itself, so contexts are best separated at them.  */

#ifndef HEAPPROF_ALLOCATION_WRAPPER_H
#define HEAPPROF_ALLOCATION_WRAPPER_H

/* How a function is known to be a wrapper.  */
enum wrapper_kind
{
  WRAPPER_NONE,
  WRAPPER_NAMED,	/* by the user */
  WRAPPER_ATTRIBUTE,	/* by the attribute malloc */
  WRAPPER_RETURNS_BLOCK /* by its code */
};

/* True if the user named the function DECL: -fplugin-arg-heapprof-wrapper.  */
bool allocation_wrapper_named_p (const_tree decl);

/* Find the wrappers among the functions of this unit that have bodies.  Copies
   of a function, and objects for LTO, know what was found.  */
void allocation_wrappers_find (void);

/* Return how the function DECL of this unit or link is known.  */
wrapper_kind allocation_wrapper_kind (const_tree decl);

/* Return a word for KIND, which is not WRAPPER_NONE: "named" ...  */
const char *allocation_wrapper_kind_name (wrapper_kind kind);

#endif /* HEAPPROF_ALLOCATION_WRAPPER_H */
