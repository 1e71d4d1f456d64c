/* Probes: places in the program's code where profilers outside the process see
   sampled blocks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   They are those that OpenTelemetry's profiler looks for: of the provider
   otel_memory, alloc (pointer, size, bytes that the block stands for) and free
   (pointer).  A probe is a nop, and a note in the file that says where it is,
   what its arguments are in, and the address of a number: whoever listens
   increments that, and decrements it in the end.  */

#ifndef HEAPPROF_PROBES_H
#define HEAPPROF_PROBES_H

#include <stdbool.h>
#include <stdint.h>

/* How many listen to each probe.  */
extern uint16_t rt_probe_alloc_users __attribute__ ((visibility ("hidden")));
extern uint16_t rt_probe_free_users __attribute__ ((visibility ("hidden")));

/* The probes.  DATA is the program's pointer to a block of SIZE bytes, more
   than 0, that stands for WEIGHTED bytes.  */
void rt_probe_alloc (const void *data, uint64_t size, uint64_t weighted)
  __attribute__ ((visibility ("hidden")));
void rt_probe_free (const void *data) __attribute__ ((visibility ("hidden")));

/* True if anyone listens to the probe with this number of USERS.  */
static inline bool
rt_probe_is_used (const uint16_t *users)
{
  return __builtin_expect (__atomic_load_n (users, __ATOMIC_RELAXED) != 0, 0);
}

#endif /* HEAPPROF_PROBES_H */
