/* What clang packs into discriminators.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PACKED_DISCRIMINATOR_H
#define HEAPPROF_PACKED_DISCRIMINATOR_H

#include <stdbool.h>
#include <stdint.h>

/* The part of VALUE that tells places of the source apart.  IS_FLOW_SENSITIVE
   says that the rest was given to machine code.  */
uint32_t packed_discriminator_base (uint32_t value, bool is_flow_sensitive);

/* How many times the code of the place was made shorter by doing it several
   times at once, at least 1.  */
uint32_t packed_discriminator_factor (uint32_t value, bool is_flow_sensitive);

#endif /* HEAPPROF_PACKED_DISCRIMINATOR_H */
