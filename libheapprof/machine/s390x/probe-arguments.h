/* The arguments of a function, as operands in the notes of probes, on s390x.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_PROBE_ARGUMENTS_H
#define HEAPPROF_PROBE_ARGUMENTS_H

#define MACHINE_PROBE_ARGUMENTS_1 "8@%r2"
#define MACHINE_PROBE_ARGUMENTS_3 "8@%r2 8@%r3 8@%r4"

/* Return from a probe.  */
#define MACHINE_PROBE_RETURN "	br %r14\n"

#endif /* HEAPPROF_PROBE_ARGUMENTS_H */
