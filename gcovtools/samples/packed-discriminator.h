/* Decoding of clang's packed discriminators.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PACKED_DISCRIMINATOR_H
#define HEAPPROF_PACKED_DISCRIMINATOR_H

#include <stdbool.h>
#include <stdint.h>

/* Return the base discriminator in VALUE, which distinguishes locations in the
   source.  IS_FLOW_SENSITIVE says that the other bits were assigned to machine
   code.  */
uint32_t packed_discriminator_base (uint32_t value, bool is_flow_sensitive);

/* Return the duplication factor, at least 1: how many iterations one execution
   of the code stands for because of unrolling or vectorization.  */
uint32_t packed_discriminator_factor (uint32_t value, bool is_flow_sensitive);

/* Return the number of the probe in VALUE, of a call with one.  */
uint32_t packed_discriminator_probe (uint32_t value);

#endif /* HEAPPROF_PACKED_DISCRIMINATOR_H */
