/* Loaded modules: which addresses belong to which file, over time.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Modules come into the raw file when the profile begins, and when a context
   has an address that is in none of them.  They leave it at dlclose, which we
   replace for that: addresses used again belong to a new segment, and to new
   contexts.  */

#ifndef HEAPPROF_SEGMENT_H
#define HEAPPROF_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

/* Add the modules that are loaded and not known.  No lock of ours is held: the
   dynamic linker's is taken.  */
void rt_segment_scan (void);

/* See to it that the module of return address ADDRESS is known, if any.  No
   lock is held.  */
void rt_segment_notice (uintptr_t address);

/* The .eh_frame_hdr of the module that return address ADDRESS is in; NULL if
   there is none.  No lock is held.  */
const void *rt_segment_unwind_table (uintptr_t address);

/* Have FORGET called when a module at [START, END) is gone, with rt_raw_lock
   held: another may come there.  Twice at most.  */
void rt_segment_when_gone (void (*forget) (uintptr_t start, uintptr_t end));

/* Find out which modules are gone, and have all about them forgotten.  A
   profile is being taken; no lock is held.  */
void rt_segment_forget_unloaded (void);

/* Threads in dlclose, until what they unloaded is forgotten.  */
extern uint32_t rt_segment_closing __attribute__ ((visibility ("hidden")));

/* Before an allocation while that is not 0: the same, if a module has come or
   gone.  */
void rt_segment_check (void);

/* Around a fork: no thread is inside the dynamic linker on our behalf
   meanwhile, or its lock would stay locked in the child.  */
void rt_segment_before_fork (void);
void rt_segment_after_fork (bool is_child);

/* Are the modules that are loaded apart from each other?  With
   --enable-checking.  */
bool rt_segment_is_valid (void);

#endif /* HEAPPROF_SEGMENT_H */
