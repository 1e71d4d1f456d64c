/* Machine-dependent parts of the plugin.
   SPDX-License-Identifier: GPL-3.0-or-later

   They are defined in machine-CPU.cc; plugin.mk selects the file for the
   compiler.  */

#ifndef HEAPPROF_MACHINE_H
#define HEAPPROF_MACHINE_H

#include "mip-parts.h"

/* True if machine-level profiles are supported on this machine.  */
extern const bool machine_has_probes;

/* The initial value of bytes of coverage: 128 or 255.  */
extern const unsigned char machine_unmarked;

/* True if the current function can have probes in its code model.  */
bool machine_takes_probes_p (void);

/* Prepare to insert probes into blocks of the current function.  */
void machine_prepare_blocks (void);

/* Make a store that marks byte OFFSET of FUNCTION's slot, for the start of
   BLOCK, or for the function's entry if BLOCK is NULL.  */
rtx machine_store (const mip_function *function, int offset, basic_block block);

/* Make a test of FUNCTION's slot, for its entry, that calls the helper the
   first time.  */
rtx machine_test (const mip_function *function);

/* Make instructions that add 1 to counter NUMBER of FUNCTION: for its entry if
   NUMBER is 0, and CALL NULL, else for direct call NUMBER, before CALL.  */
rtx machine_count (const mip_function *function, unsigned number,
		   const rtx_call_insn *call);

/* Make instructions that count CALL from FUNCTION by way of TARGET, a register
   or memory, for the place before that.  NUMBER is the number of the call
   site's data, and SITE where the call returns to, or behind a jump.  Return
   NULL if that is not possible.  */
rtx machine_count_pointer (const mip_function *function, unsigned number,
			   rtx target, const rtx_code_label *site,
			   const rtx_call_insn *call);

/* Return the text of a landing instruction for indirect branches, with a new
   line before it, if a linker's veneer needs that at the target of a direct
   call; else an empty string.  */
const char *machine_landing (void);

/* Write a jump to the function NAME, which may be in a shared object.  */
void machine_output_jump (const char *name);

#endif /* HEAPPROF_MACHINE_H */
