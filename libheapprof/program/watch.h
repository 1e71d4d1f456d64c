/* Estimates of accesses by code that does not count them: watched samples.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   With each sample, the thread that allocates it chooses some of the live
   samples at random, also others' and the new one, and in each a word; until
   its next sample, the processor counts the thread's accesses to these.  A word
   that is one of W in a block that is one of N stands for N * W words; so with
   P watchpoints, each access adds N * W / P to the block's counters, and the
   sums are right on average.  */

#ifndef HEAPPROF_WATCH_H
#define HEAPPROF_WATCH_H

#include "block.h"
#include <stdbool.h>

extern bool rt_watch_is_on __attribute__ ((visibility ("hidden")));

/* Begin as the options say, at the start of the library.  */
void rt_watch_start (void);

/* The program's own code counts: end it, with a message, if it has begun.  */
void rt_watch_refuse (void);

/* DATA is a new sample that the calling thread is about to use; or one that is
   about to be released, or copied.  */
void rt_watch_add (void *data);
void rt_watch_remove (void *data);

/* The release of BLOCK was deferred until the library's current call ends.  */
void rt_watch_remove_late (const struct rt_block *block);

/* The calling thread ends.  */
void rt_watch_thread_end (void);

/* Add all that was seen to the blocks' counters, and watch no more.  */
void rt_watch_stop (void);

/* Around a fork; and this process is a child, which did not watch anything
   yet.  */
void rt_watch_lock (void);
void rt_watch_unlock (void);
void rt_watch_become_child (void);

#endif /* HEAPPROF_WATCH_H */
