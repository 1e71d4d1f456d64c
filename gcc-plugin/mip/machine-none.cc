/* Machine-dependent parts for machines without machine-level profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat-rtl.h"
#include "machine.h"

const bool machine_has_probes = false;
const unsigned char machine_unmarked = 255;

bool
machine_takes_probes_p (void)
{
  return false;
}

void
machine_prepare_blocks (void)
{
  gcc_unreachable ();
}

rtx
machine_store (const mip_function *, int, basic_block)
{
  gcc_unreachable ();
}

rtx
machine_test (const mip_function *)
{
  gcc_unreachable ();
}

rtx
machine_count (const mip_function *, unsigned, const rtx_call_insn *)
{
  gcc_unreachable ();
}

const char *
machine_landing (void)
{
  gcc_unreachable ();
}

void
machine_output_jump (const char *)
{
  gcc_unreachable ();
}

rtx
machine_count_pointer (const mip_function *, unsigned, rtx,
		       const rtx_code_label *, const rtx_call_insn *)
{
  gcc_unreachable ();
}
