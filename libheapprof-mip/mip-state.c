/* State set at the start: options, time and process.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "mip-runtime.h"

struct mip_options mip_options;
uint64_t mip_start_ns;
uint32_t mip_start_process;
bool mip_is_mapped;
