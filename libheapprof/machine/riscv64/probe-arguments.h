/* The arguments of a function, as operands in the notes of probes, on RISC-V.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_PROBE_ARGUMENTS_H
#define HEAPPROF_PROBE_ARGUMENTS_H

#define MACHINE_PROBE_ARGUMENTS_1 "8@a0"
#define MACHINE_PROBE_ARGUMENTS_3 "8@a0 8@a1 8@a2"

/* Return from a probe.  */
#define MACHINE_PROBE_RETURN "	ret\n"

#endif /* HEAPPROF_PROBE_ARGUMENTS_H */
