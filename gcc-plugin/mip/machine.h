/* What the plugin does differently for each machine that GCC compiles for.
   SPDX-License-Identifier: GPL-3.0-or-later

   machine-CPU.cc has it; plugin.mk takes the one for the compiler.  */

#ifndef HEAPPROF_MACHINE_H
#define HEAPPROF_MACHINE_H

#include "mip-parts.h"

/* Are there counters and run-time libraries for heap profiles?  */
extern const bool machine_has_heap_profiles;

/* What bytes of coverage are before something is reached: 128 or 255.  */
extern const unsigned char machine_unmarked;

/* Can the current function have probes, in its code model?  */
bool machine_takes_probes_p (void);

/* Blocks of the current function are about to get probes.  */
void machine_prepare_blocks (void);

/* A store that marks byte OFFSET of FUNCTION's slot, for the beginning of
   BLOCK; NULL: for the function's entry.  */
rtx machine_store (const mip_function *function, int offset, basic_block block);

/* A test of FUNCTION's slot, for its entry, that calls the helper the first
   time.  */
rtx machine_test (const mip_function *function);

/* A call, for the entry of FUNCTION, of the helper that counts from where it is
   called.  */
rtx machine_edge_call (const mip_function *function);

#endif /* HEAPPROF_MACHINE_H */
