/* Which allocator stands behind the hints of this process.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Chosen by the first hint that asks for cold or hot memory.  */

#ifndef HEAPPROF_SELECT_H
#define HEAPPROF_SELECT_H

#include "backend.h"

/* Forms of operator delete; a form's operators new can follow hints when the
   blocks that it releases come to the backend.  */
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
  const struct hint_backend *backend; /* NULL: hints are not followed */
  bool for_operator[HINT_OPERATORS];
};

/* NULL until the choice was made.  */
extern const struct hint_choice *hint_chosen;

/* Choose; while another thread does so, hints are not followed.  */
const struct hint_choice *hint_choose (void);

static inline const struct hint_choice *
hint_choice (void)
{
  const struct hint_choice *const choice
    = __atomic_load_n (&hint_chosen, __ATOMIC_ACQUIRE);
  return __builtin_expect (choice != NULL, true) ? choice : hint_choose ();
}

/* The backends that are other allocators; NULL if the program's malloc is not
   theirs.  */
const struct hint_backend *hint_jemalloc_backend (void);
const struct hint_backend *hint_mimalloc_backend (void);

#endif /* HEAPPROF_SELECT_H */
