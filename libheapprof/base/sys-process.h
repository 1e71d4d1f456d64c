/* The operating system: helper processes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   They are invisible to the program: no handler of forks runs, the program gets
   no signal when one ends, its own calls of wait do not find it, and a debugger
   does not follow it.  Functions return a negative errno on failure.  */

#ifndef HEAPPROF_SYS_PROCESS_H
#define HEAPPROF_SYS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Map BYTES zero bytes that helpers share with this process; NULL on
   failure.  */
void *sys_map_shared (size_t bytes);

/* Set the mask of blocked signals to SET; return the one before.  */
uint64_t sys_swap_signals (uint64_t set);

/* Create a helper with a copy of this process's memory, and this thread only.
   Return 0 in it.  */
pid_t sys_fork_helper (void);

/* The same in a process that shares this one's memory: the new helper is the
   child of the latter.  */
pid_t sys_fork_helper_beside (void);

/* Call FUNCTION with DATA in a process that shares this one's memory, while the
   calling thread waits.  It must not use what belongs to a thread, such as
   errno.  If it returns in a helper that it has created, return 0 there;
   otherwise the process's ID, or a negative errno.  */
pid_t sys_share_and_wait (void (*function) (void *data), void *data);

/* Let any process of this user trace this one, or not any more, where the
   kernel restricts that to its ancestors.  Return true if something changed. */
bool sys_allow_tracing (bool is_allowed);

/* Call VISIT with the ID of each thread of PROCESS.  */
int sys_visit_threads (pid_t process, void (*visit) (pid_t thread, void *data),
		       void *data);

/* Trace THREAD and interrupt it; wait for a stop, without blocking: return 1
   and set *STATUS, or 0; read its registers of SET, at most BYTES, into DATA;
   let it continue with SIGNAL.  -ESRCH: it has ended.  */
#define SYS_GENERAL_REGISTERS 1
int sys_trace_seize (pid_t thread);
int sys_trace_wait (pid_t thread, int *status);
int sys_trace_registers (pid_t thread, int set, void *data, size_t bytes);
void sys_trace_end (pid_t thread, int signal);

void sys_sleep_us (unsigned microseconds);

/* In a helper: end with PARENT, leave no core file.  */
void sys_become_helper (pid_t parent);

/* Wait for the end of HELPER.  Return its wait status.  */
int sys_wait_for_helper (pid_t helper);

#endif /* HEAPPROF_SYS_PROCESS_H */
