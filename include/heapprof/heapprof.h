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

  /* Write the profile as it is now, live blocks included, to a snapshot file
     next to the running profile: FILE.1, FILE.2 and so on.  Profiling continues
     and the running profile is not affected.  Return 0, or -1 if the file could
     not be written or this program is not being profiled.  Not for use in
     signal handlers; use the option signal=N instead.  */
  int heapprof_dump (void);

  /* Discard all observations made so far: blocks already freed are no longer
     counted, and blocks that are live now are ignored when they are freed.
     Return 0, or -1 if this program is not being profiled.  */
  int heapprof_reset (void);

  /* Set a mark: record which blocks are live now, under the name LABEL, of
     which the first 63 bytes are kept.  A label may be used several times; its
     marks are added up.  Return 0, or -1 if there is no space for the mark, or
     this program is not being profiled.  Not for use in signal handlers; use
     the option mark=N instead.  */
  int heapprof_mark (const char *label);

  /* Find the blocks that are live but lost: to which no pointer of the program
     leads.  They are recorded in the profile, for show --at=lost of a running
     program; the next search, or that at the end, replaces them.  Other threads
     stop for a moment, the calling one waits.  Return the number of lost
     blocks, or -1 if they could not be determined or this program is not being
     profiled.  Not for use in signal handlers.  */
  long heapprof_find_leaks (void);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_HEAPPROF_H */
