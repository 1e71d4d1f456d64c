/* Selection of this process's backend.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Made by the first hint that selects cold or hot memory.  */

#ifndef HEAPPROF_SELECT_H
#define HEAPPROF_SELECT_H

#include "backend.h"

/* Forms of operator delete.  The corresponding operators new can follow hints
   if this form's blocks return to the backend.  */
enum hint_operator
{
  HINT_OPERATOR,       /* delete */
  HINT_OPERATOR_ARRAY, /* delete[] */
  HINT_OPERATOR_ALIGNED,
  HINT_OPERATOR_ALIGNED_ARRAY,
  HINT_OPERATORS
};

struct hint_choice
{
  const struct hint_backend *backend; /* NULL: hints are ignored */
  bool for_operator[HINT_OPERATORS];
};

/* NULL until the selection is complete.  */
extern const struct hint_choice *hint_chosen HINT_PRIVATE;

/* True for operators that the pools serve; false before the selection.  */
extern bool hint_pools_serve[HINT_OPERATORS] HINT_PRIVATE;

/* True if hot blocks come from the program's malloc, as with other allocators:
   most blocks of a program are hot, and nothing is faster than its usual way.
 */
extern bool hint_hot_is_plain HINT_PRIVATE;

/* True if, moreover, its realloc and operators new do not look at the context
   token: the allocator comes before this library.  Set before hint_chosen.  */
extern bool hint_hot_is_passed HINT_PRIVATE;

/* True if blocks of POOL come from the program's malloc, as far as is known
   before the selection.  */
static inline bool
hint_is_plain (unsigned pool)
{
  return hint_pool_kind (pool) == HINT_HOT
	 && __atomic_load_n (&hint_hot_is_plain, __ATOMIC_RELAXED);
}

/* Make the selection; while another thread does so, hints are ignored.  */
const struct hint_choice *hint_choose (void);

static inline const struct hint_choice *
hint_choice (void)
{
  const struct hint_choice *const choice
    = __atomic_load_n (&hint_chosen, __ATOMIC_ACQUIRE);
  return __builtin_expect (choice != NULL, true) ? choice : hint_choose ();
}

static inline bool
hint_is_chosen (void)
{
  return __atomic_load_n (&hint_chosen, __ATOMIC_ACQUIRE) != NULL;
}

/* Allocate by the backend, as its function does; NULL if there is none.  */
void *hint_allocate (unsigned pool, size_t size, size_t alignment, bool zeroed);

/* True if the sized operator delete of FORM may release by free: it is the C++
   library's, like the operators that it calls, or there is none; and no tool
   tells operator delete from free.  */
bool hint_sized_delete_frees (enum hint_operator form);

/* hint_range_bytes if the pools are in use and that is true, otherwise 0.  */
extern size_t hint_deletes_range[HINT_OPERATORS] HINT_PRIVATE;

/* Backends of other allocators; NULL if the program's malloc is not theirs.  */
const struct hint_backend *hint_jemalloc_backend (void);
const struct hint_backend *hint_mimalloc_backend (void);

#endif /* HEAPPROF_SELECT_H */
