/* All living processes that this process has started, and their children.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PROCESS_TREE_H
#define HEAPPROF_PROCESS_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Adopt processes whose parents end, so that none is lost.  */
void process_tree_start (void);

/* Return the CPU time in nanoseconds that the processes and the children that
   they have waited for have used.  */
double process_tree_cpu_ns (void);

/* Mark the pages of all processes as not referenced.  Return false if the
   kernel does not allow this.  */
bool process_tree_clear_references (void);

/* Store in *BYTES how much memory without a file, such as heap and stacks, was
   referenced since then, adding up the processes.  Return false if the kernel
   does not tell.  */
bool process_tree_referenced (uint64_t *bytes);

/* Send SIGNAL_NUMBER to all processes.  */
void process_tree_kill (int signal_number);

/* Return one of the processes; 0 if there is none.  */
pid_t process_tree_first (void);

#endif /* HEAPPROF_PROCESS_TREE_H */
