# Options for compiling the run-time libraries, by machine.
# SPDX-License-Identifier: GPL-3.0-or-later

# The libraries have landing instructions, so that programs that enforce them can
# link with them; and do not choose atomic instructions at run time, for which a
# constructor of the compiler's library would have to run first.
machine_cflags_aarch64 = -mno-outline-atomics -mbranch-protection=bti

# Functions of libheapprof-mip that preserve all registers need not save vector
# registers if they have none.
machine_mip_cflags_x86_64 = -mgeneral-regs-only
machine_mip_cflags_aarch64 = -mgeneral-regs-only
