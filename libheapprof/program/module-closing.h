/* Unloading a module.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Addresses of unloaded modules may be reused: see segment.h.  */

#ifndef HEAPPROF_MODULE_CLOSING_H
#define HEAPPROF_MODULE_CLOSING_H

#include "gate.h"
#include "segment.h"
#include "thread.h"

/* Return ORIGINAL (HANDLE), where ORIGINAL is dlclose.  Not inside the
   library.  */
static inline int
rt_close_module (int (*original) (void *), void *handle)
{
  __atomic_fetch_add (&rt_segment_closing, 1, __ATOMIC_SEQ_CST);
  const int result = original (handle);
  rt_enter ();
  if (rt_gate_is_open ())
    rt_segment_forget_unloaded ();
  __atomic_fetch_sub (&rt_segment_closing, 1, __ATOMIC_SEQ_CST);
  rt_leave ();
  return result;
}

#endif /* HEAPPROF_MODULE_CLOSING_H */
