/* Public run-time interface of libheapprof.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A program need not call any of this: its profile is written while it runs
   and completed when it exits.  */

#ifndef HEAPPROF_HEAPPROF_H
#define HEAPPROF_HEAPPROF_H

#ifdef __cplusplus
extern "C"
{
#endif

  /* Write the profile as it stands now, live blocks included, to a snapshot
     file beside the running profile: FILE.1, FILE.2 and so on.  Profiling goes
     on and the running profile is not affected.  Return 0, or -1 if the file
     could not be written or this program is not being profiled.  Not for use in
     signal handlers; the option signal=N does the same safely.  */
  int heapprof_dump (void);

  /* Forget all observations made so far: what was freed is no longer counted,
     and blocks that are live now are ignored when they are freed.  Return 0, or
     -1 if this program is not being profiled.  */
  int heapprof_reset (void);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_HEAPPROF_H */
