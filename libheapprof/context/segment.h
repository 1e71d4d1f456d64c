/* Loaded modules: which addresses belong to which file, over time.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Modules are added to the raw file when the profile starts, and when a context
   has an address outside all known ones.  They are marked as unloaded at
   dlclose, which we replace for that purpose: addresses used again belong to a
   new segment, and to new contexts.  */

#ifndef HEAPPROF_SEGMENT_H
#define HEAPPROF_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

/* Add the loaded modules that are not known yet.  No lock of ours may be held,
   as this takes the dynamic linker's.  */
void rt_segment_scan (void);

/* Add the module of return address ADDRESS, if any, unless it is known.  No
   lock may be held.  */
void rt_segment_notice (uintptr_t address);

/* Return the .eh_frame_hdr of the module that contains return address ADDRESS;
   NULL if there is none.  No lock may be held.  */
const void *rt_segment_unwind_table (uintptr_t address);

/* Register FORGET to be called when a module at [START, END) is unloaded, with
   rt_raw_lock held: another may be loaded there.  At most three functions.  */
void rt_segment_when_gone (void (*forget) (uintptr_t start, uintptr_t end));

/* Find unloaded modules and drop all data about them.  A profile is in
   progress; no lock may be held.  */
void rt_segment_forget_unloaded (void);

/* Number of threads in dlclose, up to the point where the unloaded modules are
   dropped.  */
extern uint32_t rt_segment_closing __attribute__ ((visibility ("hidden")));

/* Called before an allocation while that is nonzero: do the same if a module
   was loaded or unloaded.  */
void rt_segment_check (void);

/* Around a fork: keep threads from being inside the dynamic linker on our
   behalf, as its lock would stay locked in the child.  */
void rt_segment_before_fork (void);
void rt_segment_after_fork (bool is_child);

/* True if the loaded modules do not overlap.  With --enable-checking.  */
bool rt_segment_is_valid (void);

#endif /* HEAPPROF_SEGMENT_H */
