/* The order in which variants run.
   SPDX-License-Identifier: GPL-3.0-or-later

   Every second round has a random order, and the round after it the reverse, so
   that a machine that becomes slower or faster has the same effect on all
   variants.  */

#ifndef HEAPPROF_RUN_ORDER_H
#define HEAPPROF_RUN_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* Store the order of the COUNT variants in round ROUND in ORDER, which has the
   order of the round before.  *STATE is the random number generator's, at first
   any number.  */
void run_order_next (size_t *order, size_t count, size_t round,
		     uint64_t *state);

/* Return a random number, at least 0 and less than 1.  */
double run_order_random (uint64_t *state);

#endif /* HEAPPROF_RUN_ORDER_H */
