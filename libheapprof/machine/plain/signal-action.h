/* How the kernel is told of a signal handler.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_SIGNAL_ACTION_H
#define HEAPPROF_SIGNAL_ACTION_H

#include <stdint.h>

/* The kernel's struct sigaction.  */
struct machine_signal_action
{
  void (*handler) (int);
  unsigned long flags;
  void (*restorer) (void);
  uint64_t mask;
};

/* A flag that the program must not see.  */
#define MACHINE_RESTORER_FLAG 0ul

/* Set what a signal handler returns to: the kernel knows.  */

static inline void
machine_set_restorer (struct machine_signal_action *action)
{
  (void) action;
}

#endif /* HEAPPROF_SIGNAL_ACTION_H */
